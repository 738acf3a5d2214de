import * as fleet from "hey-api/fleet";
import * as store from "hey-api/store";

const id = "11111111-1111-4111-8111-111111111111";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const contacts = [{ name: "A", phone: "1" }];
const expectations = [
  {
    productCategory: null,
    displayType: "FRIDGE_DRINKS",
    weekday: 0,
    protocolTime: "08:00",
    expectedFillRatio: 80,
  } as const,
];
const expositions = [
  { label: "A", productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const },
];
const body = { name: "A" };

export async function everyOperation(): Promise<void> {
  await store.listStores({ query: { limit: 10 } });
  await store.getStore({ path: { externalId: id } });
  await store.putStore({ path: { externalId: id }, body: { name: "A" } });
  await store.getContacts({ path: { externalId: id } });
  await store.putContacts({ path: { externalId: id }, body: { contacts } });
  await store.getExpectations({ path: { externalId: id } });
  await store.putExpectations({ path: { externalId: id }, body: { expectations } });
  await store.getExpositions({ path: { externalId: id } });
  await store.putExpositions({ path: { externalId: id }, body: { expositions } });
  await store.listProtocols({ path: { externalId: id }, query: range });
  await store.getProtocol({ path: { externalId: id, protocolId: id } });
  await store.listPhotos({ path: { externalId: id }, query: range });
  await store.getStoreFillRates({ path: { externalId: id }, query: range });
  await store.getExpositionFillRate({ path: { externalId: id, expositionId: id }, query: range });
  await store.getFillRates({ query: range });
  await fleet.listVehicles({ query: { limit: 10 } });
  await fleet.getVehicle({ path: { id } });
  await fleet.createVehicle({ body });
  await fleet.updateVehicle({ path: { id }, body });
  await fleet.deleteVehicle({ path: { id } });
  await fleet.listVehicleGroups({ query: { limit: 10 } });
  await fleet.getVehicleGroup({ path: { id } });
  await fleet.createVehicleGroup({ body });
  await fleet.updateVehicleGroup({ path: { id }, body });
  await fleet.deleteVehicleGroup({ path: { id } });
  await fleet.listVehicleFields({ query: { limit: 10 } });
  await fleet.listVehicleFieldVehicles({ path: { id } });
  await fleet.listInspections({ query: { limit: 10 } });
  await fleet.getInspection({ path: { id } });
  await fleet.submitInspection({ body });
  await fleet.updateInspection({ path: { id }, body });
  await fleet.deleteInspection({ path: { id } });
  await fleet.listInspectionTemplates({ query: { limit: 10 } });
  await fleet.getInspectionTemplate({ path: { id } });
  await fleet.createInspectionTemplate({ body });
  await fleet.updateInspectionTemplate({ path: { id }, body });
  await fleet.deleteInspectionTemplate({ path: { id } });
  await fleet.listDamages({ query: { limit: 10 } });
  await fleet.getDamage({ path: { id } });
  await fleet.createDamage({ body });
  await fleet.updateDamage({ path: { id }, body });
  await fleet.deleteDamage({ path: { id } });
  await fleet.listDriverAssignments({ query: { limit: 10 } });
  await fleet.getDriverAssignment({ path: { id } });
  await fleet.createDriverAssignment({ body });
  await fleet.updateDriverAssignment({ path: { id }, body });
  await fleet.releaseDriverAssignment({ path: { id } });
}
