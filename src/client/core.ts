import type { Operation } from "../wire/operation.ts";
import type { Credential } from "./credential.ts";
import type { ApiError, ApiErrorDetails, Issue } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { Limiter, Places } from "./limiter.ts";
import type { Log } from "./log.ts";
import type { Limits, NotProcessed } from "./options.ts";
import type { Runtime } from "./runtime.ts";
import type { Received } from "./exchange.ts";
import type { Redactor } from "./redaction.ts";
import type { Transport } from "./transport.ts";

/** Validates a value with a generated schema, by the schema's name. */
export type SchemaCheck = (schema: string, value: unknown) => Issue[];

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
  /** The number of responses other than 429. */
  accepted: number;
}

/** What all calls of a client need. It never changes. */
export interface Core {
  readonly name: string;
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
  readonly notProcessed: NotProcessed;
  readonly runtime: Runtime;
  readonly shared: Shared;
  readonly loadSchemas: () => Promise<SchemaCheck>;
  /** Whether a request has the same effect if it is sent twice. */
  readonly mayRepeat: (operation: Operation, path: unknown, body: unknown) => boolean;
  /** Properties of queries whose parameters have other names: in the document, and for the service. */
  readonly parameterNames: Readonly<Record<string, { readonly documented: string; readonly used: string }>>;
  /** Whether every retry of a request ends with the same error response. */
  readonly isPermanent: (received: Received) => boolean;
  /** Creates the error for an error response. `operation` is empty for a request to no documented operation. */
  readonly apiError: (operation: string, details: ApiErrorDetails) => ApiError;
}
