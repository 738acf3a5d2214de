// Detects walks that do not end. A server may return a cursor that it has returned before, or the same page for another
// cursor; the walk would then go in a circle. Within one process the guard remembers a hash of each cursor and each page.
// A resume token cannot hold all of them: it holds those of the last 64 pages, which detect short circles, and one older
// cursor, the anchor. It moves to the current cursor at step 1, 2, 4, 8 and so on (Brent's algorithm), so a circle of any length
// meets it after at most three rounds. Pages without a new item are counted: an endless list may have new cursors.

import { ConfigurationError } from "../errors/errors.ts";
import { PaginationError } from "../errors/response-errors.ts";
import { hash } from "../../../wire/hash.ts";
import { isCount, isExactNumber } from "../../../wire/exact-numbers.ts";
import { isObject, type JsonObject } from "../../../wire/json.ts";
import { uuidForm } from "../../../wire/uuid.ts";

/** The part of a walk that a resume token stores, to recognize loops after a resume. */
export interface GuardState {
  /** Hashes of the last cursors and pages, in the property that held only cursors. */
  cursors: number[];
  /** The hash of one older cursor: it detects a loop of any length (Brent's algorithm). */
  anchor: number;
  /** The number of cursors that were used. */
  steps: number;
  /** A hash of the last page with items. */
  page: number;
  /** The number of consecutive requests without a new item. */
  idle: number;
}

/** The properties or the function that distinguish the items of a list. */
export interface Identity {
  /** The properties that may hold the ID; the first one that is present counts. */
  properties: readonly string[];
  /** A function of the caller. */
  identify?: ((item: JsonObject) => unknown) | undefined;
  /** Whether the contract says that the property is an ID. Otherwise equal items may be several (gap protocols.equal-summaries). */
  isDocumented?: boolean;
}

/** One hash for each item of a page. */
export interface ItemKeys {
  keys: number[];
  /**
   * The hashes that may be those of several items: of the content of items that have no ID or share it with another item of
   * the page, and of that ID.
   */
  uncertain: number[];
}

/** A page in the form that the guard checks. */
export interface GuardedPage {
  /** The cursor or number that the page was requested with. */
  at: string | number | undefined;
  keys: readonly number[];
  /** Redacts the secret. */
  clean: (text: string) => string;
  /**
   * Items without an ID may be equal: a repeated page then only counts as a page without new items, unless its cursor
   * was used before.
   */
  mayRepeat?: boolean;
  /** The next cursor in the page. */
  next?: string | null;
}

const usedBefore = "the server returned the same cursor twice: the walk would not end";
const remembered = 128;
const defaultMaxIdle = 1000;
/** No walk has more requests; bit operations count up to it. */
const maxSteps = 2 ** 31 - 1;

const start = { anchor: 0, steps: 0, page: 0, idle: 0 };

/** Detects a walk that repeats itself or makes no progress. */
export class WalkGuard {
  /** The state that a token stores. */
  readonly state: GuardState;
  readonly #label: string;
  readonly #maxIdle: number;
  /** Hashes of cursors and pages. */
  readonly #seen: Set<number>;
  #last: GuardedPage | undefined;

  constructor(label: string, maxIdle?: number, state?: GuardState) {
    this.state = state ?? { cursors: [], ...start };
    this.#label = label;
    this.#maxIdle = maxIdle ?? defaultMaxIdle;
    const { cursors, anchor, page } = this.state;
    this.#seen = new Set([...cursors, anchor, page]);
  }

