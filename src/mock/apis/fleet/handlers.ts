import type { FleetContext, FleetHandler } from "./context.ts";
import { isObject } from "../../../wire/json.ts";
import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../wire/operation.ts";
import { isUuid } from "../../../wire/uuid.ts";
import { inspectionTemplates } from "./inspection-templates.ts";
import { inspections, newDamage } from "./inspections.ts";
import { DAMAGE_SYNONYMS } from "./rows.ts";
import { resourceHandlers } from "./resource-handlers.ts";
import { listVehicleFields, listVehicleFieldVehicles } from "./vehicle-fields.ts";
import { namesOf, tableOf } from "../../../wire/names.ts";
import { damageView } from "./views.ts";

const NAMES: ReadonlySet<string> = new Set(["photoUrl", "fileUrl", "instructionImageUrl"]);

/** Returns a handler whose responses have the URLs of files in the form of a reading. gap fleet.file-urls */
function withFileUrls(handler: FleetHandler): FleetHandler {
  const run: FleetHandler["run"] = (context) => {
    const response = handler.run(context);
    if (context.readings["fleet.file-urls"] === "lasting" || !isObject(response.body)) return response;
    const { data, ...rest } = response.body;
    return { ...response, body: { data: changeUrls(data, urlChanger(context)), ...rest } };
  };
  return { ...handler, run };
}

function urlChanger({ readings, ids }: FleetContext): (url: URL) => string {
  if (readings["fleet.file-urls"] === "with-key") return (url) => `/files${url.pathname}`;
  const signature = ids.uuid();
  return (url) => {
    url.searchParams.set("signature", signature);
    return url.href;
  };
}

function changeUrls(value: unknown, change: (url: URL) => string): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => changeUrls(element, change));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([name, property]): [string, unknown] => {
    const isUrl = NAMES.has(name) && typeof property === "string" && URL.canParse(property);
    return [name, isUrl ? change(new URL(property)) : changeUrls(property, change)];
  });
  return Object.fromEntries(changed);
}

const vehicles = resourceHandlers("vehicles");
const vehicleGroups = resourceHandlers("vehicleGroups");
const driverAssignments = resourceHandlers("driverAssignments");

/** A PUT keeps the time and the inspection of a damage if its body leaves them out. */
const damages = resourceHandlers("damages", {
  defaults: ({ clock }) => newDamage(clock.now().toISOString()),
  preserved: ["reportedAt", "inspectionId", "inspection"],
  synonyms: DAMAGE_SYNONYMS,
  detail: (row, { data, readings }) => damageView(row, data, readings),
});

type Handlers = Readonly<Record<FleetOperationId, FleetHandler>>;

const handlers: Handlers = {
  listVehicles: vehicles.list,
  getVehicle: vehicles.get,
  createVehicle: vehicles.create,
  updateVehicle: vehicles.replace,
  deleteVehicle: vehicles.delete,
  listVehicleGroups: vehicleGroups.list,
  getVehicleGroup: vehicleGroups.get,
  createVehicleGroup: vehicleGroups.create,
  updateVehicleGroup: vehicleGroups.replace,
  deleteVehicleGroup: vehicleGroups.delete,
  listVehicleFields,
  listVehicleFieldVehicles,
  listInspections: inspections.list,
  getInspection: inspections.get,
  submitInspection: inspections.create,
  updateInspection: inspections.patch,
  deleteInspection: inspections.delete,
  listInspectionTemplates: inspectionTemplates.list,
  getInspectionTemplate: inspectionTemplates.get,
  createInspectionTemplate: inspectionTemplates.create,
  updateInspectionTemplate: inspectionTemplates.replace,
  deleteInspectionTemplate: inspectionTemplates.delete,
  listDamages: damages.list,
  getDamage: damages.get,
  createDamage: damages.create,
  updateDamage: damages.replace,
  deleteDamage: damages.delete,
  listDriverAssignments: driverAssignments.list,
  getDriverAssignment: driverAssignments.get,
  createDriverAssignment: driverAssignments.create,
  updateDriverAssignment: driverAssignments.patch,
  releaseDriverAssignment: driverAssignments.delete,
};

const MALFORMED_ID = { path: "id", message: "must be a UUID", code: "invalid_format" };

/** gap fleet.malformed-ids */
function isMalformed({ params, readings }: FleetContext): boolean {
  return readings["fleet.malformed-ids"] === "invalid" && !isUuid(params.id);
}

/** Checks an ID whose format the contract documents. */
function withIdFormat(id: FleetOperationId, handler: FleetHandler): FleetHandler {
  const { formats }: Operation = fleetOperations[id];
  if (formats?.id === undefined) return handler;
  return {
    ...handler,
    find: (context) => (isMalformed(context) ? undefined : handler.find?.(context)),
    check: (context) => [
      ...(isMalformed(context) ? [MALFORMED_ID] : []),
      ...(handler.check?.(context) ?? []),
    ],
  };
}

/** All operations of the fleet API. */
export const fleetHandlers: Handlers = tableOf(namesOf(handlers), (id) =>
  withFileUrls(withIdFormat(id, handlers[id])),
);
