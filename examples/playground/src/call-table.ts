import type { FleetClient, FleetOperationId, StoreClient, StoreOperationId } from "shelfleet";
import type { OperationId } from "shelfleet/mock";

/** What an operation is called in a client. Path ids come in the path's order, then the query or the body. */
interface Call<Method extends string> {
  method: Method;
  /** The client takes this member of the body in place of the body. */
  member?: string;
  /** Query parameters that have another name in the client. */
  names?: Record<string, string>;
  /** Query parameters that are lists in the client and joined by commas on the wire. */
  lists?: string[];
}

/** `stores.get`, `stores.list`, …: every method of every resource, so that the compiler knows a wrong one. */
type MethodOf<Client> = {
  [Resource in Exclude<keyof Client, "raw" | "scopes"> &
    string]: `${Resource}.${keyof Client[Resource] & string}`;
}[Exclude<keyof Client, "raw" | "scopes"> & string];

const storeCalls: Record<StoreOperationId, Call<MethodOf<StoreClient>>> = {
  listStores: { method: "stores.list" },
  getStore: { method: "stores.get" },
  putStore: { method: "stores.upsert" },
  getContacts: { method: "contacts.get" },
  putContacts: { method: "contacts.replace", member: "contacts" },
  getExpectations: { method: "expectations.get" },
  putExpectations: { method: "expectations.replace", member: "expectations" },
  getExpositions: { method: "expositions.get" },
  putExpositions: { method: "expositions.upsert", member: "expositions" },
  listProtocols: { method: "protocols.list" },
  getProtocol: { method: "protocols.get" },
  listPhotos: { method: "photos.list" },
  getStoreFillRates: { method: "fillRates.forStore" },
  getExpositionFillRate: { method: "fillRates.forExposition" },
  getFillRates: { method: "fillRates.across", lists: ["externalIds"] },
};

const fleetCalls: Record<FleetOperationId, Call<MethodOf<FleetClient>>> = {
  listVehicles: { method: "vehicles.list" },
  getVehicle: { method: "vehicles.get" },
  createVehicle: { method: "vehicles.create" },
  updateVehicle: { method: "vehicles.update" },
  deleteVehicle: { method: "vehicles.delete" },
  listVehicleGroups: { method: "vehicleGroups.list" },
  getVehicleGroup: { method: "vehicleGroups.get" },
  createVehicleGroup: { method: "vehicleGroups.create" },
  updateVehicleGroup: { method: "vehicleGroups.update" },
  deleteVehicleGroup: { method: "vehicleGroups.delete" },
  listVehicleFields: { method: "vehicleFields.list" },
  listVehicleFieldVehicles: { method: "vehicleFields.listVehicles" },
  listInspections: { method: "inspections.list" },
  getInspection: { method: "inspections.get" },
  submitInspection: { method: "inspections.submit" },
  updateInspection: { method: "inspections.update" },
  deleteInspection: { method: "inspections.delete" },
  listInspectionTemplates: {
    method: "inspectionTemplates.list",
    names: { vehicleGroupId: "vehicleGroup", search: "title" },
  },
  getInspectionTemplate: { method: "inspectionTemplates.get" },
  createInspectionTemplate: { method: "inspectionTemplates.create" },
  updateInspectionTemplate: { method: "inspectionTemplates.update" },
  deleteInspectionTemplate: { method: "inspectionTemplates.delete" },
  listDamages: { method: "damages.list" },
  getDamage: { method: "damages.get" },
  createDamage: { method: "damages.create" },
  updateDamage: { method: "damages.update" },
  deleteDamage: { method: "damages.delete" },
  listDriverAssignments: { method: "driverAssignments.list" },
  getDriverAssignment: { method: "driverAssignments.get" },
  createDriverAssignment: { method: "driverAssignments.create" },
  updateDriverAssignment: { method: "driverAssignments.update" },
  releaseDriverAssignment: { method: "driverAssignments.release" },
};

/** Each operation and the method of a client that it is: all that this page knows beside the OpenAPI documents. */
export const calls: Record<OperationId, Call<string>> = { ...storeCalls, ...fleetCalls };
