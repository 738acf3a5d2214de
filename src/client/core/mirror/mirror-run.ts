import { ConfigurationError } from "../errors/errors.ts";
import { PaginationError } from "../errors/response-errors.ts";
import { isNotFound } from "../errors/not-found.ts";
import { hashItem } from "../pagination/content-hash.ts";
import { isStalePosition } from "../pagination/stale-position.ts";
import { runConcurrently } from "../request/concurrently.ts";
import type { SentItem } from "../request/shape.ts";
import { isCount, isExactNumber } from "../../../wire/exact-numbers.ts";
import { isObject } from "../../../wire/json.ts";
import { foldId } from "../../../wire/similar-id.ts";
import type { MirroredList, MirroredPage } from "./mirrored-list.ts";
import type { MirrorOptions, MirrorResult } from "./options.ts";
import type { MirrorEntry, MirrorMark, MirrorSink } from "./sink.ts";
import type { MirrorPass, MirrorState } from "./state.ts";

/** An entry of a page, as it is compared with the saved one. */
interface ReadEntry<T> {
  id: string;
  hash: string;
  item: T;
}

/** The end of a pass. Another pass confirms the entries that it has missed. */
type PassEnd = "done" | "to-confirm" | "lossy";

/** One run of a mirror: as many passes over the list as it takes until one is clean. */
export class MirrorRun<T, D> {
  readonly #list: MirroredList;
  readonly #sink: MirrorSink<T, D>;
  readonly #options: MirrorOptions<T, D>;
  readonly #result: MirrorResult = { read: 0, added: 0, changed: 0, deleted: 0, passes: 0, isClean: false };
  #state: MirrorState;
  /** The IDs of entries of the current pass whose details are not found. */
  #withoutDetails: string[] = [];

  constructor(list: MirroredList, sink: MirrorSink<T, D>, options: MirrorOptions<T, D>, state: MirrorState) {
    this.#list = list;
    this.#sink = sink;
    this.#options = options;
    this.#state = state;
  }

  async run(): Promise<MirrorResult> {
    const { maxPasses = 5 } = this.#options;
    for (;;) {
      const pass = await this.#readPass();
      const end = await this.#finishPass(pass);
      this.#result.passes += 1;
      if (end === "done") return this.#result;
      if (this.#result.passes < maxPasses) continue;
      if (end === "to-confirm") return this.#result; // the next run decides about the entries that are missing
      const [id] = this.#withoutDetails;
      if (id === undefined)
        throw this.#error(`the list changed during each of ${maxPasses} passes; nothing was deleted`);
      const count = this.#withoutDetails.length;
      throw this.#error(
        `${count} entries are listed, but their details are not found, such as ${JSON.stringify(id)}; nothing was deleted`,
      );
    }
  }

  /** Reads the pages of a new pass, or those that are left of an unfinished one. */
  async #readPass(): Promise<MirrorPass> {
    const { pageSize } = this.#list;
    const unfinished = this.#state.pass;
    if (unfinished?.isRead) return unfinished;
    if (unfinished === null || unfinished.pageSize !== pageSize) return this.#readPages(this.#beginPass());
    try {
      return await this.#readPages(unfinished);
    } catch (error) {
      // the position may no longer exist
      if (this.#state.pass !== unfinished || !isStalePosition(error)) throw error;
      return this.#readPages(this.#beginPass());
    }
  }

  async #readPages(pass: MirrorPass): Promise<MirrorPass> {
    let current = pass;
    for await (const page of this.#list.pages(pass.next)) current = await this.#savePage(current, page);
    return current;
  }

