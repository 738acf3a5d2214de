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

/** `GET /vehicle-groups` */
export const listVehicleGroups: FleetHandler = {
  run: (context) => undocumentedPageResponse(context, rowsIn(context, "vehicleGroups")),
};

/** `GET /vehicle-groups/{id}` */
export const getVehicleGroup: FleetHandler = {
  find: requireReadable("vehicleGroups"),
  run: (context) => envelope(readRow(context, "vehicleGroups")),
};

/** `POST /vehicle-groups` */
export const createVehicleGroup: FleetHandler = {
  run: (context) => createdResponse(context, addRow(context, "vehicleGroups", context.body)),
};

/** `PUT /vehicle-groups/{id}` */
export const updateVehicleGroup: FleetHandler = {
  find: requireRow("vehicleGroups"),
  run: (context) => envelope(replaceRow(context, "vehicleGroups")),
};

/** `DELETE /vehicle-groups/{id}` */
export const deleteVehicleGroup: FleetHandler = {
  find: requireDeletable("vehicleGroups"),
  check: dependentIssues("vehicleGroups"),
  run: (context) => deleteRow(context, "vehicleGroups"),
};
