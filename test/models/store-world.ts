/** The arguments of each operation of the store model. */
import type { Issue, Query, QueryRules } from "./checks.ts";
import {
  type AppliedWrite,
  type Json,
  type JsonObject,
  jsonResponse,
  type ModelResponse,
  type Variant,
} from "./exchange.ts";
import { type DateTimeForm, parseInstant } from "./instants.ts";
import type { StoreReadings } from "./readings.ts";
import type { StoreRecord, StoreState } from "./store-state.ts";

interface StoreRows {
  /** In the order of the list. */
  readonly records: readonly StoreRecord[];
  /** Indexes by external ID. */
  readonly positions: ReadonlyMap<string | null, number>;
}

export interface StoreWorld {
  readonly readings: StoreReadings;
  readonly variant: Variant;
  /** A page holds the whole list. */
  readonly isWhole?: boolean;
  readonly applied: AppliedWrite[];
  state: StoreState;
  /** Microseconds. */
  now(): number;
  /** Stores by external ID. */
  byExternalId: Map<string, StoreRecord>;
  /** The list of stores; undefined after a change of the set of stores. */
  rows: StoreRows | undefined;
}

export interface StoreCall {
  readonly operation: string;
  readonly target: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: JsonObject;
}

/** A call below the path of a store that exists. */
export interface RecordCall extends StoreCall {
  readonly record: StoreRecord;
}

interface OperationFacts {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Its row in the contract lists the status 400. */
  readonly refuses: boolean;
  readonly query?: QueryRules | ((readings: StoreReadings) => QueryRules);
  readonly checkBody?: (body: Json | undefined, world: StoreWorld, path: StoreCall["path"]) => Issue[];
  readonly checkPath?: (path: StoreCall["path"], world: StoreWorld) => Issue[];
}

export interface OperationOnAll extends OperationFacts {
  readonly on: "all";
  run(world: StoreWorld, call: StoreCall): ModelResponse;
}

export interface OperationOnStore extends OperationFacts {
  readonly on: "store";
  /** Anything else that the path names exists. */
  readonly exists?: (world: StoreWorld, record: StoreRecord, path: StoreCall["path"]) => boolean;
  run(world: StoreWorld, call: RecordCall): ModelResponse;
}

export type StoreOperation = OperationOnAll | OperationOnStore;

type ErrorCode = "not_configured" | "unauthorized" | "validation_failed" | "not_found";

const statuses: Record<ErrorCode, number> = {
  validation_failed: 400,
  unauthorized: 401,
  not_found: 404,
  not_configured: 503,
};

export function failure(
  world: StoreWorld,
  code: ErrorCode,
  message: string,
  issues?: readonly Issue[],
): ModelResponse {
  const withIssueCodes = world.readings["errors.issue-codes"] === "given";
  return jsonResponse(statuses[code], {
    error: {
      ...(world.readings["errors.code-presence"] === "present" && { code }),
      message,
      ...(issues && {
        issues: issues.map((issue) => ({
          path: issue.path,
          message: issue.message,
          ...(withIssueCodes && { code: issue.code }),
        })),
      }),
    },
  });
}

export function invalid(world: StoreWorld, path: string, message: string): ModelResponse {
  return failure(world, "validation_failed", "The request is not valid", [
    { path, message, code: "invalid_value" },
  ]);
}

export function success(value: Json): ModelResponse {
  return jsonResponse(200, value);
}

/** The forms of date-times under each reading of `date-times.forms`. */
const dateTimeForms: Record<
  StoreReadings["date-times.forms"],
  { accepted: DateTimeForm; withOffset: boolean }
> = {
  rfc3339: { accepted: "rfc3339", withOffset: true },
  "iso-utc": { accepted: "iso8601", withOffset: true },
  "responses-without-offset": { accepted: "rfc3339", withOffset: false },
};

export function dateTimeForm(readings: StoreReadings): { accepted: DateTimeForm; withOffset: boolean } {
  return dateTimeForms[readings["date-times.forms"]];
}

/** The first value of a parameter that was sent. */
export function parameter(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export function timeRange(query: Query, readings: StoreReadings): TimeRange {
  const form = dateTimeForm(readings).accepted;
  const instant = (name: string): number => parseInstant(parameter(query, name) ?? "", form) ?? Number.NaN;
  return { from: instant("from"), to: instant("to") };
}

const belongs: Record<StoreReadings["time-range.ends"], (at: number, range: TimeRange) => boolean> = {
  "half-open": (at, { from, to }) => at >= from && at < to,
  inclusive: (at, { from, to }) => at >= from && at <= to,
  exclusive: (at, { from, to }) => at > from && at < to,
  "left-open": (at, { from, to }) => at > from && at <= to,
};

/** Whether an instant is in a range. A record without an instant is in no range. */
export function isWithin(
  at: number | null,
  { from, to }: TimeRange,
  { readings, variant }: StoreWorld,
): boolean {
  if (at === null) return false;
  const unit = (variant.precision ?? 0.001) * 1000; // microseconds
  const floor = (micros: number): number => Math.floor(micros / unit) * unit;
  const range = { from: floor(from), to: floor(to) };
  const instant = floor(at);
  if (instant < range.from || instant > range.to) return false; // under every reading
  return belongs[readings["time-range.ends"]](instant, range);
}