  #beginPass(): MirrorPass {
    this.#withoutDetails = [];
    const number = this.#state.last + 1;
    const { pageSize } = this.#list;
    return { number, pageSize, next: null, isRead: false, read: 0, repeated: 0, isLossy: false };
  }

  /** Saves the new and changed entries of a page. Returns the pass after it. */
  async #savePage(pass: MirrorPass, page: MirroredPage): Promise<MirrorPass> {
    const read = page.items.map((item) => this.#readEntry(item as SentItem<T>)); // the list parses its own items
    const seen = [...new Set(read.map(({ id }) => id))];
    // copies, which the sink may take apart
    const marks: ReadonlyMap<string, MirrorMark> = await this.#sink.find([...seen]);
    this.#checkMarks(marks, seen, pass);
    const isRepeated = (id: string): boolean => marks.get(id)?.pass === pass.number;
    const fresh = read.filter(({ id, hash }) => marks.get(id)?.hash !== hash);
    const entries = await this.#readDetails(
      fresh.map((entry) => ({ ...entry, isNew: !marks.has(entry.id) })),
    );
    const { total, next } = page;
    const after: MirrorPass = {
      ...pass,
      next,
      isRead: next === null,
      read: pass.read + read.length,
      repeated: pass.repeated + read.length - seen.length + seen.filter(isRepeated).length,
      isLossy:
        pass.isLossy || page.isLossy || entries.length < fresh.length || (total ?? 0) < (pass.lastTotal ?? 0),
      ...(total !== undefined && { firstTotal: pass.firstTotal ?? total, lastTotal: total }),
    };
    const state = this.#advance({ last: pass.number, pass: after });
    await this.#sink.save({ entries: [...entries], seen, pass: pass.number, state });
    this.#result.read += read.length;
    for (const { isNew } of entries) this.#result[isNew ? "added" : "changed"] += 1;
    return after;
  }

  #checkMarks(marks: ReadonlyMap<string, MirrorMark>, seen: readonly string[], { number }: MirrorPass): void {
    const isMap = isObject(marks) && typeof marks.values === "function";
    const all: unknown[] = isMap ? [...marks.values()] : [undefined];
    if (!all.every(isMark))
      throw new ConfigurationError(
        "mirror: find must return a Map of { hash, pass }, with a string and a number",
      );
    const missing = new Set(seen.filter((id) => !marks.has(id)).map(foldId));
    const isChanged = (id: unknown) =>
      typeof id !== "string" || (missing.size > 0 && !seen.includes(id) && missing.has(foldId(id)));
    if ([...marks.keys()].some(isChanged))
      throw new ConfigurationError(
        "mirror: the keys of the Map that find returns must be the given IDs: a column may have another type or letter case",
      );
    if (all.every((mark) => mark.pass <= number)) return;
    throw this.#error(
      "the sink has entries that are newer than its state: `load` must return the state that was saved with them",
    );
  }

  #readEntry({ sent, item }: SentItem<T>): ReadEntry<T> {
    const { identify, fingerprint } = this.#options;
    const object = isObject(sent) ? sent : {};
    const id =
      identify === undefined
        ? this.#list.idProperties.map((name) => object[name]).find(isId)
        : identify(structuredClone(object)); // a function that changes its argument changes a copy
    if (!isId(id)) throw this.#error("an entry has no ID: give `identify`");
    const hash = hashItem(sent, fingerprint).toString(36);
    return { id: String(id), hash, item };
  }

  async #readDetails(entries: Omit<MirrorEntry<T, D>, "detail">[]): Promise<MirrorEntry<T, D>[]> {
    const { details, concurrency = 1 } = this.#options;
    // without the option, its type is undefined
    if (details === undefined) return entries.map((entry) => ({ ...entry, detail: undefined as D }));
    const found: (MirrorEntry<T, D> | undefined)[] = [];
    await runConcurrently(entries, concurrency, async (entry, index) => {
      found[index] = await readDetail(entry, details);
    });
    this.#withoutDetails.push(
      ...entries.filter((_, index) => found[index] === undefined).map(({ id }) => id),
    );
    return found.filter((entry) => entry !== undefined);
  }

  /** Deletes the entries that two clean passes have missed. */
  async #finishPass(pass: MirrorPass): Promise<PassEnd> {
    const { firstTotal, lastTotal = 0, read, repeated } = pass;
    const growth = lastTotal - (firstTotal ?? lastTotal);
    const isComplete = firstTotal === undefined || (repeated <= growth && read - repeated >= firstTotal);
    this.#result.isClean = !pass.isLossy && isComplete && repeated === 0 && growth === 0;
    const size = read - repeated;
    if (pass.isLossy || !isComplete)
      return this.#end("lossy", { size: Math.max(this.#state.size ?? 0, size) });
    if (!this.#result.isClean) return this.#end("done", { candidate: null, size });
    const unseen = await this.#countUnseen(pass);
    if (unseen === 0) return this.#end("done", { candidate: null, size });
    await this.#refuseLoss(pass, unseen);
    const { candidate } = this.#state;
    if (candidate === null) return this.#end("to-confirm", { candidate: pass.number });
    await this.#sink.remove(candidate, this.#advance({ pass: null, candidate: null, size }));
    this.#result.deleted += unseen - (await this.#countUnseen(pass));
    return "done";
  }

  /** A driver may return a count as a string, with which `maxDeleted` would not hold. */
  async #countUnseen({ number }: MirrorPass): Promise<number> {
    const count: unknown = await this.#sink.countUnseen(number);
    if (isCount(count)) return count;
    throw new ConfigurationError("mirror: countUnseen must return a number of entries");
  }

  /** Saves that a pass has ended. */
  async #end(end: PassEnd, changes: Pick<Partial<MirrorState>, "candidate" | "size"> = {}): Promise<PassEnd> {
    const state = this.#advance({ pass: null, ...changes });
    await this.#sink.save({ entries: [], seen: [], pass: this.#state.last, state });
    return end;
  }

  async #refuseLoss({ read }: MirrorPass, unseen: number): Promise<void> {
    const { maxDeleted = 0.5 } = this.#options;
    // entries that are new do not make up for those that are missing: another tenant's list may be as long
    const { size = read + unseen } = this.#state;
    if (Math.min(1, unseen / size) <= maxDeleted) return;
    await this.#end("done", { candidate: null });
    throw this.#error(
      `the list has ${read} entries and lacks ${unseen} that are saved, more than \`maxDeleted\` allows: nothing was deleted`,
    );
  }

  #advance(changes: Partial<MirrorState>): string {
    this.#state = { ...this.#state, ...changes, list: this.#list.digests() };
    return JSON.stringify(this.#state);
  }

  #error(reason: string): PaginationError {
    return new PaginationError(this.#list.call.label, reason, {});
  }
}

function isMark(mark: unknown): mark is MirrorMark {
  return isObject(mark) && typeof mark.hash === "string" && isCount(mark.pass);
}

function isId(id: unknown): id is string | number {
  return (typeof id === "string" && id !== "") || isExactNumber(id);
}

/** Returns undefined if the entry was deleted since its page was read: the next pass decides about it. */
async function readDetail<T, D>(
  entry: Omit<MirrorEntry<T, D>, "detail">,
  details: (item: T) => D | Promise<D>,
): Promise<MirrorEntry<T, D> | undefined> {
  try {
    return { ...entry, detail: await details(entry.item) };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
