import { isCount } from "../../../wire/exact-numbers.ts";
import { isObject, type JsonObject } from "../../../wire/json.ts";
import type { Drift } from "../options/drift.ts";
import { KeySet } from "./key-set.ts";
import type { Pagination } from "./page.ts";

/** A page of a numbered list, as a pass compares it with the pages before. */
export interface PassPage {
  pagination: Pagination;
  /** One hash for each item. */
  keys: readonly number[];
  /** The ID of each item; null if it has no ID. */
  ids: readonly (string | number | null)[];
  /** Redacts an ID. */
  clean: (text: string) => string;
  /** The page was requested after the previous page had arrived. */
  isSequential: boolean;
}

/** The state of a pass besides its keys. */
interface PassState {
  /** The number of the first page. */
  start: number;
  /** The totals of the last page; undefined before the first one. */
  totalCount?: number;
  totalPages?: number;
  /** The number of items that were created while the pages were read one after the other. */
  created: number;
  /** The number of items that were returned again. */
  repeated: number;
  /** The number of items of a page before the last one; undefined if it is not known. */
  size?: number;
  /** Every item had an ID. */
  hasIds: boolean;
  /** An item that existed before the pass can be missing. */
  isChanged: boolean;
}

/**
 * One pass over a numbered list: it notices changes of the list, and distinguishes those that cannot lose an item. If
 * pages are read one after the other, new items move others to pages that are still to come, so that nothing is lost.
 * Each new item then repeats at most one other. Any other change can lose an item that existed before.
 */
export class Pass {
  readonly #state: PassState;
  /** The items of the pass. */
  readonly keys: KeySet;

  private constructor(state: PassState, keys: KeySet) {
    this.#state = state;
    this.keys = keys;
  }

  /** Begins a pass at the page with this number. */
  static begin(start: number): Pass {
    const state = { start, created: 0, repeated: 0, hasIds: true, isChanged: false };
    return new Pass(state, KeySet.empty());
  }

  /** Reads the state of a resume token; undefined if it is malformed. */
  static read(value: unknown): Pass | undefined {
    if (!isObject(value)) return undefined;
    const { keys: text, ...state } = value;
    const { start, totalCount, totalPages, created, repeated, size = 0, hasIds, isChanged } = state;
    if (!isCount(start, 1)) return undefined;
    if (![totalCount, totalPages, created, repeated, size].every((count) => isCount(count))) return undefined;
    if (typeof hasIds !== "boolean" || typeof isChanged !== "boolean") return undefined;
    const keys = KeySet.read(text);
    return keys && new Pass(state as unknown as PassState, keys); // each property was checked
  }

  get start(): number {
    return this.#state.start;
  }

  /** Whether an item that existed before the pass can be missing. */
  get isChanged(): boolean {
    return this.#state.isChanged;
  }

  get hasIds(): boolean {
    return this.#state.hasIds;
  }

  /** Returns the state for a resume token. */
  serialize(): JsonObject {
    return { ...this.#state, keys: this.keys.serialize() };
  }

  /** Ends the pass before its last page. */
  abandon(): void {
    this.#state.isChanged = true;
  }

  /** Compares a page with the pages before it. Returns the differences, and which of its items are new to the pass. */
  accept(page: PassPage): { drift: Drift[]; isNew: boolean[] } {
    const state = this.#state;
    const totals = this.#compareTotals(page);
    const contradictions = findContradictions(page.pagination);
    if (contradictions.length > 0) state.isChanged = true;
    const sizes = this.#compareSize(page);
    const isNew = page.keys.map((key) => this.keys.add(key));
    const repeated = this.#findRepeated(page, isNew);
    return {
      isNew,
      drift: [...totals, ...contradictions, ...sizes, ...repeated, ...this.#findMissing(page)],
    };
  }

  #compareTotals({ pagination, isSequential }: PassPage): Drift[] {
    const state = this.#state;
    const { currentPage: page, totalCount, totalPages } = pagination;
    const before = { totalCount: state.totalCount ?? totalCount, totalPages: state.totalPages ?? totalPages };
    const created = totalCount - before.totalCount;
    if (created > 0) state.created += created;
    const isGrowth = created > 0 && isSequential && totalPages >= before.totalPages;
    const names = (["totalCount", "totalPages"] as const).filter((name) => before[name] !== pagination[name]);
    if (names.length > 0 && !isGrowth) state.isChanged = true;
    state.totalCount = totalCount;
    state.totalPages = totalPages;
    return names.map((kind): Drift => ({ kind, page, before: before[kind], after: pagination[kind] }));
  }

  #compareSize({ pagination, keys }: PassPage): Drift[] {
    const state = this.#state;
    const { length } = keys;
    const isLast = isLastPage(pagination);
    const { size = length } = state;
    if (!isLast) state.size = size;
    if (isLast ? length <= size : length === size) return [];
    const [count, expected] = [Math.min(length, size), Math.max(length, size)];
    // whether the page lacks items is known after the last page, from the total
    return [{ kind: "short-page", page: pagination.currentPage, count, expected }];
  }

  #findRepeated(page: PassPage, isNew: readonly boolean[]): Drift[] {
    const { pagination, keys, ids, clean, isSequential } = page;
    const state = this.#state;
    if (ids.includes(null)) state.hasIds = false;
    const repeated = ids.filter((_, index) => isNew[index] === false);
    state.repeated += repeated.length;
    const isTwiceOnPage = new Set(keys).size < keys.length;
    const isGrowth = isSequential && !isTwiceOnPage && state.repeated <= state.created;
    if (repeated.length > 0 && !isGrowth) state.isChanged = true;
    return repeated.map((id) => ({
      kind: "repeated-id",
      page: pagination.currentPage,
      id: typeof id === "string" ? clean(id) : id,
    }));
  }

  /** Compares the number of different items with the total of the last page. */
  #findMissing({ pagination }: PassPage): Drift[] {
    if (!isLastPage(pagination)) return [];
    const { start, size, created, repeated } = this.#state;
    if (start > 1 && size === undefined) return []; // the number of items before the first page is not known
    const expected = pagination.totalCount - (start - 1) * (size ?? 0);
    const count = this.keys.size;
    // a new item that was not returned has repeated another one; a total that is too small may hide further pages
    if (count <= expected && count + Math.min(created, repeated) >= expected) return [];
    this.#state.isChanged = true;
    return [{ kind: "missing", page: pagination.currentPage, count, expected }];
  }
}

/** Whether the list has no further page; a page is only the last one if both properties say so. */
export function isLastPage({ currentPage, totalPages, hasNextPage }: Pagination): boolean {
  return !hasNextPage && currentPage >= totalPages;
}

/** Returns the properties that contradict the number of the page or of all pages. */
function findContradictions({ currentPage: page, totalPages, ...flags }: Pagination): Drift[] {
  const { hasNextPage, hasPreviousPage } = flags as { hasNextPage: boolean; hasPreviousPage: unknown }; // only the first one is validated
  const drift: Drift[] = [];
  if (hasNextPage !== page < totalPages) drift.push({ kind: "contradiction", page, property: "hasNextPage" });
  // an empty list may have no previous page, whatever page was requested
  if (typeof hasPreviousPage === "boolean" && hasPreviousPage !== page > 1 && totalPages >= page)
    drift.push({ kind: "contradiction", page, property: "hasPreviousPage" });
  return drift;
}
