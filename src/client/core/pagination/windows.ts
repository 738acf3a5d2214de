import { isInteger, type JsonObject } from "../../../wire/json.ts";
import { areKeys, type WalkGuard } from "./guard.ts";
import { type CursorResponse, type KeyedItems, withoutKnown } from "./cursor-walk.ts";

/** The time range of a list. */
export interface Bounds {
  /** The ends, as the caller gave them. */
  from: string;
  to: string;
  /** The time that neighboring windows share, in ms. The service may compare times less exactly than they are sent. */
  overlap: number;
}

/** Requests the first page of a range inside the list's own range. */
type RangeRequest = (range: JsonObject) => Promise<CursorResponse>;

/**
 * The time windows of a walk that are still to be read. Adjacent windows overlap, because the contract does not say
 * whether a range includes its ends (gap time-range.ends), and how precisely times are compared (gap
 * time-range.precision).
 */
export interface Windows {
  /** The start of each remaining window, in ms since 1970; null is the start of the list's own range. */
  starts: readonly (number | null)[];
  /** Items of the first page, which were delivered. A window must return each of them again. */
  delivered: readonly number[];
  /** Items of windows that were too full. They were not delivered; a window must return each of them again. */
  expected: readonly number[];
  /** Items of the previous window. */
  recurring: readonly number[];
  /** Whether all items so far have an ID. */
  hasIds: boolean;
}

const maxWindows = 100;

/** Returns the windows of the whole range, which holds more items than the delivered page. */
export function firstWindows(
  { first, uncertain }: { first: readonly number[]; uncertain: readonly number[] },
  bounds: Bounds,
  guard: WalkGuard,
): Windows {
  requireDistinct(first, guard);
  return {
    starts: halve([null], bounds, guard),
    delivered: first,
    expected: [],
    recurring: [],
    hasIds: uncertain.length === 0,
  };
}

/**
 * Reads the next window that holds a new item. A window with more than one page of items is halved and read again, so
 * that neither the order of the responses (gap protocols.order) nor the properties of an item matter.
 */
export async function nextWindow(
  state: Windows,
  bounds: Bounds,
  request: RangeRequest,
  guard: WalkGuard,
): Promise<{ response: CursorResponse; delivered: KeyedItems; rest: Windows | undefined }> {
  const missing = new MissingItems(state);
  let { starts, recurring, hasIds } = state;
  for (;;) {
    const response = await request({ ...firstRange(starts, bounds) });
    const { keys, nextCursor } = response;
    requireDistinct(keys, guard);
    hasIds &&= response.uncertain.length === 0;
    if (nextCursor !== null) {
      missing.expect(keys);
      starts = halve(starts, bounds, guard);
      guard.countIdle();
      continue;
    }
    await checkOverlap({ start: starts[0], before: recurring, keys, hasIds }, bounds.overlap, request, guard);
    const fresh = missing.findFresh(response, recurring);
    starts = starts.slice(1);
    recurring = keys;
    if (starts.length === 0) missing.requireNone(guard);
    if (fresh.keys.length === 0) guard.countIdle();
    else guard.state.idle = 0;
    if (fresh.keys.length > 0 || starts.length === 0)
      return {
        response,
        delivered: fresh,
        rest: starts.length === 0 ? undefined : { starts, recurring, hasIds, ...missing.keys() },
      };
  }
}

/** Reads the windows of a resume token; undefined if they are not inside the list's own range. */
export function readWindows(value: JsonObject, sent: JsonObject): Windows | undefined {
  const { starts, delivered, expected, recurring, hasIds } = value;
  if (!Array.isArray(starts) || starts.length === 0 || starts.length > maxWindows) return undefined;
  const [first, last] = [Date.parse(String(sent.from)), Date.parse(String(sent.to))];
  const isInside = starts.every(
    (start, at) => isInteger(start) && start > (starts[at - 1] ?? first) && start <= last - 2,
  );
  if (!isInside || !areKeys(delivered) || !areKeys(expected) || !areKeys(recurring)) return undefined;
  return typeof hasIds === "boolean" ? { starts, delivered, expected, recurring, hasIds } : undefined;
}

