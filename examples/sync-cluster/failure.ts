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
  /** Stop the run, because no job can succeed. */
  | "stop"
  /** The store was deleted: the job is done. */
  | "gone"
  /** Try again later without counting the attempt. */
  | "later"
  /** Try again and count the attempt. */
  | "count"
  /** Do not try again, because the result would be the same. */
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

/** PostgreSQL's classes of temporary errors: connection, rollback, resources, operator intervention. */
const passing = /^(08|40|53|57)/;
/** The class of data that PostgreSQL cannot store. */
const invalidData = /^22/;

function classifyError(error: unknown): Verdict {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (invalidData.test(code)) return "bury";
  const lost = /^E[A-Z]{3,}$/.test(code) || passing.test(code) || /connection/i.test(describeError(error));
  return lost ? "later" : "count";
}

/** Whether an outage of the service can be the cause, and not only one store. */
export function mayBeOutage(error: unknown): boolean {
  if (error instanceof StoreApiError) return error.status >= 500;
  return error instanceof ShelfleetError && ["ConnectionError", "TimeoutError"].includes(error.name);
}

/** Returns the message of an error in one line of at most 1,000 characters. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, 1_000);
}
