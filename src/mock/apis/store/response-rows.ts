import type { MockReadings } from "../../server/readings.ts";
import { parseInstant } from "../../../wire/instants.ts";
import type { JsonObject } from "../../../../generated/store.ts";
import type { StoreContext } from "./context.ts";
import { sortedQuery } from "../../../wire/sorted-query.ts";
import type { RecordedRow } from "./data.ts";

/** Removes a null property from rows, under one reading. gap responses.nullable-properties */
export function omitNullProperty<Row extends object>(
  rows: readonly Row[],
  property: keyof Row,
  readings: MockReadings,
): readonly Row[] {
  if (readings["responses.nullable-properties"] === "present") return rows;
  return rows.map((row) => {
    const { [property]: value, ...rest } = row;
    return value === null ? (rest as Row) : row; // a response may lack the property
  });
}

/** Returns a row with its date-times in the form of responses. gap date-times.forms */
export function withResponseTimes<Row extends object>(
  row: Row,
  properties: readonly string[],
  readings: MockReadings,
): Row {
  if (readings["date-times.forms"] !== "responses-without-offset") return row;
  const changed = Object.entries(row).flatMap(([name, text]: [string, unknown]) => {
    const time = properties.includes(name) && typeof text === "string" ? parseInstant(text) : Number.NaN;
    return Number.isNaN(time) ? [] : [[name, new Date(time).toISOString().slice(0, -1)] as const];
  });
  return { ...row, ...Object.fromEntries(changed) };
}

/** Returns the function that writes the URL of each photo or image of one response. gap photos.urls */
export function urlsInResponse({ readings, ids }: StoreContext): (row: JsonObject) => JsonObject {
  const reading = readings["photos.urls"];
  if (reading === "lasting") return (row) => row;
  const signature = reading === "signed" ? ids.uuid() : "";
  return (row) => {
    if (typeof row.url !== "string" || !URL.canParse(row.url)) return row;
    const url = new URL(row.url);
    if (reading === "relative") return { ...row, url: url.pathname + url.search };
    url.searchParams.set("signature", signature);
    return { ...row, url: url.href };
  };
}

/** Returns a function that decides whether a list has a row: as recorded, or otherwise by a filter. */
export function recordedOr<Row extends { readonly $recorded?: RecordedRow }>(
  { query }: StoreContext,
  filter: (row: Row) => boolean,
): (row: Row) => boolean {
  const name = sortedQuery(query);
  return (row) => row.$recorded?.queries[name] ?? filter(row);
}

/** Returns a row of a list as it was recorded, or otherwise in the form of the server. */
export function listForm<Row extends JsonObject & { readonly $recorded?: RecordedRow }>(
  row: Row,
  formOf: (row: Row) => JsonObject,
): JsonObject {
  return row.$recorded?.list ?? formOf(row);
}
