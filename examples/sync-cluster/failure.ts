import {
  ConfigurationError,
  InvalidRequestError,
  ScopeError,
  ShelfleetError,
  StoreApiError,
} from "../../src/index.ts";
import { StalePlaceError } from "./database/places.ts";

/** The effect of a failure on its job. */
export type Verdict =
  /** For the whole run: no job can succeed. */
  | "stop"
  /** The store is not there any more. */
  | "gone"
  /** Nobody's fault: later, and not counted. */
  | "later"
  /** Tried again, a few times. */
  | "count"
  /** It will be the same however often it is tried. */
  | "bury";

export function judge(error: unknown): Verdict {
  if (error instanceof ConfigurationError || error instanceof ScopeError) return "stop";
  if (error instanceof StoreApiError) return classifyResponse(error);
  if (error instanceof InvalidRequestError) return "bury";
  if (error instanceof StalePlaceError) return "later";
  if (error instanceof ShelfleetError) return "count";
  return classifyError(error);
}

function classifyResponse({ status, code, headers }: StoreApiError): Verdict {
  if (status === 401 || status === 403 || code === "not_configured") return "stop";
  if (status === 404) return "gone";
  if (status === 429 || (status === 503 && headers.has("retry-after"))) return "later";
  return "count";
}

/** PostgreSQL's classes of trouble that passes: connection, rollback, resources, intervention. */
const passing = /^(08|40|53|57)/;
/** Data that it cannot keep. */
const invalidData = /^22/;

function classifyError(error: unknown): Verdict {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (invalidData.test(code)) return "bury";
  const lost = /^E[A-Z]{3,}$/.test(code) || passing.test(code) || /connection/i.test(describeError(error));
  return lost ? "later" : "count";
}

/** Whether it may be the service that is down, rather than a store that is broken. */
export function mayBeOutage(error: unknown): boolean {
  if (error instanceof StoreApiError) return error.status >= 500;
  return error instanceof ShelfleetError && ["ConnectionError", "TimeoutError"].includes(error.name);
}

/** One line, of a length that people read. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, 1_000);
}
