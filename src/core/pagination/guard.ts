import { PaginationError } from "../errors/errors.ts";
import { isObject } from "../../internal/json.ts";
import { hash } from "./hash.ts";
import { areKeys, isCount } from "./resume.ts";

/** What a resume token remembers of a walk, to recognize loops across its pieces. */
export interface GuardState {
  /** Hashes of the last cursors. */
  cursors: readonly number[];
  /** The hash of one older cursor: a loop of any length meets it again (Brent's algorithm). */
  anchor: number;
  /** Cursors that were used so far. */
  steps: number;
  /** A hash of the last page with items. */
  page: number;
  /** Requests in a row that returned no new item. */
  idle: number;
}

/** A page as the guard sees it. */
export interface GuardedPage {
  /** The cursor or number that fetched it. */
  at: string | number | undefined;
  /** One hash for each item. */
  keys: readonly number[];
  /** Redacts the secret. */
  clean: (text: string) => string;
  /** Items without an identity may be equal: a repeated page then only counts as one without new items. */
  mayRepeat?: boolean;
}

const rememberedCursors = 64;
const defaultMaxIdle = 1000;
const start: GuardState = { cursors: [], anchor: 0, steps: 0, page: 0, idle: 0 };

/** Notices that a walk repeats itself or makes no progress. */
export class WalkGuard {
  readonly #label: string;
  readonly #maxIdle: number;
  readonly #cursors: Set<number>;
  readonly #pages: Set<number>;
  readonly #recent: number[];
  #state: GuardState;
  #last: { cursor?: string; page?: number } = {};
  #clean = (text: string): string => text;

  constructor(label: string, maxIdle: number = defaultMaxIdle, state: GuardState = start) {
    this.#label = label;
    this.#maxIdle = maxIdle;
    this.#cursors = new Set([...state.cursors, state.anchor]);
    this.#pages = new Set([state.page]);
    this.#recent = [...state.cursors];
    this.#state = state;
  }

  /** What a token remembers. */
  get state(): GuardState {
    return { ...this.#state, cursors: [...this.#recent] };
  }

  /** Checks a cursor before it is sent. */
  enter(cursor: string): void {
    const key = hash(cursor);
    if (this.#cursors.has(key))
      throw this.error("the server returned a cursor for the second time: the walk would not end");
    this.#cursors.add(key);
    this.#recent.push(key);
    if (this.#recent.length > rememberedCursors) this.#recent.shift();
    const steps = this.#state.steps + 1;
    const isPowerOfTwo = (steps & (steps - 1)) === 0;
    this.#state = { ...this.#state, steps, anchor: isPowerOfTwo ? key : this.#state.anchor };
  }

  /** Checks a page before it is delivered. */
  accept({ at, keys, clean, mayRepeat }: GuardedPage): void {
    this.#clean = clean;
    const page = keys.length === 0 ? this.#state.page : hash(keys.join());
    const isNew = keys.length > 0 && !this.#pages.has(page);
    if (keys.length > 0 && !isNew && mayRepeat !== true)
      throw this.error(repeated(at, page === this.#state.page));
    if (!isNew) this.countIdle();
    this.#pages.add(page);
    if (isNew) this.resetIdle();
    this.#state = { ...this.#state, page };
    this.#last = typeof at === "number" ? { page: at } : at === undefined ? {} : { cursor: at };
  }

  /** Counts a request that returned no new item. */
  countIdle(): void {
    const idle = this.#state.idle + 1;
    this.#state = { ...this.#state, idle };
    if (idle < this.#maxIdle) return;
    throw this.error(`${idle} requests in a row returned no new item (the limit is \`maxIdleRequests\`)`);
  }

  resetIdle(): void {
    this.#state = { ...this.#state, idle: 0 };
  }

  error(reason: string): PaginationError {
    const { cursor, page } = this.#last;
    const clean = this.#clean;
    return new PaginationError(this.#label, clean(reason), { cursor: cursor && clean(cursor), page });
  }
}

/** Reads a guard's state out of a token; undefined where it does not fit. */
export function readGuardState(value: unknown): GuardState | undefined {
  if (!isObject(value)) return undefined;
  const { cursors, anchor, steps, page, idle } = value;
  if (!areKeys(cursors) || cursors.length > rememberedCursors) return undefined;
  if (!isCount(anchor) || !isCount(steps) || !isCount(page) || !isCount(idle)) return undefined;
  return { cursors, anchor, steps, page, idle };
}

function repeated(at: string | number | undefined, isLast: boolean): string {
  if (typeof at === "number") return `page ${at} has the items of an earlier page: the walk might not end`;
  return isLast
    ? "the server returned the previous page again: it seems to ignore the cursor"
    : "the server returned an earlier page again: the walk would not end";
}
