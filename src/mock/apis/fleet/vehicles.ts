import type { FleetHandler } from "./context.ts";
import { deleteRow, dependentIssues } from "./deletions.ts";
import { envelope } from "./envelope.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import {
  addRow,
  createdResponse,
  requireDeletable,
  requireRow,
  replaceRow,
  readRow,
  requireReadable,
} from "./rows.ts";

/** `GET /vehicles` */
export const listVehicles: FleetHandler = {
  run: (context) => undocumentedPageResponse(context, rowsIn(context, "vehicles")),
};

/** `GET /vehicles/{id}` */
export const getVehicle: FleetHandler = {
  find: requireReadable("vehicles"),
  run: (context) => envelope(readRow(context, "vehicles")),
};

/** `POST /vehicles` */
export const createVehicle: FleetHandler = {
  run: (context) => createdResponse(context, addRow(context, "vehicles", context.body)),
};

/** `PUT /vehicles/{id}` */
export const updateVehicle: FleetHandler = {
  find: requireRow("vehicles"),
  run: (context) => envelope(replaceRow(context, "vehicles")),
};

/** `DELETE /vehicles/{id}` */
export const deleteVehicle: FleetHandler = {
  find: requireDeletable("vehicles"),
  check: dependentIssues("vehicles"),
  run: (context) => deleteRow(context, "vehicles"),
};
