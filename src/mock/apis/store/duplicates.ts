import type { Issue } from "../../http/api-response.ts";
import type { MockReadings } from "../../server/readings.ts";

/** Returns the identity of an element; elements without an identity are never duplicates. */
export type Identity<Row> = (row: Row) => string | undefined;

/** Returns an issue for each duplicate, if duplicates are rejected. gap lists.duplicates */
export function duplicateIssues<Row>(
  rows: readonly Row[],
  property: string,
  identity: Identity<Row>,
  readings: MockReadings,
): Issue[] {
  if (readings["lists.duplicates"] !== "rejected") return [];
  const firsts = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const name = identity(row);
    const first = name === undefined ? undefined : firsts.get(name);
    if (first !== undefined)
      return [{ path: `${property}.${index}`, message: `is a duplicate of ${property}.${first}` }];
    if (name !== undefined) firsts.set(name, index);
    return [];
  });
}

/** Returns the elements without those that a later duplicate replaces. gap lists.duplicates */
export function withoutDuplicates<Row>(
  rows: readonly Row[],
  identity: Identity<Row>,
  readings: MockReadings,
): Row[] {
  if (readings["lists.duplicates"] !== "last-wins") return [...rows];
  const lasts = new Map(rows.map((row, index) => [identity(row) ?? index, index]));
  return rows.filter((row, index) => lasts.get(identity(row) ?? index) === index);
}
