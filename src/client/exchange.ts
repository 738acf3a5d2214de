import type { JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { CallDetails } from "./errors.ts";
import type { Limits } from "./options.ts";

/** What a call needs besides the URL and the body of its request. */
export interface SentRequest {
  /** The operation of the contract; undefined for a request to no documented one. */
  readonly operation: Operation | undefined;
  readonly method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  /** The IDs in the path. */
  readonly path: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Whether the request has the same effect if it is sent twice. */
  readonly mayRepeat: boolean;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
}

/** A successful response, and the JSON of its body; undefined for an empty one. */
export interface CallResult {
  readonly received: Received;
  readonly json: JsonObject | undefined;
  /** The request, for an error about the response. */
  readonly details: CallDetails;
}

/** A response whose body was read. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Whether the body ended within the limit. */
  readonly complete: boolean;
  readonly url: string;
}

/** The head of a response. Its body has been read. */
export interface ResponseHead {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
}

/** Data and its response. */
export interface WithResponse<T> {
  data: T;
  response: ResponseHead;
  /** The request ID from the response headers; undefined without such a header. */
  requestId: string | undefined;
  /** The envelope's `meta`, if the API has one. */
  meta?: JsonObject | undefined;
}

/** The result of one request. The request is sent at once, and only once, however often the result is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the data and the HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}
