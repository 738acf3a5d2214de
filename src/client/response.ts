import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import type { CallDetails, Issue, UnexpectedResponseError } from "./errors.ts";
import type { ResponseHeaders } from "./headers.ts";
import type { TransportResponse } from "./transport.ts";

/** A response whose body was read. */
export interface Received extends Omit<TransportResponse, "headers"> {
  readonly headers: ResponseHeaders;
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

/**
 * Returns data with its response.
 * @param body the body, whose `meta` describes the data
 */
export function addResponse<T>(data: T, response: ReadResponse, body: unknown): WithResponse<T> {
  const { meta } = objectOf(body);
  const requestId = response.requestId();
  return isObject(meta) ? { data, response, requestId, meta } : { data, response, requestId };
}

/** The result of one request. The request is sent at once, and only once, however often the result is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the data and the HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}

/** A response and its request, for an error about them. */
export interface ReceivedCall {
  readonly received: Received;
  readonly details: CallDetails;
}

/** A successful response. Every other outcome is thrown. */
export interface HttpResult<Data> {
  /** The body as the service sent it, with its envelope; undefined if it is empty. */
  data: Data;
  response: ReadResponse;
}

/** The response of a call. Its body was read and parsed within the attempt. */
export interface ReadResponse extends ResponseHead {
  readonly ok: true;
  /** Returns the request ID from the headers; undefined without such a header. @internal */
  requestId(): string | undefined;
  /** Creates the error for a response that does not fit. @internal */
  unexpected(summary: string, issues?: readonly Issue[]): UnexpectedResponseError;
}
