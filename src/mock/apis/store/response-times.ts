import { parseInstant } from "../../../wire/instants.ts";
import type { MockReadings } from "../../server/readings.ts";

/** Returns a row with its date-times in the form of responses. gap date-times.forms */
export function withResponseTimes<Row extends object>(
  row: Row,
  properties: readonly string[],
  readings: MockReadings,
): Row {
  if (readings["date-times.forms"] !== "responses-without-offset") return row;
  const changed: Row = { ...row };
  for (const property of properties) {
    const text = (row as Readonly<Record<string, unknown>>)[property];
    const time = typeof text === "string" ? parseInstant(text) : Number.NaN;
    if (!Number.isNaN(time))
      Object.assign(changed, { [property]: new Date(time).toISOString().slice(0, -1) });
  }
  return changed;
}
