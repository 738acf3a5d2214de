import type { ResponseContent } from "../core/request/response.ts";
import { cursorReader, readCursorPage } from "../core/cursor-reader.ts";
import { ApiError, InvalidRequestError } from "../core/errors/errors.ts";
import type { JsonObject } from "../internal/json.ts";
import type { ListReader } from "../core/list.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { CursorPage } from "../core/page.ts";
import { hash, RepeatGuard } from "../core/repeat-guard.ts";
import { toWireDateTime } from "../core/request/date-time.ts";
import { type Shape, shapeItems } from "../core/request/shape.ts";
import type { Step } from "../core/walk.ts";
import { readState, type State } from "./protocol-state.ts";
import type { TimeRange } from "./query.ts";

/** How the second page of protocols is asked for (gap `protocols.next-page`). */
export type NextPageStrategy = "auto" | "cursor" | "window" | "single";

export type AskRange = (
  range: TimeRange,
  cursor: string | undefined,
  cancel: AbortSignal | undefined,
) => Promise<ResponseContent>;

/** One list of protocols as it was called. */
export interface ProtocolListing<P> {
  strategy: NextPageStrategy;
  shape: Shape<P> | undefined;
  identify: ((protocol: JsonObject) => string) | undefined;
  range: TimeRange;
  resume: string | undefined;
  options: CallOptions | undefined;
  ask: AskRange;
}

const doing = "GET /v1/stores/{externalId}/protocols";
const names = { items: "items", cursor: "nextCursor" };

/** Reads a store's protocols by any strategy, each protocol once. */
export function readProtocols<P>(listing: ProtocolListing<P>): ListReader<CursorPage<P>> {
  const walk = new ProtocolWalk(listing);
  const start = (): State => readState(doing, listing.resume);
  return cursorReader({
    doing,
    signal: listing.options?.signal,
    start,
    first: async () => (await walk.fetch(start(), new RepeatGuard(doing), undefined)).page,
    fetch: (state, guard, cancel) => walk.fetch(state, guard, cancel),
  });
}

class ProtocolWalk<T> {
  readonly #listing: ProtocolListing<T>;

  constructor(listing: ProtocolListing<T>) {
    this.#listing = listing;
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
    const content = await this.#listing.ask(this.#listing.range, undefined, cancel);
    const { items, nextCursor } = readCursorPage(content, names, guard);
    guard.accept(undefined, items, content.text, itemsOf);
    if (nextCursor === null) return this.#step(content, items, undefined);
    return this.#step(content, items, { at: "second", cursor: nextCursor, seen: this.#keys(items, guard) });
  }

  /** The second page: here the strategies part. */
  async #second(
    { cursor, seen }: State & { at: "second" },
    guard: RepeatGuard,
    cancel: AbortSignal | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const { strategy, range } = this.#listing;
    if (strategy === "single")
      throw guard.error('there are more protocols than one page holds (strategy "single")');
    if (strategy === "cursor") return this.#forced(cursor, seen, guard, cancel);
    const answer = strategy === "auto" ? await this.#probe(cursor, seen, guard, cancel) : undefined;
    if (answer !== undefined) return answer;
    const ranges = halves(instantOf(range, "from"), instantOf(range, "to"), guard);
    return this.#window({ at: "window", ranges, seen, edge: [] }, guard, cancel);
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
    let content: ResponseContent;
    try {
      content = await this.#listing.ask(this.#listing.range, cursor, cancel);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return undefined;
      throw error;
    }
    const known = new Set(seen);
    const { items } = readCursorPage(content, names, guard);
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
    return this.#cursorStep(cursor, await this.#listing.ask(this.#listing.range, cursor, cancel), guard);
  }

  #cursorStep(cursor: string, content: ResponseContent, guard: RepeatGuard): Promise<Step<CursorPage<T>, State>> {
    const { items, nextCursor } = readCursorPage(content, names, guard);
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
      const content = await this.#listing.ask({ from, to }, undefined, cancel);
      const { items, nextCursor } = readCursorPage(content, names, guard);
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
    content: ResponseContent,
    items: unknown[],
    next: State | undefined,
  ): Promise<Step<CursorPage<T>, State>> {
    const { json } = content;
    const page: CursorPage<T> = {
      items: await shapeItems(content, this.#listing.shape, items, names.items),
      nextCursor: json.nextCursor as string | null, // read before
      resume: next === undefined ? null : JSON.stringify(next),
      raw: json,
    };
    return { page, next };
  }

  #keys(items: unknown[], guard: RepeatGuard): number[] {
    return items.map((item) => hash(this.#identity(item as JsonObject, guard)));
  }

  #identity(protocol: JsonObject, guard: RepeatGuard): string {
    const { identify } = this.#listing;
    if (identify !== undefined) return identify(protocol);
    const id = protocol?.protocolId ?? protocol?.id; // gap protocols.id-member
    return typeof id === "string" || typeof id === "number" ? String(id) : guard.write(protocol);
  }
}

function instantOf(range: TimeRange, path: "from" | "to"): string {
  const text = toWireDateTime(range[path]);
  if (text === undefined) throw new InvalidRequestError(doing, [{ path, message: "must be a Date" }]);
  return text;
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

function itemsOf(text: string): unknown[] {
  return (JSON.parse(text) as { items: unknown[] }).items; // the page was read before
}
