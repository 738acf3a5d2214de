// Loaded with the first walk of a time range. It imports only types: modules that it shared with a page would be files of their own.
import type { CursorPages, CursorSettings, CursorWalk, RawCursorPage } from "./cursor.ts";
import type { ApiError } from "../errors.ts";
import type { ListSource } from "./page.ts";

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

/** The next time range. */
interface Window {
  /** The start and the width in ms. */
  readonly start: number;
  readonly width: number;
  /** The number of items that were delivered by cursors, and the hashes of those that have not come again. */
  readonly count: number;
  readonly first: readonly string[];
}

/**
 * The place of a token: the next cursor and whether it is that of the second page, or the next time range. Both come with
 * the hashes of the page before.
 */
type Place = { cursor: string; isSecond: boolean } | Window;

/** The largest number of items by cursor that a walk can leave out when it continues in time ranges. */
const maxFirst = 200;
/** The largest number of items of a window that a token recognizes if they come again. A page of the contract has fewer. */
const maxKnown = 300;

/** Walks a time range from its beginning, or from the place of a token. */
export async function* walkRange<T>(walk: CursorWalk<T>, settings: RangeSettings): CursorPages<T> {
  const place = readPlace(walk);
  if (place !== undefined && "start" in place) return yield* walkWindows(walk, settings, place);
  const delivered = new Delivered(walk, place);
  let cursor = place?.cursor;
  for (;;) {
    const raw = await requestNext(walk, cursor, delivered);
    if (raw === undefined || (settings.pages === "window" && raw.nextCursor !== null))
      return yield* walkWindows(walk, settings, delivered.firstWindow());
    const sent = walk.accept(raw.items, raw.nextCursor);
    delivered.add(raw.items);
    yield await walk.build(raw, sent, walk.placeAfter(raw, { second: cursor === undefined }));
    walk.last = { cursor };
    if (raw.nextCursor === null) return;
    cursor = raw.nextCursor;
  }
}

/** What was delivered by cursors: a walk that continues in time ranges leaves it out. */
class Delivered {
  readonly #walk: CursorWalk<unknown>;
  /** The hashes of all items; undefined if there are too many, or if an earlier process has delivered others. */
  #hashes: readonly string[] | undefined;
  /** The number of pages. */
  #pages: number;

  constructor(walk: CursorWalk<unknown>, place: { isSecond: boolean } | undefined) {
    this.#walk = walk;
    this.#hashes = place?.isSecond === false ? undefined : walk.readHashes("known");
    this.#pages = place === undefined ? 0 : 1;
  }

  /** Whether the walk can continue in time ranges. */
  get isKnown(): boolean {
    return this.#hashes !== undefined;
  }

  /** Whether the walk was resumed at its second page: programs that end after each page would ask twice each time. */
  get isResumedAtSecondPage(): boolean {
    return this.#walk.place !== undefined && this.#pages === 1 && this.isKnown;
  }

