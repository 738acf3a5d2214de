// Loaded when the first protocol list is read. What it needs of other code is handed in, so that both stay small.
import type { ListContent } from "../core/answer.ts";
import type { JsonObject } from "../core/json.ts";
import type { CursorPage } from "../core/page.ts";
import type { RepeatGuard } from "../core/repeat-guard.ts";
import type { Step } from "../core/walk.ts";
import type { State } from "./protocol-state.ts";
import type { TimeRange } from "./query.ts";

/** How the second page of protocols is asked for (gap `protocols.next-page`). */
export type NextPageStrategy = "auto" | "cursor" | "window" | "single";

export type ProtocolRange = TimeRange;

export type AskRange = (
  range: ProtocolRange,
  cursor: string | undefined,
  cancel: AbortSignal | undefined,
) => Promise<ListContent>;

/** What a walk needs of its list. */
export interface WalkSettings<T> {
  strategy: NextPageStrategy;
  range: ProtocolRange;
  ask: AskRange;
  read: (content: ListContent, guard: RepeatGuard) => { items: unknown[]; nextCursor: string | null };
  shape: (content: ListContent, items: unknown[]) => Promise<T[]>;
  /** Tells a protocol from others. */
  key: (protocol: unknown, guard: RepeatGuard) => number;
  /** An instant of the range as text. */
  instant: (path: "from" | "to") => string;
  /** Whether the server refused the request. */
  isRejection: (error: unknown) => boolean;
}

/** The pages of a store's protocols by any strategy, each protocol once. */
export class ProtocolWalk<T> {
  readonly #settings: WalkSettings<T>;
  readonly #ask: AskRange;

  constructor(settings: WalkSettings<T>) {
    this.#settings = settings;
    this.#ask = settings.ask;
  }

  fetch(
    state: State,
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    if (state.at === "start") return this.#first(guard, cancel);
    if (state.at === "window") return this.#window(state, guard, cancel);
    if (state.at === "cursor") return this.#cursor(state.cursor, guard, cancel);
    return this.#second(state, guard, cancel);
  }

  async #first(guard: RepeatGuard, cancel: AbortSignal | undefined): Promise<Step<CursorPage<T>, State>> {
    const content = await this.#ask(this.#settings.range, undefined, cancel);
    const { items, nextCursor } = this.#settings.read(content, guard);
    guard.accept(undefined, items, content.text, itemsOf);
    const seen = nextCursor === null ? [] : this.#keys(items, guard);
    return this.#step(
      content,
      items,
      nextCursor === null ? undefined : { at: "second", cursor: nextCursor, seen },
    );
  }

  /** The second page: here the strategies part. */
  async #second(
    { cursor, seen }: State & { at: "second" },
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const { strategy } = this.#settings;
    if (strategy === "single")
      throw guard.error('there are more protocols than one page holds (strategy "single")');
    if (strategy === "cursor") return this.#forced(cursor, seen, guard, cancel);
    const answer = strategy === "auto" ? await this.#probe(cursor, seen, guard, cancel) : undefined;
    if (answer !== undefined) return answer;
    const from = this.#settings.instant("from");
    const to = this.#settings.instant("to");
    return this.#window({ at: "window", ranges: halves(from, to, guard), seen, edge: [] }, guard, cancel);
  }

  /** The page behind a cursor. A walk that was resumed knows the page before by its protocols alone. */
  async #forced(
    cursor: string,
    seen: number[],
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const step = await this.#cursor(cursor, guard, cancel);
    const keys = this.#keys(step.page.raw.items as unknown[], guard); // read before
    const known = new Set(seen);
    if (keys.length > 0 && keys.every((key) => known.has(key)))
      throw guard.error("the server answered the first page once more: it seems to ignore the cursor");
    return step;
  }

  /** The page behind a cursor; undefined where the server rejects the cursor or answers what it answered before. */
  async #probe(
    cursor: string,
    seen: number[],
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State> | undefined> {
    let content: ListContent;
    try {
      content = await this.#ask(this.#settings.range, cursor, cancel);
    } catch (error) {
      if (this.#settings.isRejection(error)) return undefined;
      throw error;
    }
    const known = new Set(seen);
    const { items } = this.#settings.read(content, guard);
    if (this.#keys(items, guard).some((key) => known.has(key))) return undefined;
    guard.enter(cursor);
    return this.#cursorStep(cursor, content, guard);
  }

  async #cursor(
    cursor: string,
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    guard.enter(cursor);
    return this.#cursorStep(cursor, await this.#ask(this.#settings.range, cursor, cancel), guard);
  }

  #cursorStep(cursor: string, content: ListContent, guard: RepeatGuard): Promise<Step<CursorPage<T>, State>> {
    const { items, nextCursor } = this.#settings.read(content, guard);
    guard.accept(cursor, items, content.text, itemsOf);
    return this.#step(content, items, nextCursor === null ? undefined : { at: "cursor", cursor: nextCursor });
  }

  /**
   * The next range that holds something new. A range with more than a page is halved and read anew, so that the order
   * of the answers (gap protocols.order) and the members of a protocol do not matter; neighbours share their boundary
   * instant, so that it is read whether the end of a range belongs to it or not (gap time-range.ends).
   */
  async #window(
    state: State & { at: "window" },
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const known = new Set(state.seen);
    let { ranges, edge } = state;
    for (;;) {
      const [[from, to], ...rest] = ranges as [[string, string], ...[string, string][]]; // a state has one at least
      const content = await this.#ask({ from, to }, undefined, cancel);
      const { items, nextCursor } = this.#settings.read(content, guard);
      if (nextCursor !== null) {
        ranges = [...halves(from, to, guard), ...rest];
        continue;
      }
      const keys = this.#keys(items, guard);
      const shared = new Set(edge);
      const fresh = items.filter(
        (_, at) => !known.has(keys[at] as number) && !shared.has(keys[at] as number),
      );
      ranges = rest;
      edge = keys;
      const last = rest.length === 0;
      if (fresh.length > 0 || last)
        return this.#step(content, fresh, last ? undefined : { ...state, ranges, edge });
    }
  }

  async #step(
    content: ListContent,
    items: unknown[],
    next: State | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const { json } = content;
    const page: CursorPage<T> = {
      items: await this.#settings.shape(content, items),
      nextCursor: json.nextCursor as string | null, // read before
      resume: next === undefined ? null : JSON.stringify(next),
      raw: json,
    };
    return { page, next };
  }

  #keys(items: unknown[], guard: RepeatGuard): number[] {
    return items.map((item) => this.#settings.key(item, guard));
  }
}

/** Two ranges for one, with the instant between them in both. */
function halves(from: string, to: string, guard: RepeatGuard): [from: string, to: string][] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (last - first <= 1) {
    throw guard.error(
      `more protocols at one instant (${from} to ${to}) than a page holds: they cannot be told apart by time`,
    );
  }
  const middle = new Date(Math.floor((first + last) / 2)).toISOString();
  return [
    [from, middle],
    [middle, to],
  ];
}

function itemsOf(text: string): unknown {
  return (JSON.parse(text) as JsonObject).items;
}
