import type { JsonObject } from "../wire/json.ts";
import type { Operation, QueryRules } from "../wire/operation.ts";
import type { Redactor } from "../wire/secret.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { Credential } from "./credential.ts";
import type { ApiError, ApiErrorDetails } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { Limiter, Slots } from "./limiter.ts";
import type { Log } from "./log.ts";
import type { Limits } from "./options.ts";
import type { Received } from "./response.ts";
import type { Runtime } from "./time.ts";
import type { ParameterNames } from "./serialization.ts";
import type { Transport } from "./transport.ts";

/** What a client knows of a response with the status of an error. */
export interface ErrorFacts {
  /** Whether every retry of the request ends with the same response. */
  readonly isPermanent: boolean;
  /** Whether it does not have the form of the contract: it may come from a proxy. */
  readonly isForeign: boolean;
}

/** What a client shares with the clients of its `withOptions`. */
export class Shared {
  /** Limits nothing until the first 429. */
  readonly limiter: Limiter;
  /** When the last response other than 429 came, by the monotonic clock. */
  acceptedAt = 0;
  readonly #drain = new AbortController();
  /** The number of calls so far, and of those that have not settled. */
  #calls = 0;
  #pending = 0;
  /** Called when the last pending call has settled. */
  #onIdle: (() => void)[] = [];

  constructor(limiter: Limiter) {
    this.limiter = limiter;
  }

  /** Aborted when the client is drained. */
  get drained(): AbortSignal {
    return this.#drain.signal;
  }

  /** Counts a call that begins; returns its number. */
  begin(): number {
    this.#pending += 1;
    return (this.#calls += 1);
  }

  /** Counts a call that has settled. */
  end(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }

  /** Ends the waits of a client and of those of its `withOptions`. Resolves when every call has settled. */
  async drain(): Promise<void> {
    this.#drain.abort(new DOMException("The client is drained: it sends no further request", "AbortError"));
    if (this.#pending > 0) await new Promise<void>((resolve) => void this.#onIdle.push(resolve));
  }
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
  readonly slots: Slots | undefined;
  /** Replaces the limiter of `shared`. */
  readonly limiter: Limiter | undefined;
  readonly limits: Limits;
  readonly validate: "envelope" | "full";
  readonly runtime: Runtime;
  readonly shared: Shared;
  /** The query parameters of the operations that have some, by operation ID. */
  readonly queries: Readonly<Record<string, QueryRules>>;
  readonly loadCheck: () => Promise<ContractCheck>;
  /** Whether a PUT or DELETE has the same effect if it is sent twice. */
  readonly mayRepeat: (operation: string, path: JsonObject, body: unknown) => boolean;
  readonly parameterNames: ParameterNames;
  /** Describes a response with the status of an error. */
  readonly describeError: (received: Received) => ErrorFacts;
  /** Creates the error for an error response. */
  readonly apiError: (operation: Operation, details: ApiErrorDetails) => ApiError;
}
