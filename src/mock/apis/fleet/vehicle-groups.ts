import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { rowsIn, unshownPageAnswer } from "./page.ts";
import { added, created, deletable, deleted, known, put, readRow, readable } from "./rows.ts";

/** `GET /vehicle-groups` */
export const listVehicleGroups: FleetHandler = {
  run: (context) => unshownPageAnswer(context, rowsIn(context.data.vehicleGroups)),
};

/** `GET /vehicle-groups/{id}` */
export const getVehicleGroup: FleetHandler = {
  find: readable("vehicleGroups"),
  run: (context) => envelope(readRow(context, "vehicleGroups")),
};

/** `POST /vehicle-groups` */
export const createVehicleGroup: FleetHandler = {
  run: (context) => created(context, added(context, "vehicleGroups", context.body as JsonObject)),
};

/** `PUT /vehicle-groups/{id}` */
export const updateVehicleGroup: FleetHandler = {
  find: known("vehicleGroups"),
  run: (context) => envelope(put(context, "vehicleGroups")),
};

/** `DELETE /vehicle-groups/{id}` */
export const deleteVehicleGroup: FleetHandler = {
  find: deletable("vehicleGroups"),
  run: (context) => deleted(context, "vehicleGroups"),
};
