import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { FleetRow } from "./data.ts";
import { rowsIn, undocumentedPage } from "./pages.ts";
import { handlersOf, withElementIds } from "./resources.ts";
import { addRow, idOf, stringOf, vehicleIdsOf } from "./rows.ts";
import { damagesOf, damageView, inspectionSummary, inspectionView } from "./views.ts";

/** The operations on damages. A PUT keeps the time and the inspection of a damage if its body leaves them out. */
export const damages = handlersOf("damages", {
  defaults: (call) => newDamage(nowOf(call)),
  preserved: ["reportedAt", "inspectionId", "inspection"],
  synonyms: [
    ["vehicleId", "vehicle"],
    ["inspectionId", "inspection"],
  ],
  detail: damageView,
});

/** The operations on inspections. */
export const inspections = {
  ...handlersOf("inspections", {
    // the only status in the contract
    defaults: (call) => ({ status: "COMPLETED", performedAt: nowOf(call) }),
    synonyms: [
      ["templateId", "template"],
      ["vehicleIds", "vehicles"],
    ],
    detail: inspectionView,
    summary: (row, call) => inspectionSummary(row, damagesOf(row.id, call.fleet), call),
    stored: (call, body) => {
      const { damages: _reports, ...properties } = withElementIds(call, body, "responses");
      return properties;
    },
    complete: reportDamages,
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

/** Adds the damages that an inspection reports: gap inspections.reported-damages. One with a known ID changes that damage. */
function reportDamages(call: FleetCall, inspection: FleetRow, body: JsonObject): void {
  for (const report of objectsIn(body.damages)) {
    const known = call.fleet.damages.get(stringOf(report.id) ?? "");
    if (known !== undefined && idOf(known, "inspection") === inspection.id)
      call.fleet.damages.set(known.id, { ...known, ...report });
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
