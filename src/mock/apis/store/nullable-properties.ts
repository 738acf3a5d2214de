import type { MockReadings } from "../../server/readings.ts";

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