  /** Checks a cursor before it is sent. */
  enter(cursor: string): void {
    const key = hash(cursor);
    if (this.#seen.has(key)) throw this.error(usedBefore);
    this.#seen.add(key);
    const { state } = this;
    if (state.cursors.push(key) > remembered) state.cursors.shift();
    state.steps += 1;
    const isPowerOfTwo = (state.steps & (state.steps - 1)) === 0;
    if (isPowerOfTwo) state.anchor = key;
  }

  /** Checks a page before it is delivered. */
  accept(page: GuardedPage): void {
    const { keys, mayRepeat, next = null } = page;
    const { state } = this;
    const mark = keys.length === 0 ? state.page : hashKeys(keys);
    const isNew = keys.length > 0 && !this.#seen.has(mark);
    if (keys.length > 0 && !isNew && mayRepeat !== true)
      throw this.error(describeRepetition(mark === state.page));
    this.#last = page;
    // the hash of a page that was returned before may differ, because it had an item twice or is older than a resume
    if (next !== null && this.#seen.has(hash(next))) throw this.error(usedBefore);
    if (isNew) {
      state.idle = 0;
      this.#seen.add(mark);
      if (state.cursors.push(mark) > remembered) state.cursors.shift();
    } else this.countIdle();
    state.page = mark;
  }

  /** Records a page of a numbered list. Returns an error if it has the items of the page before. */
  acceptNumbered(
    page: number,
    keys: readonly number[],
    clean: (text: string) => string,
    isNew: boolean,
  ): PaginationError | undefined {
    const { state } = this;
    const before = state.page;
    if (keys.length > 0) state.page = hashKeys(keys);
    if (isNew) state.idle = 0;
    else this.countIdle();
    const reason = `page ${page} has the items of the previous page: the walk might not end`;
    const repetition = keys.length > 0 && state.page === before ? this.error(reason) : undefined;
    this.#last = { at: page, keys, clean };
    return repetition;
  }

  /** Begins another pass over the list. */
  restart(): void {
    Object.assign(this.state, { cursors: [], ...start });
    this.#seen.clear();
  }

  /** Counts a request that returned no new item. */
  countIdle(): void {
    this.state.idle += 1;
    if (this.state.idle < this.#maxIdle) return;
    throw this.error(
      `${this.state.idle} requests in a row returned no new item (the limit is \`maxIdleRequests\`)`,
    );
  }

  error(reason: string): PaginationError {
    const { at, clean = String } = this.#last ?? {};
    const last = typeof at === "number" ? { page: at } : { cursor: at && clean(at) };
    return new PaginationError(this.#label, clean(reason), last);
  }

  /**
   * Hashes the IDs of items. An item is hashed as a whole, independent of the order of its properties, if it has no ID, or
   * one that occurs twice and may be that of several items.
   * @param shared IDs of several items of the page before
   */
  keysOf(items: readonly unknown[], identity: Identity, shared: readonly unknown[] = []): ItemKeys {
    const ids = items.map((item) => keyOf(item, identity));
    const isCertain = identity.isDocumented === true || identity.identify !== undefined;
    const areDistinct = new Set(ids).size === ids.length && !ids.some((id) => shared.includes(id));
    if (!ids.includes(undefined) && (areDistinct || (isCertain && this.#areIds(ids, items))))
      return { keys: ids as number[], uncertain: [] }; // none of them is undefined
    const uncertain: number[] = [];
    const keys = items.map((item, index) => {
      const id = ids[index];
      if (id !== undefined && !shared.includes(id) && ids.indexOf(id) === ids.lastIndexOf(id)) return id;
      const content = hashJson(item);
      uncertain.push(content);
      if (id !== undefined) uncertain.push(id);
      return content;
    });
    return { keys, uncertain };
  }

  /** Whether items with the same ID are equal. */
  #areIds(ids: readonly (number | undefined)[], items: readonly unknown[]): boolean {
    const contents = items.map((item, index) => `${ids[index]} ${hashJson(item)}`);
    return new Set(contents).size === new Set(ids).size;
  }
}

/** Returns 53 bits of a list of hashes. Their text would take five times as long. */
function hashKeys(keys: readonly number[]): number {
  let high = 0x811c9dc5;
  let low = 0xc9dc5118;
  for (const key of keys) {
    // bit operations take the last 32 bits of a number
    high = Math.imul(high ^ key, 0x01000193) ^ (key / 2 ** 32);
    low = Math.imul(low ^ (key / 2 ** 21), 0x85ebca77) ^ key;
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** Whether a value from a token is a list of hashes. */
export function areKeys(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((key) => Number.isSafeInteger(key) && key >= 0);
}

/** Reads a guard's state from a token; undefined if it is malformed. */
export function readGuardState(value: unknown): GuardState | undefined {
  if (!isObject(value)) return undefined;
  const { cursors, anchor, steps, page, idle } = value;
  if (!areKeys(cursors) || cursors.length > remembered) return undefined;
  if (!areKeys([anchor, page])) return undefined;
  // a negative count would delay the limit
  if (![steps, idle].every((count) => isCount(count) && count <= maxSteps)) return undefined;
  return { cursors, anchor, steps, page, idle } as GuardState; // each number was checked
}

/** Returns the hash of an item's ID with the name of its property; undefined if the item has no ID. */
export function keyOf(item: unknown, { properties, identify }: Identity): number | undefined {
  if (identify !== undefined) {
    // a function that changes its argument changes a copy; a service may return any JSON value
    const id = identify(structuredClone(item) as JsonObject);
    if (typeof id === "string" && id !== "") return hash(id, "identify:");
    throw new ConfigurationError("identify must return a non-empty string");
  }
  for (const property of properties) {
    const id = (item as Partial<JsonObject> | null)?.[property]; // undefined if the item is not an object
    if (!((typeof id === "string" && id !== "") || isExactNumber(id))) continue;
    const text = `${id}`;
    return hash(uuidForm.test(text) ? text.toLowerCase() : text, `${property}:`); // either case is the same UUID
  }
  return undefined;
}

/** Returns a hash of a JSON value, independent of the order of its properties. */
export function hashJson(value: unknown): number {
  return hash(JSON.stringify(value, sortProperties));
}

/** Sorts the properties of each object, as a replacer of `JSON.stringify`. */
function sortProperties(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function describeRepetition(isLast: boolean): string {
  return isLast
    ? "the server returned the previous page again: it seems to ignore the cursor"
    : "the server returned an earlier page again: the walk would not end";
}
