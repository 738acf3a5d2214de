import {
  ConfigurationError,
  FleetApiError,
  InvalidRequestError,
  ScopeError,
  ShelfleetError,
  StoreApiError,
} from "../../src/index.ts";

/** Another worker has continued this job. */
export class StalePositionError extends Error {
  override readonly name = "StalePositionError";
}

/** A response does not have the shape that its rows need. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

/** A state of the service in which the run would lose rows if it continued: it stops. */
export class StopError extends Error {
  override readonly name = "StopError";
}

/** A command of Redis failed. */
export class QueueError extends Error {
  override readonly name = "QueueError";
}

/**
 * The owner of a failure and its effect.
 *
 * - `service`: concerns one store, unless the list of stores fails in the same way.
 * - `queue`, `database`: the worker waits until Redis or PostgreSQL works again; no attempt is counted. `again`: only the
 *   job waits. `data`: PostgreSQL cannot store a row.
 * - `program`: the run stops, because every job would fail.
 * - `other-worker`: the job belongs to another worker now.
 */
export type Failure =
  | { owner: "service"; effect: ServiceEffect }
  | { owner: "queue" }
  | { owner: "database"; effect: "wait" | "again" | "stop" | "data" }
  | { owner: "program" }
  | { owner: "other-worker" };

/**
 * - `missing`: the service says that the store does not exist.
 * - `no-route`: a 404 without the service's own code, such as that of a gateway or of a wrong base URL.
 * - `refused`: 401, 403 or `not_configured`.
 */
type ServiceEffect = "throttled" | "missing" | "no-route" | "refused" | "unavailable" | "failed" | "invalid";

export function classify(error: unknown): Failure {
  let isOfService = false;
  for (const cause of causesOf(error)) {
    if (cause instanceof QueueError) return { owner: "queue" };
    if (cause instanceof StalePositionError) return { owner: "other-worker" };
    isOfService ||= cause instanceof ShelfleetError; // its causes are those of a connection to the service
    const database = isOfService ? undefined : classifyDatabase(cause);
    if (database !== undefined) return database;
  }
  if (error instanceof ShapeError) return { owner: "service", effect: "failed" };
  if (error instanceof ConfigurationError) return { owner: "program" };
  if (error instanceof ShelfleetError) return { owner: "service", effect: effectOf(error) };
  return { owner: "program" };
}

function effectOf(error: ShelfleetError): ServiceEffect {
  if (error instanceof InvalidRequestError) return "invalid";
  if (error instanceof ScopeError) return "refused";
  if (["ConnectionError", "TimeoutError"].includes(error.name)) return "unavailable";
  if (!(error instanceof StoreApiError || error instanceof FleetApiError)) return "failed";
  const { status, code, headers } = error;
  if (status === 401 || status === 403 || code === "not_configured") return "refused";
  if (status === 404 && /^not_found$/i.test(code ?? "")) return "missing";
  if (status === 429 || (status === 503 && headers.has("retry-after"))) return "throttled";
  if (status === 404) return "no-route";
  return status >= 500 ? "unavailable" : "failed";
}

/** PostgreSQL: connection, read only, resources, locks, operator intervention, system error. */
const temporary = /^(08|25|53|55|57|58)/;
/** A transaction that was rolled back because of another one, such as a deadlock. */
const rolledBack = /^40/;
/** Data that PostgreSQL cannot store: wrong values, too large keys. */
const invalidData = /^(22|54)/;

/** The messages of the driver for a connection that is lost, closed or not established in time. */
const lostConnection = /^(connection terminated|timeout (exceeded|expired))|is not queryable$/i;

/** The driver's errors have a SQLSTATE or the code of a system call; it reports a lost connection by message only. */
function classifyDatabase(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? String(error.code) : "";
  if (/^E[A-Z]{3,}$/.test(code) || lostConnection.test(error.message))
    return { owner: "database", effect: "wait" };
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined;
  if (rolledBack.test(code)) return { owner: "database", effect: "again" };
  if (invalidData.test(code)) return { owner: "database", effect: "data" };
  return { owner: "database", effect: temporary.test(code) ? "wait" : "stop" };
}

/** An error and its causes; a client's limiter and hooks may wrap an error. */
function* causesOf(error: unknown): Generator {
  for (let cause = error, depth = 0; cause !== undefined && depth < 5; depth += 1) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
}

/** Returns the message of an error in one line of at most 1,000 characters. */
export function describeError(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error)).slice(0, 1_000);
}

/** Returns text of a service without line breaks, and without characters that a terminal interprets. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
}
