import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { FleetRow } from "./data.ts";
import { rowsIn, undocumentedPage } from "./pages.ts";
import { DAMAGE_SYNONYMS, idOf, INSPECTION_SYNONYMS, stringOf, vehicleIdsOf } from "./references.ts";
import { handlersOf, withElementIds } from "./resources.ts";
import { addRow, patchRow } from "./rows.ts";
import { damagesOf, damageView, inspectionSummary, inspectionView } from "./views.ts";

/** The operations on damages. A PUT keeps the time and the inspection of a damage if its body leaves them out. */
export const damages = handlersOf("damages", {
  defaults: (call) => newDamage(nowOf(call)),
  preserved: ["reportedAt", "inspectionId", "inspection"],
  synonyms: DAMAGE_SYNONYMS,
  detail: damageView,
});

/** The operations on inspections. */
export const inspections = {
  ...handlersOf("inspections", {
    defaults: newInspection,
    synonyms: INSPECTION_SYNONYMS,
    detail: inspectionView,
    summary: (row, call) => inspectionSummary(row, damagesOf(row.id, call.fleet), call),
    add: addInspection,
    patch: changeInspection,
  }),
  list: {
    run: (call: FleetCall) => {
      const rows = rowsIn(call, "inspections");
      const reported = Map.groupBy(call.fleet.damages.values(), (damage) => idOf(damage, "inspection"));
      const summaryOf = (row: FleetRow) => inspectionSummary(row, reported.get(row.id) ?? [], call);
      return undocumentedPage(call, {
        count: rows.count,
        slice: (from, to) => rows.slice(from, to).map(summaryOf),
      });
    },
  },
};

function nowOf({ server }: FleetCall): string {
  return server.clock.now().toISOString();
}

/** Defaults of a new damage; the status is one of the two in the contract. */
function newDamage(reportedAt: unknown): JsonObject {
  return { status: "TO_REPAIR_WARNING", reportedAt, repairedAt: null };
}

/** Defaults of a new inspection; its status is the only one in the contract. */
function newInspection(call: FleetCall): JsonObject {
  return { status: "COMPLETED", performedAt: nowOf(call) };
}

function addInspection(call: FleetCall): FleetRow {
  const { damages: reports, ...properties } = withElementIds(call, "responses");
  const inspection = addRow(call, "inspections", { ...newInspection(call), ...properties });
  reportDamages(call, inspection, objectsIn(reports));
  return inspection;
}

/** Changes an inspection. A damage with the ID of an existing one changes it; any other is added. */
function changeInspection(call: FleetCall): FleetRow {
  const { damages: reports, ...body } = withElementIds(call, "responses");
  const inspection = patchRow({ ...call, body }, "inspections", INSPECTION_SYNONYMS);
  reportDamages(call, inspection, objectsIn(reports));
  return inspection;
}

/** Adds the damages that an inspection reports, to `/damages` or to the inspection. gap inspections.reported-damages */
function reportDamages(call: FleetCall, inspection: FleetRow, reports: readonly JsonObject[]): void {
  const { fleet, is, server } = call;
  if (is("inspections.reported-damages", "embedded")) {
    const initial = newDamage(inspection.performedAt);
    const embedded = reports.map((report) => ({ id: server.ids.uuid(), ...initial, ...report }));
    if (embedded.length > 0) inspection.damages = embedded;
    return;
  }
  for (const report of reports) {
    const known = fleet.damages.get(stringOf(report.id) ?? "");
    if (known !== undefined && idOf(known, "inspection") === inspection.id)
      fleet.damages.set(known.id, { ...known, ...report });
    else reportDamage(call, inspection, report);
  }
}

/** Adds a damage. Defaults: the first vehicle, reported by the person who performed the inspection. */
function reportDamage(call: FleetCall, inspection: FleetRow, { inspection: _, ...report }: JsonObject): void {
  const [vehicleId] = vehicleIdsOf(inspection);
  addRow(call, "damages", {
    ...newDamage(inspection.performedAt),
    ...(idOf(report, "vehicle") === undefined && vehicleId !== undefined && { vehicleId }),
    ...(isObject(inspection.performedBy) && { reportedBy: inspection.performedBy }),
    ...report,
    inspectionId: inspection.id,
  });
}