  add(items: readonly unknown[]): void {
    this.#pages += 1;
    if (this.#hashes === undefined) return;
    const all = [...this.#hashes, ...this.#walk.hashesOf(items)];
    this.#hashes = this.#pages === 1 || all.length <= maxFirst ? all : undefined;
  }

  /** Whether most items of a page were delivered before. Not all of them, because others may have been created meanwhile. */
  hasMostOf(page: readonly unknown[]): boolean {
    const hashes = new Set(this.#hashes);
    const known = page.filter(
      (item) => this.#walk.has(item) || this.#walk.hashesOf([item]).some((hash) => hashes.has(hash)),
    );
    return known.length > page.length / 2;
  }

  /** The first window is half of the range. */
  firstWindow(): Window {
    const [from, to] = bounds(this.#walk.source);
    const first = this.#hashes ?? [];
    return { start: from, width: Math.max(1, Math.ceil((to - from) / 2)), count: first.length, first };
  }
}

function readPlace(walk: CursorWalk<unknown>): Place | undefined {
  if (walk.place === undefined) return undefined;
  const { cursor, second, start, width, count = 0 } = walk.place;
  if (typeof cursor === "string") return { cursor, isSecond: second === true };
  if (typeof start === "number" && typeof width === "number" && width > 0 && typeof count === "number")
    return { start, width, count, first: walk.readHashes("first") };
  throw walk.invalidToken();
}

/**
 * Requests the page of a cursor; undefined if the service ignores or rejects the cursor, which the contract does not declare. A
 * later page that repeats earlier ones may be an old response, so it is requested twice.
 */
async function requestNext<T>(
  walk: CursorWalk<T>,
  cursor: string | undefined,
  delivered: Delivered,
): Promise<RawCursorPage | undefined> {
  const { extra } = walk.source.query;
  const changes = cursor === undefined ? {} : { extra: { ...(extra as object | undefined), cursor } };
  const isStale = (page: RawCursorPage): boolean => walk.repeats(page) || delivered.hasMostOf(page.items);
  try {
    if (cursor === undefined) return await walk.request(changes);
    const raw = await walk.requestTwice(
      changes,
      (page) => page.isEmptyEnd || (isStale(page) && !delivered.isResumedAtSecondPage),
    );
    return delivered.isKnown && isStale(raw) ? undefined : raw;
  } catch (error) {
    const isRejected = cursor !== undefined && (error as Partial<ApiError> | undefined)?.status === 400;
    if (isRejected && delivered.isKnown) return undefined;
    throw error;
  }
}

function bounds({ query }: ListSource<unknown>): [from: number, to: number] {
  const [from, to] = [query["from"], query["to"]].map((instant) => Date.parse(instant as string));
  return [from, to] as [number, number]; // the first request has checked them
}

function toText(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Walks the range in windows that hold at most one page: one with a cursor is read again with half of its width, the next
 * one after a whole window has twice its width.
 */
async function* walkWindows<T>(
  walk: CursorWalk<T>,
  { overlap }: RangeSettings,
  window: Window,
): CursorPages<T> {
  const { source } = walk;
  const [from, to] = bounds(source);
  const { count } = window;
  let { start, width, first } = window;
  for (;;) {
    const end = Math.min(to, start + width);
    // whether a range includes its ends is a gap (time-range.ends), so neighbors share some time
    const range = {
      // the ends as they were given: a text may have more digits than milliseconds
      from: start - overlap > from ? toText(start - overlap) : source.query["from"],
      to: end + overlap < to ? toText(end + overlap) : source.query["to"],
    };
    const raw = await walk.request(range);
    if (raw.items.some((item) => source.idOf(item) === undefined))
      throw walk.end(
        "an item may be in two time ranges, and items without an ID cannot be distinguished: set `identify`",
      );
    if (raw.nextCursor !== null) {
      if (width <= overlap)
        throw walk.end(
          `more protocols than a page holds (limit: ${Number(source.query["limit"] ?? source.pageSize)}) are within ${overlap} ms of ${toText(start)}: ` +
            "use a larger `limit`, or the option timePrecision if the service compares times more precisely",
        );
      width = Math.ceil(width / 2);
      continue;
    }
    const sent = walk.takeNew(raw.items);
    // neighboring windows may have the same items
    walk.requireProgress([], sent);
    const returned = new Set(first.length > 0 ? walk.hashesOf(raw.items) : []);
    first = first.filter((hash) => !returned.has(hash));
    const isLast = end >= to;
    // single ones may have been deleted
    if (isLast && first.length > count / 2)
      throw walk.end(
        `${first.length} of ${count} items were not returned again in narrower time ranges, so that others are missing as well`,
      );
    const next = { start: end, width: Math.min(width * 2, to - end), count, first };
    yield await walk.build(raw, sent, isLast ? undefined : placeOf(next, walk, raw.items));
    if (isLast) return;
    ({ start, width } = next);
  }
}

/** Returns what writes the place of a token: the window, and the items that it may have again. */
function placeOf(
  { first, ...window }: Window,
  walk: CursorWalk<unknown>,
  items: readonly unknown[],
): () => object {
  const { idle } = walk;
  const known = (): string => walk.hashesOf(items.slice(-maxKnown)).join(" ");
  return () => ({ ...window, first: first.slice(-maxKnown).join(" "), known: known(), idle });
}
