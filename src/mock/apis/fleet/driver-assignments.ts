import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { rowsIn, unshownPageAnswer } from "./page.ts";
import { added, created, deletable, deleted, known, patched, readRow, readable } from "./rows.ts";

/** `GET /driver-assignments` */
export const listDriverAssignments: FleetHandler = {
  run: (context) => unshownPageAnswer(context, rowsIn(context.data.driverAssignments)),
};

/** `GET /driver-assignments/{id}` */
export const getDriverAssignment: FleetHandler = {
  find: readable("driverAssignments"),
  run: (context) => envelope(readRow(context, "driverAssignments")),
};

/** `POST /driver-assignments` */
export const createDriverAssignment: FleetHandler = {
  run: (context) => created(context, added(context, "driverAssignments", context.body as JsonObject)),
};

/** `PATCH /driver-assignments/{id}` */
export const updateDriverAssignment: FleetHandler = {
  find: known("driverAssignments"),
  run: (context) => envelope(patched(context, "driverAssignments")),
};

/** `DELETE /driver-assignments/{id}` releases the assignment: it is gone, or archived. gap fleet.deleted-resources */
export const releaseDriverAssignment: FleetHandler = {
  find: deletable("driverAssignments"),
  run: (context) => deleted(context, "driverAssignments"),
};
