import type { FleetContext, FleetHandler } from "./context.ts";
import type { FleetRow } from "./data.ts";
import { type JsonObject, isObject, objectsIn } from "../../../wire/json.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import { stringOf } from "./properties.ts";
import { addRow, idOf, INSPECTION_SYNONYMS, patchRow, vehicleIdsOf } from "./rows.ts";
import { resourceHandlers } from "./resource-handlers.ts";
import { damagesByInspection, damagesOf, inspectionSummary, inspectionView } from "./views.ts";

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

/** Defaults of a new damage; the status is one of the two in the contract. */
export function newDamage(reportedAt: unknown): JsonObject {
  return { status: "TO_REPAIR_WARNING", reportedAt, repairedAt: null };
}

/** Defaults of a new inspection; its status is the only one in the contract. */
export function newInspection(performedAt: string): JsonObject {
  return { status: "COMPLETED", performedAt };
}

/**
 * Submits an inspection. By default it is performed now and has the status `COMPLETED`, the only one
 * in the contract.
 */
export function addInspection(context: FleetContext): FleetRow {
  const { damages, ...properties } = withResponseIds(context);
  const given = newInspection(context.clock.now().toISOString());
  const inspection = addRow(context, "inspections", { ...given, ...properties });
  reportDamages(context, inspection, objectsIn(damages));
  return inspection;
}

/** Changes an inspection. A damage with the ID of an existing one changes it; any other is added. */
export function changeInspection(context: FleetContext): FleetRow {
  const { damages, ...properties } = withResponseIds(context);
  const inspection = patchRow({ ...context, body: properties }, "inspections", INSPECTION_SYNONYMS);
  if (context.readings["inspections.reported-damages"] === "embedded") {
    reportDamages(context, inspection, objectsIn(damages));
    return inspection;
  }
  for (const report of objectsIn(damages)) {
    const known = context.data.damages.get(stringOf(report.id) ?? "");
    if (known !== undefined && idOf(known, "inspection") === inspection.id) {
      context.data.damages.set(known.id, { ...known, ...report });
    } else reportDamage(context, inspection, report);
  }
  return inspection;
}

/** Adds the damages that an inspection reports, to `/damages` or to the inspection. gap inspections.reported-damages */
function reportDamages(context: FleetContext, inspection: JsonObject, reports: JsonObject[]): void {
  if (context.readings["inspections.reported-damages"] === "created") {
    for (const report of reports) reportDamage(context, inspection, report);
    return;
  }
  const damages = reports.map((report) => ({
    id: context.ids.uuid(),
    ...newDamage(inspection.performedAt),
    ...report,
  }));
  if (damages.length > 0) inspection.damages = damages;
}

/** Adds a damage. Defaults: the first vehicle, reported by the person who performed the inspection. */
function reportDamage(context: FleetContext, inspection: JsonObject, report: JsonObject): void {
  const [vehicleId] = vehicleIdsOf(inspection);
  const { inspection: _, ...properties } = report;
  addRow(context, "damages", {
    ...newDamage(inspection.performedAt),
    ...(idOf(report, "vehicle") === undefined && vehicleId !== undefined && { vehicleId }),
    ...(isObject(inspection.performedBy) && { reportedBy: inspection.performedBy }),
    ...properties,
    inspectionId: inspection.id,
  });
}

function withResponseIds({ body, ids }: FleetContext): JsonObject {
  const given = body;
  if (!Array.isArray(given.responses)) return given;
  const responses = given.responses.map((response: unknown) =>
    isObject(response) && stringOf(response.id) === undefined ? { ...response, id: ids.uuid() } : response,
  );
  return { ...given, responses };
}
