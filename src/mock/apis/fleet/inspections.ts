import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import type { FleetRow } from "./data.ts";
import { damagesByInspection, damagesOf, inspectionSummary, inspectionView } from "./inspection-view.ts";
import { addInspection, changeInspection, newInspection } from "./inspection-writes.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import { resourceHandlers } from "./resource-handlers.ts";

/** `GET /inspections` */
const list: FleetHandler = {
  run: (context) => {
    const { data, readings } = context;
    const rows = rowsIn(context, "inspections");
    const damages = damagesByInspection(data);
    const slice = (from: number, to: number) =>
      rows.slice(from, to).map((row) => inspectionSummary(row, damages.get(row.id) ?? [], readings));
    return undocumentedPageResponse(context, { count: rows.count, slice });
  },
};

/** The operations of inspections. */
export const inspections = {
  ...resourceHandlers("inspections", {
    defaults: ({ clock }: FleetContext) => newInspection(clock.now().toISOString()),
    detail: (row, { data, readings }) => inspectionView(row, data, readings),
    summary,
    add: addInspection,
    patch: changeInspection,
  }),
  list,
};

function summary(row: FleetRow, { data, readings }: FleetContext): JsonObject {
  return inspectionSummary(row, damagesOf(row.id, data), readings);
}
