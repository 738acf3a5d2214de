import type { JsonObject } from "../../../wire/json.ts";
import type { ListCall, PageApi } from "./list-call.ts";
import type { ListReader } from "./list-reader.ts";
import type { Pagination } from "./page.ts";
import type { Drift } from "../options/drift.ts";
import type { SentItem } from "../request/shape.ts";

/** The source of a list's pages. */
export interface PageSource<P> {
  call: ListCall;
  /** Opens the list again for a mirror; undefined for the list of a time range. */
  mirrored?: MirrorAccess;
  /** Loads what reads the list. */
  open: () => Promise<ListReader<P>>;
}

/** The way in which a mirror reads a list. */
export interface MirrorAccess {
  /** The properties that may hold the ID of an item. */
  idProperties: readonly string[];
  /** Opens the list again, with another API and position, and with its items as the service sent them. */
  open(change: { api: PageApi; position: JsonObject }): {
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
