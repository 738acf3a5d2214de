import { isUuid } from "../../../wire/uuid.ts";
import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { deleteRow } from "./deletions.ts";
import { envelope } from "./envelope.ts";
import { damagesByInspection, damagesOf, inspectionSummary, inspectionView } from "./inspection-view.ts";
import { changeInspection, addInspection } from "./inspection-writes.ts";
import { patchIssues, withChanges } from "./patches.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import { createdResponse, requireDeletable, requireRow, readRow, requireReadable } from "./rows.ts";

/** `GET /inspections` */
export const listInspections: FleetHandler = {
  run: (context) => {
    const { data, readings } = context;
    const rows = rowsIn(context, "inspections");
    const damages = damagesByInspection(data);
    const slice = (from: number, to: number) =>
      rows
        .slice(from, to)
        .map((row) => inspectionSummary(row, damages.get(row.id as string) ?? [], readings));
    return undocumentedPageResponse(context, { count: rows.count, slice });
  },
};

/** `GET /inspections/{id}` */
export const getInspection: FleetHandler = {
  find: skipForMalformedId(requireReadable("inspections")),
  check: checkId,
  run: (context) => {
    const row = readRow(context, "inspections") ?? {};
    return envelope(inspectionView(row, context.data, context.readings));
  },
};

/** `POST /inspections` */
export const submitInspection: FleetHandler = {
  run: (context) => createdResponse(context, summary(addInspection(context), context)),
};

/** `PATCH /inspections/{id}` */
export const updateInspection: FleetHandler = {
  find: skipForMalformedId(requireRow("inspections")),
  check: (context) => [...checkId(context), ...patchIssues(context)],
  run: (context) => envelope(summary(changeInspection(withChanges(context)), context)),
};

/** `DELETE /inspections/{id}` */
export const deleteInspection: FleetHandler = {
  find: skipForMalformedId(requireDeletable("inspections")),
  check: checkId,
  run: (context) => deleteRow(context, "inspections"),
};

function summary(row: Record<string, unknown>, { data, readings }: FleetContext) {
  return inspectionSummary(row, damagesOf(row.id as string, data), readings);
}

/** Only the ID of an inspection has a documented format. gap fleet.malformed-ids */
function isMalformedId({ params, readings }: FleetContext): boolean {
  return readings["fleet.malformed-ids"] === "invalid" && !isUuid(params.id);
}

function checkId(context: FleetContext): Issue[] {
  return isMalformedId(context) ? [{ path: "id", message: "must be a UUID", code: "invalid_format" }] : [];
}

function skipForMalformedId(
  find: (context: FleetContext) => ApiResponse | undefined,
): (context: FleetContext) => ApiResponse | undefined {
  return (context) => (isMalformedId(context) ? undefined : find(context));
}
