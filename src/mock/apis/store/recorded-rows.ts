import type { JsonObject } from "../../../../generated/store.ts";
import { sortedQuery } from "../../../wire/sorted-query.ts";
import type { StoreContext } from "./context.ts";
import type { RecordedRow } from "./data.ts";

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
