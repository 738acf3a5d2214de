import type { JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { FindDefect } from "./lists/page.ts";
import type { Limits } from "./options.ts";

/** A request that is sent until its outcome is final: plain data, so that it can be sent again. */
export interface CallRequest {
  readonly operation: Operation;
  /** The IDs in the path. */
  readonly path: JsonObject;
  /** The path and the query, which follow the base URL. */
  readonly target: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Whether the request has the same effect if it is sent twice. */
  readonly mayRepeat: boolean;
  /** Returns what a response lacks of the form that the caller needs. */
  readonly findDefect: FindDefect | undefined;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
}
