import { hash } from "../../wire/hash.ts";
import type { JsonObject } from "../../wire/json.ts";
import { ApiError } from "../errors.ts";
import { CursorList, openWalk, readPagesAhead } from "./list.ts";
import { buildPage, type RawCursorPage, requestPage } from "./cursor.ts";
import type { CursorPage, ListSource } from "./page.ts";
import { invalidToken } from "./query.ts";
import { endWalk, requireProgress, type WalkState } from "./walk.ts";

/** An instant: a `Date`, or an ISO 8601 string with an offset or `Z`. */
export type Instant = Date | string;

/** A time range. Whether it includes `to` is a gap (`time-range.ends`). */
export interface TimeRange {
  from: Instant;
  to: Instant;
}

/** The largest difference between an instant and the one that the service compares. */
export type TimePrecision = "millisecond" | "second" | "minute" | "day";

/** The time that neighboring ranges share, so that no entry falls between them, in ms. */
export const rangeOverlaps: Readonly<Record<TimePrecision, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  day: 86_400_000,
};

/**
 * The way to request the second page of a time range, whose cursor the contract does not declare (gap
 * `protocols.next-page`): `auto` sends the cursor and continues with narrower time ranges if the service ignores or rejects
 * it, `window` uses narrower ranges at once.
 */
export type RangePages = "auto" | "window";

export interface RangeSettings {
  readonly pages: RangePages;
  /** The time that neighboring windows share, in ms. */
  readonly overlap: number;
}

/**
 * The position of a walk: the next cursor, or the start and the width of the next window in ms. The cursor of the second page
 * comes with the hash of the first page, because only the first page shows whether the service ignores the cursor.
 */
type Position = { cursor: string; first?: unknown } | { start: number; width: number };

/** Creates the list of a time range. */
export function rangeList<T>(source: ListSource<T>, settings: RangeSettings): CursorList<T> {
  return new CursorList({
    source,
    ahead: ["prefetch", 0],
    walk: (ahead, cancel) => {
      const pages = openWalk(source, cancel, (state, at) =>
        walkRange(state, settings, readPosition(source, at)),
      );
      return readPagesAhead(pages, ahead, cancel);
    },
  });
}

function readPosition(source: ListSource<unknown>, at: JsonObject | undefined): Position | undefined {
  if (at === undefined) return undefined;
  const { cursor, first, start, width } = at;
  if (typeof cursor === "string") return { cursor, first };
  if (typeof start === "number" && typeof width === "number" && width > 0) return { start, width };
  throw invalidToken(source);
}

async function* walkRange<T>(
  state: WalkState<T>,
  settings: RangeSettings,
  start: Position | undefined,
): AsyncGenerator<CursorPage<T>, void, void> {
  const { source } = state;
  if (start !== undefined && "start" in start) return yield* walkWindows(state, settings, start);
  let cursor = start?.cursor;
  state.cursors.add(cursor);
  /** The first page, while the second one is read. */
  let first: RawCursorPage | undefined;
  if (start?.first !== undefined) {
    first = await requestPage(state, {}, {});
    // the items of another first page may not have been delivered
    if (hashOf(state, first) === start.first) state.seen.takeNew(first.items);
  }
  for (;;) {
    const raw = await requestNext(state, cursor, first !== undefined);
    if (raw === undefined || (first !== undefined && isSubset(state, raw, first)))
      return yield* walkWindows(state, settings, firstWindow(source));
    const next = raw.nextCursor;
    const sent = state.seen.takeNew(raw.items);
    requireProgress(state, raw.items, sent, next);
    const isFirst = cursor === undefined;
    const isWindowed = settings.pages === "window" && isFirst && next !== null;
    // a getter, because most tokens are never written
    const following = {
      cursor: next,
      get first() {
        return isFirst ? hashOf(state, raw) : undefined;
      },
    };
    const position = isWindowed ? firstWindow(source) : next === null ? undefined : following;
    yield await buildPage(source, {}, raw, sent, position);
    state.last = { cursor };
    if (next === null) return;
    if (isWindowed) return yield* walkWindows(state, settings, firstWindow(source));
    first = isFirst ? raw : undefined;
    cursor = next;
  }
}

/** Requests the page of a cursor; undefined if the service rejects the cursor, which the contract does not declare. */
async function requestNext<T>(
  state: WalkState<T>,
  cursor: string | undefined,
  isSecond: boolean,
): Promise<RawCursorPage | undefined> {
  const { extra } = state.source.query;
  const changes = cursor === undefined ? {} : { extra: { ...(extra as object | undefined), cursor } };
  try {
    return await requestPage(state, {}, changes);
  } catch (error) {
    if (isSecond && error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}

/** Whether the response to the first cursor has only items of the first page: the service ignores the cursor. */
function isSubset<T>(state: WalkState<T>, page: RawCursorPage, first: RawCursorPage): boolean {
  const known = new Set(keysOf(state, first));
  return page.items.length > 0 && keysOf(state, page).every((key) => known.has(key));
}

/** Returns the ID of each item, or its content. */
function keysOf<T>({ seen }: WalkState<T>, { items }: RawCursorPage): string[] {
  return items.map((item) => seen.idOf(item) ?? JSON.stringify(item));
}

function hashOf<T>(state: WalkState<T>, page: RawCursorPage): string {
  return hash(JSON.stringify(keysOf(state, page))).toString(36);
}

/** The first window is half of the range. */
function firstWindow(source: ListSource<unknown>): { start: number; width: number } {
  const [from, to] = bounds(source);
  return { start: from, width: Math.max(1, Math.ceil((to - from) / 2)) };
}

function bounds({ query }: ListSource<unknown>): [from: number, to: number] {
  const [from, to] = [query["from"], query["to"]].map((instant) =>
    new Date(instant as string | Date).getTime(),
  );
  return [from, to] as [number, number]; // the first request has checked them
}

/**
 * Walks the range in windows that hold at most one page: one with a cursor is read again with half of its width, the next
 * one after a whole window has twice its width.
 */
async function* walkWindows<T>(
  state: WalkState<T>,
  { overlap }: RangeSettings,
  position: { start: number; width: number },
): AsyncGenerator<CursorPage<T>, void, void> {
  const { source, seen } = state;
  const [from, to] = bounds(source);
  let { start, width } = position;
  for (;;) {
    const end = Math.min(to, start + width);
    // whether a range includes its ends is a gap (time-range.ends), so neighbors share some time
    const window = {
      from: new Date(Math.max(from, start - overlap)).toISOString(),
      to: new Date(Math.min(to, end + overlap)).toISOString(),
    };
    const raw = await requestPage(state, {}, window);
    if (raw.items.some((item) => seen.idOf(item) === undefined))
      throw endWalk(
        state,
        "an item may be in two time ranges, and items without an ID cannot be distinguished: set `identify`",
      );
    if (raw.nextCursor !== null) {
      if (width <= overlap)
        throw endWalk(
          state,
          `more protocols than a page holds (limit: ${Number(source.query["limit"] ?? source.pageSize)}) are within ${overlap} ms of ${window.from}: ` +
            "use a larger `limit`, or the option timePrecision if the service compares times more precisely",
        );
      width = Math.ceil(width / 2);
      continue;
    }
    const sent = seen.takeNew(raw.items);
    // neighboring windows may have the same items
    requireProgress(state, [], sent);
    const next = end < to ? { start: end, width: Math.min(width * 2, to - end) } : undefined;
    yield await buildPage(source, {}, raw, sent, next);
    if (next === undefined) return;
    ({ start, width } = next);
  }
}
