import type { JsonObject } from "../../wire/json.ts";
import type { ReadResponse } from "../http.ts";
import type { Shape } from "../shape.ts";
import type { Drift } from "./page.ts";

/** The successful response to the request of one page. */
export interface PageResponse {
  /** The body as the service sent it: lists never change it. */
  readonly json: JsonObject;
  /** The response; its body has been read. */
  readonly response: ReadResponse;
}

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
  /** The properties of the query that control the walk: `resume`, `maxIdleRequests`, `verify`, `identify`, `onDrift`. */
  readonly controls: JsonObject;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** The properties that may hold the ID of an item, the first one that an item has counts. */
  readonly itemId: readonly string[];
  /** The number of items of a page if the request does not set `limit`; and the largest `limit`. */
  readonly pageSize: number;
  readonly largestPage: number;
  /** Parses each item; without a shape, an item is what the service sent. */
  readonly shape: Shape<T> | undefined;
  /** Sends the request of a page, with the caller's options. `cancel` ends it without an error event. */
  fetch(query: JsonObject, cancel: AbortSignal | undefined): Promise<PageResponse>;
  /** Reports a change of a numbered list to the hook `onDrift` and the log. */
  report(drift: Drift, sentence: string): void;
}
