import {
  type CursorPages,
  type CursorSettings,
  type CursorWalk,
  type RawCursorPage,
  walkCursorList,
} from "./cursor.ts";
import type { ApiError } from "../errors.ts";
import type { ListSource, WalkOptions } from "./page.ts";
import { invalidToken } from "./walk.ts";

/** An instant: a `Date`, or an ISO 8601 string with an offset or `Z`. */
export type Instant = Date | string;

/** A time range. Whether it includes `to` is a gap (`time-range.ends`). */
export interface TimeRange {
  from: Instant;
  to: Instant;
}

/** The largest difference between an instant and the one that the service compares. */
export type TimePrecision = "millisecond" | "second" | "minute" | "day";

/**
 * The way to request the second page of a time range, whose cursor the contract does not declare (gap
 * `protocols.next-page`): `auto` sends the cursor and continues with narrower time ranges if the service ignores or rejects
 * it, `window` uses narrower ranges at once.
 */
export type RangePages = "auto" | "window";

/** The settings of a list whose service may not take its cursors. */
export interface RangeSettings extends CursorSettings {
  readonly pages: RangePages;
  /** The time that neighboring windows share, in ms. */
  readonly overlap: number;
}

/**
 * The place of a token: the next cursor, or the start and the width of the next window in ms. The cursor of the second page
 * comes with the hash of the first page, because only the first page shows whether the service ignores the cursor.
 */
type Place = { cursor: string; first?: unknown } | { start: number; width: number };

/** Walks the list of a time range. */
export function walkRangeList<T>(
  source: ListSource<T>,
  settings: RangeSettings,
  options: WalkOptions,
): CursorPages<T> {
  return walkCursorList(source, settings, options, walkRange);
}

/** Walks a time range from its beginning, or from the place of a token. */
async function* walkRange<T>(walk: CursorWalk<T>, settings: RangeSettings): CursorPages<T> {
  const { source } = walk;
  const start = readPlace(walk);
  if (start !== undefined && "start" in start) return yield* walkWindows(walk, settings, start);
  let cursor = start?.cursor;
  /** The first page, while the second one is read. */
  let first: RawCursorPage | undefined;
  if (start?.first !== undefined) {
    first = await walk.request({});
    // the items of another first page may not have been delivered
    if (walk.hashOf(first.items) === start.first) walk.takeNew(first.items);
  }
  for (;;) {
    const raw = await requestNext(walk, cursor, first !== undefined);
    if (raw === undefined || (first !== undefined && isSubset(walk, raw, first)))
      return yield* walkWindows(walk, settings, firstWindow(source));
    const next = raw.nextCursor;
    const sent = walk.takeNew(raw.items);
    walk.requireProgress(raw.items, sent, next);
    const isFirst = cursor === undefined;
    const isWindowed = settings.pages === "window" && isFirst && next !== null;
    // a getter, because most tokens are never written
    const following = {
      cursor: next,
      get first() {
        return isFirst ? walk.hashOf(raw.items) : undefined;
      },
    };
    const place = isWindowed ? firstWindow(source) : next === null ? undefined : following;
    yield await walk.build(raw, sent, place);
    walk.last = { cursor };
    if (next === null) return;
    if (isWindowed) return yield* walkWindows(walk, settings, firstWindow(source));
    first = isFirst ? raw : undefined;
    cursor = next;
  }
}

function readPlace(walk: CursorWalk<unknown>): Place | undefined {
  if (walk.place === undefined) return undefined;
  const { cursor, first, start, width } = walk.place;
  if (typeof cursor === "string") return { cursor, first };
  if (typeof start === "number" && typeof width === "number" && width > 0) return { start, width };
  throw invalidToken(walk.source);
}

/** Requests the page of a cursor; undefined if the service rejects the cursor, which the contract does not declare. */
async function requestNext<T>(
  walk: CursorWalk<T>,
  cursor: string | undefined,
  isSecond: boolean,
): Promise<RawCursorPage | undefined> {
  const { extra } = walk.source.query;
  const changes = cursor === undefined ? {} : { extra: { ...(extra as object | undefined), cursor } };
  try {
    return await walk.request(changes);
  } catch (error) {
    if (isSecond && (error as Partial<ApiError> | undefined)?.status === 400) return undefined;
    throw error;
  }
}

/** Whether the response to the first cursor has only items of the first page: the service ignores the cursor. */
function isSubset<T>(walk: CursorWalk<T>, { items }: RawCursorPage, first: RawCursorPage): boolean {
  const known = new Set(walk.keysOf(first.items));
  return items.length > 0 && walk.keysOf(items).every((key) => known.has(key));
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
  walk: CursorWalk<T>,
  { overlap }: RangeSettings,
  place: { start: number; width: number },
): CursorPages<T> {
  const { source } = walk;
  const [from, to] = bounds(source);
  let { start, width } = place;
  for (;;) {
    const end = Math.min(to, start + width);
    // whether a range includes its ends is a gap (time-range.ends), so neighbors share some time
    const window = {
      from: new Date(Math.max(from, start - overlap)).toISOString(),
      to: new Date(Math.min(to, end + overlap)).toISOString(),
    };
    const raw = await walk.request(window);
    if (raw.items.some((item) => source.idOf(item) === undefined))
      throw walk.end(
        "an item may be in two time ranges, and items without an ID cannot be distinguished: set `identify`",
      );
    if (raw.nextCursor !== null) {
      if (width <= overlap)
        throw walk.end(
          `more protocols than a page holds (limit: ${Number(source.query["limit"] ?? source.pageSize)}) are within ${overlap} ms of ${window.from}: ` +
            "use a larger `limit`, or the option timePrecision if the service compares times more precisely",
        );
      width = Math.ceil(width / 2);
      continue;
    }
    const sent = walk.takeNew(raw.items);
    // neighboring windows may have the same items
    walk.requireProgress([], sent);
    const next = end < to ? { start: end, width: Math.min(width * 2, to - end) } : undefined;
    yield await walk.build(raw, sent, next);
    if (next === undefined) return;
    ({ start, width } = next);
  }
}
