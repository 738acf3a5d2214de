import type { JsonObject } from "../../wire/json.ts";
import type { InvalidRequestError, PaginationError } from "../errors.ts";
import type { ReadResponse, WithResponse } from "../response.ts";
import type { NumberedQuery } from "./query.ts";

/** What the pages of all lists have. */
export interface Page<T, Self> {
  items: T[];
  /** The items as the service sent them, in the same order: before the shape of the client. */
  readonly sent: readonly unknown[];
  /**
   * Continues after this page: save it and pass it to the same list as `{ resume }`. Treat it as opaque. Null after the
   * last page, and in a walk with `verify`.
   */
  readonly resume: string | null;
  /** The whole response as the service sent it. */
  readonly raw: JsonObject;
  /** Returns the page and its HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<Self>>;
}

/** One page of a list whose pages are linked by cursors. */
export interface CursorPage<T> extends Page<T, CursorPage<T>> {
  /**
   * The cursor of the next page as the service sent it. A time range that is read as a whole has none, although others may
   * follow: `resume` is null only after the last page.
   */
  readonly nextCursor: string | null;
}

/** The pagination of a numbered list. Contract: fleet 4. */
export interface Pagination {
  currentPage: number;
  totalPages: number;
  totalCount: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** One page of a numbered list. */
export interface NumberedPage<T, Meta = Record<string, unknown>> extends Page<T, NumberedPage<T, Meta>> {
  /** The position of the page. A list without pages (option `wholeLists`) is its only page. */
  readonly pagination: Pagination;
  /** The envelope's `meta`. */
  readonly meta: Meta;
  /** Changes of the list since the page before. */
  readonly drift: readonly Drift[];
}

/** Options of `pages()` and `items()` of a cursor list. */
export interface PrefetchOptions {
  /** The number of pages that are fetched ahead of the current one (default: 0). */
  prefetch?: number | undefined;
}

/** Options of `pages()` and `items()` of a numbered list. */
export interface ConcurrencyOptions {
  /** The largest number of pages that are requested but not yet delivered (default: 1, each page when it is needed). */
  concurrency?: number | undefined;
}

/** Options of `toArray()`. */
export interface ToArrayOptions {
  /** The largest number of items; a longer list is a `PaginationError` (default: 100 000). `Infinity` disables it. */
  max?: number | undefined;
}

/** A change of a numbered list during a walk. It was noticed on the `page`. */
export type Drift =
  /** The total changed between two pages. */
  | { kind: "totalCount" | "totalPages"; page: number; before: number; after: number }
  /** An item was returned again: another item may be missing. */
  | { kind: "repeated-id"; page: number; id: string }
  /** The pages have another number of different items (`count`) than the last page promised (`expected`). */
  | { kind: "missing"; page: number; count: number; expected: number };

/** Returns the sentence of a log or an error about a change. */
export function describeDrift(drift: Drift): string {
  if (drift.kind === "repeated-id") return `id ${drift.id} was returned again on page ${drift.page}`;
  if (drift.kind === "missing")
    return `the pages have ${drift.count} different items instead of ${drift.expected}`;
  return `the list changed while it was walked: ${drift.kind} was ${drift.before} and is ${drift.after} on page ${drift.page}`;
}

/** The place of the last page that a walk delivered. */
export interface LastPage {
  readonly cursor?: string | undefined;
  readonly page?: number;
}

/** The successful response to the request of one page. */
export interface PageResponse {
  /** The body as the service sent it: lists never change it. */
  readonly json: JsonObject;
  /** The response; its body has been read. */
  readonly response: ReadResponse;
}

/** The properties of a query that control the walk. */
export interface Controls extends Omit<NumberedQuery, "resume"> {
  readonly resume?: string | null;
  readonly identify?: (item: JsonObject) => unknown;
}

/** Returns what a response lacks of the form of a page: such a response is requested again. */
export type FindDefect = (json: JsonObject) => string | undefined;

/** What a list needs of a client: the only connection between lists and requests. */
export interface ListSource<T> {
  /** The operation's ID in the OpenAPI document, e.g. `listStores`. */
  readonly operation: string;
  /** The label for messages, e.g. `GET /v1/stores`. */
  readonly label: string;
  /** The path IDs, to which a resume token belongs. */
  readonly path: Readonly<Record<string, string>>;
  /** The base URL that the list is read from; undefined if it depends on the environment of the key. */
  readonly baseUrl: string | undefined;
  /** The query of the caller, without the properties that control the walk. Undefined values are left out. */
  readonly query: JsonObject;
  /** The query of the caller, whose other properties control the walk. */
  readonly controls: Controls;
  /** Returns the ID of an item as the service sent it; undefined if it has none. */
  readonly idOf: (item: unknown) => string | undefined;
  /** The number of items of a page if the request does not set `limit`; and the largest `limit`. */
  readonly pageSize: number;
  readonly largestPage: number;
  /** Sends the request of a page, with the caller's options. `cancel` ends it without an error event. */
  fetch(query: JsonObject, cancel: AbortSignal | undefined, findDefect?: FindDefect): Promise<PageResponse>;
  /** Parses items with the shape of the client; without one, an item is what the service sent. */
  parse(page: PageResponse, items: readonly unknown[], place: string): Promise<T[]>;
  /** Creates the error for a wrong argument. */
  refuse(path: string, message: string): InvalidRequestError;
  /** Creates the error that ends a walk after the last page that was delivered. */
  end(reason: string, last: LastPage): PaginationError;
}

/** What a list tells its walk. */
export interface WalkOptions {
  /** The number of pages that are requested before they are needed. */
  readonly ahead: number;
  /** Ends the requests of the walk. */
  readonly cancel: AbortSignal;
}

/** Walks a list once, or for one of the passes of `verify`. */
export type WalkList<T, P> = (source: ListSource<T>, options: WalkOptions) => AsyncGenerator<P, void, void>;
