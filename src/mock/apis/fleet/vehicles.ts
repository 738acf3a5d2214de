import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { rowsIn, unshownPageAnswer } from "./page.ts";
import { added, created, deletable, deleted, known, put, readRow, readable } from "./rows.ts";

/** `GET /vehicles` */
export const listVehicles: FleetHandler = {
  run: (context) => unshownPageAnswer(context, rowsIn(context.data.vehicles)),
};

/** `GET /vehicles/{id}` */
export const getVehicle: FleetHandler = {
  find: readable("vehicles"),
  run: (context) => envelope(readRow(context, "vehicles")),
};

/** `POST /vehicles` */
export const createVehicle: FleetHandler = {
  run: (context) => created(context, added(context, "vehicles", context.body as JsonObject)),
};

/** `PUT /vehicles/{id}` */
export const updateVehicle: FleetHandler = {
  find: known("vehicles"),
  run: (context) => envelope(put(context, "vehicles")),
};

/** `DELETE /vehicles/{id}` */
export const deleteVehicle: FleetHandler = {
  find: deletable("vehicles"),
  run: (context) => deleted(context, "vehicles"),
};
