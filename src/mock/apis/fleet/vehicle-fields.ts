import type { JsonObject } from "../../../../generated/fleet.ts";
import { zVehicleFieldEntryListMeta } from "../../../../generated/fleet.schemas.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { entryRows } from "./field-entries.ts";
import { filtersMeta, matches } from "./filters.ts";
import { view } from "./properties.ts";
import { pageResponse, rowsIn } from "./page.ts";
import { requireRow } from "./rows.ts";
import { fieldView, groupsOf } from "./views.ts";

/** `GET /vehicle-fields` */
export const listVehicleFields: FleetHandler = {
  run: (context) => {
    const { data, readings } = context;
    const rows = rowsIn(context, "vehicleFields")
      .slice(0, Infinity)
      .filter((row) => isFound(row, context));
    const slice = (from: number, to: number) =>
      rows.slice(from, to).map((row) => fieldView(row, data, readings));
    return pageResponse(
      context,
      { count: rows.length, slice },
      { filters: filtersMeta(context, ["search"]) },
    );
  },
};

/** `GET /vehicle-fields/{id}/vehicles` */
export const listVehicleFieldVehicles: FleetHandler = {
  find: requireRow("vehicleFields"),
  run: (context) => {
    const { id } = context.params;
    const row = context.data.vehicleFields.get(id) ?? {};
    const field = view(row, zVehicleFieldEntryListMeta.shape.field, "present");
    return pageResponse(context, entryRows(context, { ...row, id }), {
      field,
      filters: filtersMeta(context, ["search", "status"]),
    });
  },
};

function isFound(row: JsonObject, { data, query, readings }: FleetContext): boolean {
  if (query.search === undefined) return true;
  const groups = groupsOf(row, data).map(({ name }) => name);
  return matches(query.search, [row.label, row.description, ...groups], readings);
}
