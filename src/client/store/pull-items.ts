import { PaginationError } from "../core/errors/response-errors.ts";
import type { SentItem } from "../core/request/shape.ts";
import {
  type ItemIdentity,
  type ItemKey,
  isFull,
  KeyLog,
  lastEntries,
  readKey,
  writeEntry,
} from "./pull-keys.ts";
import type { Section } from "./pull-plan.ts";
import { type KeptItems, type PullRun, type PullState, sectionAt } from "./pull-state.ts";

/** Returns the items of a time range, as the service sends them. */
export type ReadRange = (range: Pick<Section, "from" | "to">) => Promise<unknown[]>;

/** The number of items outside of the kept ranges that a state remembers. */
const maxRecent = 500;

/** Decides which items of a run were not delivered yet, and remembers them. */
export class NewItems {
  readonly #label: string;
  readonly #identity: ItemIdentity;
  readonly #readRange: ReadRange;
  readonly #precision: number;
  readonly #run: PullRun;
  /** The items of earlier runs, and those of the last one. */
  readonly #known: KeyLog;
  readonly #last: KeyLog;
  readonly #kept: KeyLog;
  readonly #passing: KeyLog;
  #recent: string;
  #section: Section;
  /** The content by ID of the items of the current section since the run was started or resumed. */
  #seen = new Map<number, number>();
  #seenWithoutId = new Set<number>();
  #shared: Promise<ReadonlySet<number>> | undefined;

  constructor(
    label: string,
    { identity, readRange, precision }: { identity: ItemIdentity; readRange: ReadRange; precision: number },
    { kept, recent, run }: PullState & { run: PullRun },
  ) {
    this.#label = label;
    this.#identity = identity;
    this.#readRange = readRange;
    this.#precision = precision;
    this.#run = run;
    this.#known = new KeyLog(recent + kept.map(({ keys }) => keys).join(""));
    this.#last = new KeyLog(kept.at(-1)?.keys);
    this.#kept = new KeyLog(run.kept);
    this.#passing = new KeyLog(run.passing);
    this.#recent = recent;
    this.#section = sectionAt(run, run.section);
  }

  /** Starts a section of the run. */
  enter(index: number): void {
    this.#run.section = index;
    this.#section = sectionAt(this.#run, index);
    this.#seen = new Map();
    this.#seenWithoutId = new Set();
    this.#shared = undefined;
  }

  /** Returns the items of a page that are new or have changed. */
  async pick<T>(items: readonly SentItem<T>[]): Promise<T[]> {
    let added = "";
    const fresh: T[] = [];
    for (const { sent, item } of items) {
      const key = readKey(sent, this.#identity);
      const isNew = key.hasId ? this.#isNew(key) : await this.#isNewWithoutId(key);
      if (isNew) fresh.push(item);
      added += this.#remember(key);
    }
    this.#recent = lastEntries(this.#recent + added, maxRecent);
    const { text: kept } = this.#kept;
    Object.assign(this.#run, { kept, passing: this.#passing.text });
    return fresh;
  }

  /** Whether every item of the section that was delivered is recognized when the section is read again. */
  get remembersSection(): boolean {
    return this.#run.hasIds && (this.#section.log !== "none" || !isFull(this.#recent, maxRecent));
  }

  get recent(): string {
    return this.#recent;
  }

  /** The items that the run keeps for later ones; `before` without them. */
  keep(before: readonly KeptItems[], since: number): KeptItems[] {
    const { end, hasIds, sections } = this.#run;
    const from = Math.min(...sections.filter(({ log }) => log === "kept").map((section) => section.from));
    const earlier = before
      .filter((entry) => entry.end >= since)
      .map((entry) => ({ ...entry, keys: this.#kept.removeFrom(entry.keys) }))
      .filter(({ keys }) => keys !== "");
    return [...earlier, { from, end, hasIds, keys: this.#kept.text }];
  }

  #isNew({ id, content }: ItemKey): boolean {
    const logs = [this.#seen, this.#kept, this.#passing, this.#known];
    const latest = logs.find((log) => log.has(id));
    return latest?.get(id) !== content;
  }

  /** gap protocols.equal-summaries */
  async #isNewWithoutId({ id }: ItemKey): Promise<boolean> {
    this.#run.hasIds = false;
    if (this.#seenWithoutId.has(id)) throw this.#equalItems();
    this.#seenWithoutId.add(id);
    if (this.#kept.has(id) || this.#passing.has(id)) {
      const shared = await (this.#shared ??= this.#readShared());
      if (shared.has(id)) return false;
      if (!this.#last.has(id)) throw this.#equalItems();
      return true; // the other one is that of the last run
    }
    return !(this.#section.isReread && this.#last.has(id));
  }

  /** Returns the items without an ID in the ranges that the current section shares with those read before it. */
  async #readShared(): Promise<ReadonlySet<number>> {
    const { sections, section } = this.#run;
    const { from, to } = this.#section;
    const shared = new Set<number>();
    for (const earlier of sections.slice(0, section)) {
      const start = Math.max(from, earlier.from);
      const end = Math.min(to, earlier.to);
      const ids = start <= end ? await this.#readIds(start, end) : await this.#readMeeting(end, start);
      for (const id of ids) shared.add(id);
    }
    return shared;
  }

  /** Two ranges that do not overlap may share what the service compares as equal to both ends. */
  async #readMeeting(end: number, start: number): Promise<readonly number[]> {
    if (start - end > this.#precision) return [];
    const [before, after] = [await this.#readIds(end, end), await this.#readIds(start, start)];
    return before.filter((id) => after.includes(id));
  }

  /** Returns the items without an ID in a range. */
  async #readIds(from: number, to: number): Promise<readonly number[]> {
    const keys = (await this.#readRange({ from, to })).map((item) => readKey(item, this.#identity));
    const ids = keys.filter(({ hasId }) => !hasId).map(({ id }) => id);
    if (new Set(ids).size < ids.length) throw this.#equalItems();
    return ids;
  }

  /** Remembers an item. Returns its entry if the section has no log. */
  #remember({ id, content }: ItemKey): string {
    const { log } = this.#section;
    if (log === "kept") this.#kept.set(id, content);
    else if (log === "passing") this.#passing.set(id, content);
    else if (this.#seen.get(id) !== content) {
      this.#seen.set(id, content);
      return writeEntry(id, content);
    }
    return "";
  }

  #equalItems(): PaginationError {
    const reason = "two items without an ID are equal and cannot be distinguished; set `identify`";
    return new PaginationError(this.#label, reason, {});
  }
}
