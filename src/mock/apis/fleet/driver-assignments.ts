import type { FleetHandler } from "./context.ts";
import { deleteRow } from "./deletions.ts";
import { envelope } from "./envelope.ts";
import { patchIssues, withChanges } from "./patches.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import {
  addRow,
  createdResponse,
  requireDeletable,
  requireRow,
  patchRow,
  readRow,
  requireReadable,
} from "./rows.ts";

/** `GET /driver-assignments` */
export const listDriverAssignments: FleetHandler = {
  run: (context) => undocumentedPageResponse(context, rowsIn(context, "driverAssignments")),
};

/** `GET /driver-assignments/{id}` */
export const getDriverAssignment: FleetHandler = {
  find: requireReadable("driverAssignments"),
  run: (context) => envelope(readRow(context, "driverAssignments")),
};

/** `POST /driver-assignments` */
export const createDriverAssignment: FleetHandler = {
  run: (context) => createdResponse(context, addRow(context, "driverAssignments", context.body)),
};

/** `PATCH /driver-assignments/{id}` */
export const updateDriverAssignment: FleetHandler = {
  find: requireRow("driverAssignments"),
  check: patchIssues,
  run: (context) => envelope(patchRow(withChanges(context), "driverAssignments")),
};

/** `DELETE /driver-assignments/{id}` releases the assignment: it is gone, or archived. gap fleet.deleted-resources */
export const releaseDriverAssignment: FleetHandler = {
  find: requireDeletable("driverAssignments"),
  run: (context) => deleteRow(context, "driverAssignments"),
};
