import { type JsonObject, isInteger, isObject, objectOf, objectsIn, parseJson } from "../../../wire/json.ts";
import { isSimilarId } from "../../../wire/similar-id.ts";
import type { CheckedExchange } from "./exchange.ts";
import type { OperationId } from "../../routes.ts";
import type { Fault } from "./finding.ts";
import { type Documented, routeOf } from "./operations.ts";

/** The properties that the contract calls ISO 8601. Contract: fleet, section 2. */
const TIMES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getInspection: ["performedAt"],
  listVehicleFields: ["createdAt", "updatedAt"],
};

/** A date, with or without a time and an offset. gap fleet.timestamps */
const ISO_8601 =
  /^\d{4}-?\d\d-?\d\d(?:T(?:[01]\d|2[0-4])(?::?[0-5]\d(?::?(?:[0-5]\d|60)(?:[.,]\d+)?)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** Returns the violations of rules that a schema cannot express. */
export function ruleFaults(exchange: CheckedExchange, operation: Documented, value: unknown): Fault[] {
  const body = objectOf(value);
  const { data } = body;
  const isList = Array.isArray(data);
  const rows: readonly unknown[] = isList ? data : [data];
  const ofRows = rows.flatMap((row, index) => {
    if (!isObject(row)) return [];
    const place = isList ? `/data/${index}` : "/data";
    const templates = operation.id === "listInspectionTemplates" ? templateFaults(row, place) : [];
    return [...timeFaults(operation.id, row, place), ...templates];
  });
  const repeated = operation.id === "listVehicleFieldVehicles" ? repeatFaults(rows) : [];
  return [
    ...ofRows,
    ...repeated,
    ...idFaults(exchange, operation, body),
    ...(operation.api === "fleet" ? filterFaults(exchange, operation, body, rows) : []),
  ];
}

function otherThanRequested(place: string): Fault {
  return { place, expected: "that of the request", actual: "another one" };
}

/** Finds a response about another entity than that of the path. */
function idFaults(
  { path, requestBody }: CheckedExchange,
  { api, method }: Documented,
  body: JsonObject,
): Fault[] {
  const { data, meta } = body;
  const field = objectOf(objectOf(meta)["field"]);
  const ofFleet = isObject(data) ? (["/data", data] as const) : (["/meta/field", field] as const);
  const [place, entity] = api === "store" ? (["", body] as const) : ofFleet;
  const sent = requestBody.kind === "text" ? objectOf(parseJson(requestBody.text)) : {};
  return Object.entries(routeOf(api, method, path).params).flatMap(([name, requested]) => {
    const id = entity[name];
    if (typeof id !== "string" && typeof id !== "number") return [];
    // gap stores.body-external-id
    const isRequested = [requested, sent[name]].some((requestedId) => isSimilarId(id, requestedId));
    return isRequested ? [] : [otherThanRequested(`${place}/${name}`)];
  });
}

/** Finds rows that a filter leaves out, and a response with another filter. */
function filterFaults(
  exchange: CheckedExchange,
  { query = {} }: Documented,
  { meta }: JsonObject,
  rows: readonly unknown[],
): Fault[] {
  const search = new URLSearchParams(exchange.query);
  const used = objectOf(objectOf(meta)["filters"]);
  return Object.entries(query).flatMap(([name, { type, values, nameGap }]) => {
    const [sent = "", second] = search.getAll(name);
    // gap lists.filters-across-pages
    const isRemembered = !search.has(name) && Number(search.get("page") ?? 1) > 1;
    if (second !== undefined || nameGap !== undefined || isRemembered) return [];
    const filter = used[name];
    if (type === "string" && typeof filter === "string" && !isSimilarId(filter, sent))
      return [otherThanRequested(`/meta/filters/${name}`)];
    const known = values ?? (type === "boolean" ? ["true", "false"] : []);
    const others = known.includes(sent) ? known.filter((value) => value !== sent) : [];
    const index = rows.findIndex((row) => others.includes(String(objectOf(row)[name])));
    return index < 0 ? [] : [otherThanRequested(`/data/${index}/${name}`)];
  });
}

/** Contract: fleet, section 2. */
function templateFaults({ items, itemCount }: JsonObject, place: string): Fault[] {
  const isOther = Array.isArray(items) && isInteger(itemCount) && itemCount !== items.length;
  const index = objectsIn(items).findIndex(
    ({ inputType, options }) => inputType !== "SELECT" && Array.isArray(options) && options.length > 0,
  );
  return [
    ...(isOther
      ? [{ place: `${place}/itemCount`, expected: "the number of items", actual: "another one" }]
      : []),
    ...(index < 0
      ? []
      : [{ place: `${place}/items/${index}/options`, expected: "an empty array", actual: "an array" }]),
  ];
}

function timeFaults(operation: OperationId, row: JsonObject, place: string): Fault[] {
  return (TIMES[operation] ?? []).flatMap((name) => {
    const time = row[name];
    if (typeof time !== "string" || isTime(time)) return [];
    return [{ place: `${place}/${name}`, expected: "an ISO 8601 date-time", actual: "another string" }];
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
  const index = rows.findIndex((row) => {
    const id = isObject(row) ? row["vehicleId"] : undefined;
    return id !== undefined && (seen.has(id) || !seen.add(id));
  });
  if (index < 0) return [];
  return [{ place: `/data/${index}/vehicleId`, expected: "each vehicle once", actual: "a vehicle twice" }];
}
