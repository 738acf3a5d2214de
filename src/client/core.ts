import type { Operation } from "../wire/operation.ts";
import type { Credential } from "./credential.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { ApiError, ApiErrorDetails, CallDetails } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { Limiter, Places } from "./limiter.ts";
import type { Log } from "./log.ts";
import type { Limits, Runtime } from "./options.ts";
import type { Redactor } from "../wire/redaction.ts";
import type { Transport } from "./transport.ts";
import type { JsonObject } from "../wire/json.ts";

/** What a client shares with the clients of its `withOptions`. */
export interface Shared {
  /** Limits nothing until the first 429. */
  readonly limiter: Limiter;
  /** Aborted when the client is drained. */
  readonly drain: AbortController;
  /** The number of calls so far; each call has its number. */
  calls: number;
  /** The number of calls that have not settled. */
  pending: number;
  /** Called when it falls to 0. */
  onIdle: (() => void) | undefined;
  /** When the last response other than 429 came, by the monotonic clock. */
  acceptedAt: number;
}

/** What all calls of a client need. It never changes. */
export interface Core {
  /** The operations by method and path, such as `GET /v1/stores`. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly transport: Transport;
  readonly credential: Credential;
  readonly redactor: Redactor;
  /** Returns the base URL for a token or key. */
  readonly baseUrlOf: (secret: string) => string;
  /** The base URL of every request; undefined if it depends on the key. */
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: readonly Hooks[];
  readonly log: Log | undefined;
  /** Limits the requests in flight; undefined without a limit. */
  readonly places: Places | undefined;
  /** Replaces the limiter of `shared`. */
  readonly limiter: Limiter | undefined;
  readonly limits: Limits;
  readonly validate: "envelope" | "full";
  readonly runtime: Runtime;
  readonly shared: Shared;
  readonly loadCheck: () => Promise<ContractCheck>;
  /** Whether a request has the same effect if it is sent twice. */
  readonly mayRepeat: (operation: Operation, path: unknown, body: unknown) => boolean;
  /** Properties of queries whose parameters have other names: in the document, and for the service. */
  readonly parameterNames: Readonly<Record<string, { readonly documented: string; readonly used: string }>>;
  /** Whether every retry of a request ends with the same error response. */
  readonly isPermanent: (received: Received) => boolean;
  /** Creates the error for an error response. `operation` is empty for a request to no documented operation. */
  readonly apiError: (operation: string, details: ApiErrorDetails) => ApiError;
}

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
