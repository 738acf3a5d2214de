import type { JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { Limits } from "./options.ts";

/** What a call needs besides the URL and the body of its request. */
export interface SentRequest {
  readonly operation: Operation;
  /** The IDs in the path. */
  readonly path: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Whether the request has the same effect if it is sent twice. */
  readonly mayRepeat: boolean;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
}
