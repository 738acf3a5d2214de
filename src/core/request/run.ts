import type { Operation, RetryClass } from "../../../generated/operation.ts";
import type { ApiError, ApiErrorDetails, ConnectionError, TimeoutError } from "../errors/errors.ts";
import type { WriteLog } from "../options/log.ts";
import type { Hooks, Limiter, Limits, Runtime } from "../options/options.ts";
import type { Transport } from "../transport/transport.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { Secret } from "./secret.ts";
import type { Slots } from "./slots.ts";

/** A request that has been checked and can be sent any number of times. */
export interface RequestSpec {
  readonly operation: Pick<Operation, "id" | "response" | "responseSchema">;
  /** `GET /v1/stores/{externalId}`, for messages. */
  readonly label: string;
  readonly method: string;
  /** The path as the contract writes it. */
  readonly route: string;
  /** What follows the base URL: the path with its ids, and the query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly retryClass: RetryClass;
  readonly limits: Limits;
  /** How much of the body of a response with an error status is read, in bytes. */
  readonly errorBytes: number;
  /** End the call. */
  readonly signals: readonly AbortSignal[];
  /** Ends the call because nobody waits for it any more, which is not an error. */
  readonly cancel?: AbortSignal | undefined;
}

/** An HTTP response whose body has been read, whatever its status. */
export interface RawResponse {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** Whether the body ended within the limit. */
  complete: boolean;
  /** The platform's own `Response`, where the transport has one. */
  response: Response | undefined;
}

/** An attempt without a response. */
export type Failure = ConnectionError | TimeoutError;

/** How an attempt ended. */
export type Outcome = RawResponse | Failure;

/** What all calls of a client share. */
export interface SendConfig {
  transport: Transport;
  secret: Secret;
  /** The base URL, without a slash at its end; for an API with several, the one of a key. */
  baseUrl: string | ((secret: string) => string);
  headers: Record<string, string>;
  hooks: Hooks;
  limiter: Limiter | undefined;
  /** Bounds the requests in flight. */
  slots?: Slots | undefined;
  /** Bounds the retries of all calls together. */
  budget?: RetryBudget | undefined;
  log?: WriteLog | undefined;
  adapter: ApiAdapter;
  runtime: Runtime;
}

/** One call on its way: what its attempts share. */
export interface Run {
  readonly spec: RequestSpec;
  /** The number of this call among the calls of the client. */
  readonly call: number;
  /** When `totalTimeout` is over, on the monotonic clock. */
  readonly end: number;
  url: string;
  /** The secrets that a function returned for this call, held by the redactor until it ends. */
  readonly secrets: Set<string>;
  /** Requests that were sent. */
  attempts: number;
  /** Attempts that were begun: one may send nothing, if no token comes, or two, if a token is replaced. */
  tries: number;
  /** Whether an earlier attempt may have been processed although its response was lost. */
  mayHaveExecuted: boolean;
}

/** How one API differs from the other. */
export interface ApiAdapter {
  /** The API's own error for an error status. `details.body` may be anything. */
  error: (operation: string, details: ApiErrorDetails) => ApiError;
  /** Whether a response will stay the same however often the request is sent. */
  isPermanent: (response: RawResponse) => boolean;
}
