import type { JsonObject } from "../../../wire/json.ts";
import type { ListCall, PageApi } from "./list-call.ts";
import type { ListReader } from "./list-reader.ts";
import type { Pagination } from "./page.ts";
import type { Drift } from "../options/drift.ts";
import type { SentItem } from "../request/shape.ts";

/** The source of a list's pages. */
export interface PageSource<P> {
  call: ListCall;
  /** Undefined for the list of a time range. */
  asSent?: ListAsSent;
  /** Returns the ID of an item as the service sent it. */
  idOf?: (sent: unknown) => string | undefined;
  /** Loads what reads the list. */
  open: () => Promise<ListReader<P>>;
}

/** Opens a list with its items as the service sent them: a mirror and `ensure` read it so. */
export interface ListAsSent {
  /** The properties that may hold the ID of an item. */
  idProperties: readonly string[];
  /** Opens the list again, with another API and query. */
  open(change: { api: PageApi; query: JsonObject }): AsyncIterable<SentItem<unknown>> & {
    pages(): AsyncIterable<SentPage>;
  };
}

/** A page of a list that was opened for a mirror. */
export interface SentPage {
  items: readonly SentItem<unknown>[];
  resume: string | null;
  pagination?: Pagination;
  drift?: readonly Drift[];
}
