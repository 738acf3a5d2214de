import { PaginationError } from "./errors/errors.ts";
import type { Drift, Pagination } from "./page.ts";
import { hash } from "./repeat-guard.ts";

/** A thousand empty pages in a row are a server that never ends. */
const longestEmptyRun = 1000;

/** A page's number, totals and items, as the server sent them. */
export interface SentPage {
  pagination: Pagination;
  sent: readonly unknown[];
  /** The ids of its items, as far as they have any. */
  ids: readonly (string | number)[];
}

/** The list that is watched. */
export interface Watched {
  /** `GET /vehicles`, for messages. */
  doing: string;
  /** What becomes of a list that changes while it is walked. */
  onDrift: "report" | "throw";
}

/** What one walk of a numbered list remembers: the page before, and a hash of each page's items. */
export class PageWatch {
  readonly #list: Watched;
  readonly #pages = new Set<number>();
  #before: Pagination | undefined;
  #idsBefore: ReadonlySet<string | number> = new Set();
  #emptyRun = 0;

  constructor(list: Watched) {
    this.#list = list;
  }

  /** Judges a page in its turn, and says how the list changed since the page before. */
  accept(asked: number, { pagination, sent, ids }: SentPage): Drift[] {
    if (pagination.currentPage !== asked) {
      throw this.#error(`page ${asked} was asked for and page ${pagination.currentPage} answered`);
    }
    this.#emptyRun = sent.length === 0 ? this.#emptyRun + 1 : 0;
    if (this.#emptyRun >= longestEmptyRun) throw this.#error(`${longestEmptyRun} empty pages in a row`);
    const content = hash(this.#write(sent));
    if (sent.length > 0 && this.#pages.has(content)) {
      throw this.#error(`page ${asked} has the items of a page before: the walk might not end`);
    }
    const drift = [...this.#changedTotals(pagination), ...this.#repeatedIds(asked, ids)];
    const [first] = drift;
    if (first !== undefined && this.#list.onDrift === "throw") throw this.#error(describe(first));
    this.#pages.add(content);
    this.#before = pagination;
    this.#idsBefore = new Set(ids);
    return drift;
  }

  #changedTotals(now: Pagination): Drift[] {
    const before = this.#before;
    if (before === undefined) return [];
    const kinds = (["totalCount", "totalPages"] as const).filter((kind) => before[kind] !== now[kind]);
    return kinds.map((kind) => ({ kind, page: now.currentPage, before: before[kind], after: now[kind] }));
  }

  #repeatedIds(page: number, ids: readonly (string | number)[]): Drift[] {
    return ids.filter((id) => this.#idsBefore.has(id)).map((id) => ({ kind: "repeated-id", page, id }));
  }

  #write(items: readonly unknown[]): string {
    try {
      return JSON.stringify(items);
    } catch {
      throw this.#error("an item is nested deeper than can be compared with others");
    }
  }

  #error(reason: string): Error {
    return new PaginationError(this.#list.doing, reason, { page: this.#before?.currentPage });
  }
}

function describe(drift: Drift): string {
  const what =
    drift.kind === "repeated-id"
      ? `id ${drift.id} of the page before came again on page ${drift.page}`
      : `${drift.kind} was ${drift.before} and is ${drift.after} on page ${drift.page}`;
  return `the list changed while it was walked: ${what}`;
}
