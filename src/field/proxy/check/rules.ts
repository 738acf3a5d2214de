import { type JsonObject, isObject } from "../../../wire/json.ts";
import type { OperationId } from "../../routes.ts";
import type { Fault } from "./finding.ts";

/** The properties that the contract calls ISO 8601. Contract: fleet, section 2. */
const TIMES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getInspection: ["performedAt"],
  listVehicleFields: ["createdAt", "updatedAt"],
};

/** A date, with or without a time and an offset. gap fleet.timestamps */
const ISO_8601 =
  /^\d{4}-?\d\d-?\d\d(?:T(?:[01]\d|2[0-4])(?::?[0-5]\d(?::?(?:[0-5]\d|60)(?:[.,]\d+)?)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** Returns the violations of rules that a schema cannot express. */
export function ruleFaults(operation: OperationId, value: unknown): Fault[] {
  const data = isObject(value) ? value["data"] : undefined;
  const isList = Array.isArray(data);
  const rows: readonly unknown[] = isList ? data : [data];
  const faults = rows.flatMap((row, at) =>
    isObject(row) ? timeFaults(operation, row, isList ? `/${at}` : "") : [],
  );
  return operation === "listVehicleFieldVehicles" ? [...faults, ...repeatFaults(rows)] : faults;
}

function timeFaults(operation: OperationId, row: JsonObject, place: string): Fault[] {
  return (TIMES[operation] ?? []).flatMap((name) => {
    const time = row[name];
    if (typeof time !== "string" || isTime(time)) return [];
    return [{ place: `/data${place}/${name}`, expected: "an ISO 8601 date-time", actual: "another string" }];
  });
}

function isTime(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  // a day that the month does not have is one of the next month, or NaN
  return ISO_8601.test(text) && new Date(`${year}-${month}-${day}`).getUTCDate() === Number(day);
}

/** Contract: fleet, section 4, rule 1. */
function repeatFaults(rows: readonly unknown[]): Fault[] {
  const seen = new Set<unknown>();
  const at = rows.findIndex((row) => {
    const id = isObject(row) ? row["vehicleId"] : undefined;
    return id !== undefined && (seen.has(id) || !seen.add(id));
  });
  if (at < 0) return [];
  return [{ place: `/data/${at}/vehicleId`, expected: "each vehicle once", actual: "a vehicle twice" }];
}
