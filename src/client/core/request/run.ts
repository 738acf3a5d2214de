import type { Operation, RetryClass } from "../../../wire/operation.ts";
import type { ConnectionError, TimeoutError } from "../errors/errors.ts";
import type { ApiError, ApiErrorDetails } from "../errors/response-errors.ts";
import type { Log } from "../options/log.ts";
import type { Limiter } from "../options/limiter.ts";
import type { Limits, Runtime } from "../options/options.ts";
import type { Hooks } from "../options/hooks.ts";
import type { Transport, TransportBody, TransportResponse } from "../transport/transport.ts";
import type { Destination, DestinationLock } from "./destination.ts";
import type { Drain } from "./drain.ts";
import type { SchemaCheck } from "./schema-check.ts";
import type { Secret } from "./secret.ts";
import type { Slots } from "./slots.ts";

/** A validated request, which can be sent any number of times. */
export interface RequestSpec {
  readonly operation: Pick<Operation, "id" | "response">;
  /** The label for messages, e.g. `GET /v1/stores/{externalId}`. */
  readonly label: string;
  readonly method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  /** The part of the URL after the base URL: the path and the query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly retryClass: RetryClass;
  readonly limits: Limits;
  /** The largest part of the body of an error response that is read, in bytes. */
  readonly errorBytes: number;
  /** Whether a read follows redirects (default: `follow`). */
  readonly redirect?: "follow" | "manual" | "error";
  /** The destination of the walk that the request belongs to; by default, the call has its own. */
  readonly destination?: DestinationLock | undefined;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
  /** Ends the call if its result is no longer needed, which is not an error. */
  readonly cancel?: AbortSignal | undefined;
}

/** An HTTP response with its body and any status. */
export interface BufferedResponse extends TransportBody {
  status: number;
  /**
   * The transport's response. Some transports convert the headers when they are read, which few calls do. An object
   * literal with a getter for them would stay in memory until a full garbage collection, with its call and its body.
   */
  head: ResponseHead;
}

/** The part of a response that is not its body. */
export type ResponseHead = Pick<TransportResponse, "status" | "headers" | "response">;

/** An attempt without a response. */
export type Failure = ConnectionError | TimeoutError;

/** The result of an attempt. */
export type Outcome = BufferedResponse | Failure;

/** The state that a client shares with the clients of its `withOptions`. */
export interface SharedState {
  /** Limits the requests in flight. */
  slots: Slots | undefined;
  /** Limits nothing until the first 429. */
  limiter: Limiter;
  drain: Drain;
  /** The number of responses other than 429. */
  accepted: number;
}

/**
 * Which responses say that the service did not process the request. gaps errors.store-not-processed,
 * errors.fleet-not-processed
 */
export type RejectionReading = "only-429" | "with-retry-after" | "neither";

/** The configuration that all calls of a client share. */
export interface SendConfig {
  transport: Transport;
  secret: Secret;
  /** The destination of all requests, or a function that returns the one of a key. */
  destination: Destination | ((secret: string) => Destination);
  headers: Record<string, string>;
  hooks: Hooks;
  /** Replaces the limiter of `shared`. */
  limiter: Limiter | undefined;
  shared: SharedState;
  /** Which responses say that the service did not process the request (default: `only-429`). */
  rejection?: RejectionReading | undefined;
  log?: Log | undefined;
  adapter: ApiAdapter;
  runtime: Runtime;
}

/** The configuration with which responses are read. */
export interface ReadConfig {
  adapter: ApiAdapter;
  secret: Secret;
  validate: "envelope" | "full";
  /** Loads the generated schemas. */
  loadSchemas: () => Promise<SchemaCheck>;
}

/** The state of one call, shared by its attempts. */
export interface Run {
  readonly spec: RequestSpec;
  /** The number of this call among the calls of the client. */
  readonly call: number;
  /** Identifies the call in the events of hooks. */
  readonly scope: object;
  /** The deadline of `totalTimeout` on the monotonic clock. */
  readonly end: number;
  /** The destination of the first request, which all other requests have as well. */
  readonly destination: DestinationLock;
  url: string;
  /** The number of requests that were sent. */
  attempts: number;
  /** The number of attempts that failed for another reason than the service's rate limit. */
  failures: number;
  /** The number of responses 429. */
  refusals: number;
  /** When the first of these responses arrived since the service last accepted a request, and `accepted` at that time. */
  refused: { since: number; accepted: number } | undefined;
  /** Whether the same call can be made again after its last outcome. */
  retryable: boolean;
  /** The reason why the last response was not followed by another attempt. */
  obstacle: string | undefined;
  /** The time that the next request has waited for a slot and the limiter, in ms. */
  waited: number;
  /** Whether an earlier attempt may have been executed although its response was lost. */
  mayHaveExecuted: boolean;
}

/** The differences between the two APIs. */
export interface ApiAdapter {
  /** Loads the API's errors and creates one for an error status. `details.body` may be any value. */
  error: (operation: string, details: ApiErrorDetails) => Promise<ApiError>;
  /** Whether a response is the same for every retry. */
  isPermanent: (response: BufferedResponse) => boolean;
}
