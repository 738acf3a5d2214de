import type { JsonObject } from "../../../wire/json.ts";
import type { ListCall, PageApi } from "./list-call.ts";
import type { ListReader } from "./list-reader.ts";
import type { RequestSender } from "./request-record.ts";
import type { Pagination } from "./page.ts";
import type { Drift } from "../options/drift.ts";
import type { SentItem } from "../request/shape.ts";

/** The settings of one walk. */
export interface WalkSettings {
  /** The number of pages that are requested before they are needed. */
  ahead: number;
  /** The consumer reads the items or the pages. */
  unit: "items" | "pages";
  sender: RequestSender;
}

/** Walks the pages, of which there is at least one. Rejects a resume token of another list. */
export type Walk<P> = (settings: WalkSettings) => AsyncGenerator<P, void, void>;

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