/** Items that were seen and must be returned by a remaining window. */
class MissingItems {
  readonly #delivered: Set<number>;
  readonly #expected: Set<number>;

  constructor({ delivered, expected }: Windows) {
    this.#delivered = new Set(delivered);
    this.#expected = new Set(expected);
  }

  /** The state that a token stores. */
  keys(): { delivered: number[]; expected: number[] } {
    return { delivered: [...this.#delivered], expected: [...this.#expected] };
  }

  /** Remembers the items of a window that was too full. */
  expect(keys: readonly number[]): void {
    for (const key of keys) if (!this.#delivered.has(key)) this.#expected.add(key);
  }

  /** Returns the items that are neither in the previous window nor on the first page. */
  findFresh(response: CursorResponse, recurring: readonly number[]): KeyedItems {
    const fresh = withoutKnown(response, [...recurring, ...this.#delivered]);
    for (const key of response.keys) {
      this.#delivered.delete(key);
      this.#expected.delete(key);
    }
    return fresh;
  }

  /** Rejects items that no window has returned again: others may be missing for the same reason. */
  requireNone(guard: WalkGuard): void {
    const count = this.#expected.size + this.#delivered.size;
    if (count === 0) return;
    throw guard.error(
      `items were not returned again in narrower time ranges (${count}): they were deleted, the service compares times ` +
        'less exactly than the client assumes (set readings: { "time-range.precision": … }), or items without an ID ' +
        "differ between two reads (set `identify`)",
    );
  }
}

/** Rejects equal items if they may be returned twice, because they cannot be distinguished. */
function requireDistinct(keys: readonly number[], guard: WalkGuard): void {
  if (new Set(keys).size === keys.length) return;
  throw guard.error(
    "items of one page have the same ID, or are equal without an ID: set `identify` to distinguish them",
  );
}

/**
 * Checks that the items of two windows can be distinguished: the time that both share is read separately, and must hold exactly the items that are in both. Otherwise two equal items are different ones, or one item differs
 * between two reads. If all items have an ID, this check is only needed for an ID in both windows.
 */
async function checkOverlap(
  {
    start,
    before,
    keys,
    hasIds,
  }: {
    start: number | null | undefined;
    before: readonly number[];
    keys: readonly number[];
    hasIds: boolean;
  },
  width: number,
  request: RangeRequest,
  guard: WalkGuard,
): Promise<void> {
  if (typeof start !== "number" || before.length === 0 || keys.length === 0) return;
  const known = new Set(before);
  const shared = new Set(keys.filter((key) => known.has(key)));
  if (hasIds && shared.size === 0) return;
  const overlap = await request({ from: toInstant(start), to: toInstant(start + width) });
  const isExact = overlap.nextCursor === null && overlap.keys.length === shared.size;
  if (isExact && overlap.keys.every((key) => shared.has(key))) return;
  throw guard.error(
    "items of two time ranges are equal, or differ between two reads: set `identify` to distinguish them",
  );
}

/** Halves the first window. Each half is narrower, and wider than the overlap. */
function halve(
  [start = null, ...others]: readonly (number | null)[],
  bounds: Bounds,
  guard: WalkGuard,
): (number | null)[] {
  const { from, to } = firstRange([start, ...others], bounds);
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (!(last - first > 2 * bounds.overlap)) {
    throw guard.error(
      `more items at one instant (${from} to ${to}) than a page holds: time ranges cannot separate them`,
    );
  }
  return [start, first + Math.floor((last - first) / 2), ...others];
}

function firstRange(
  [start, next]: readonly (number | null)[],
  { from, to, overlap }: Bounds,
): { from: string; to: string } {
  return {
    from: typeof start === "number" ? toInstant(start) : from,
    to: typeof next === "number" ? toInstant(next + overlap) : to,
  };
}

function toInstant(time: number): string {
  return new Date(time).toISOString();
}
