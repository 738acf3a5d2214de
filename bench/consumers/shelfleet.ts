import { FleetClient, StoreClient } from "shelfleet";

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

const store = new StoreClient({ baseUrl: "https://store.example", token: "t" });
const fleet = new FleetClient({ baseUrl: "https://fleet.example/api/third-party/v1", key: "k" });

export async function everyOperation(): Promise<void> {
  await store.stores.list({ limit: 10 });
  await store.stores.get(id);
  await store.stores.upsert(id, { name: "A" });
  await store.contacts.get(id);
  await store.contacts.replace(id, contacts);
  await store.expectations.get(id);
  await store.expectations.replace(id, expectations);
  await store.expositions.get(id);
  await store.expositions.upsert(id, expositions);
  await store.protocols.list(id, range);
  await store.protocols.get(id, id);
  await store.photos.list(id, range);
  await store.fillRates.forStore(id, range);
  await store.fillRates.forExposition(id, id, range);
  await store.fillRates.across(range);
  await fleet.vehicles.list({ limit: 10 });
  await fleet.vehicles.get(id);
  await fleet.vehicles.create(body);
  await fleet.vehicles.update(id, body);
  await fleet.vehicles.delete(id);
  await fleet.vehicleGroups.list({ limit: 10 });
  await fleet.vehicleGroups.get(id);
  await fleet.vehicleGroups.create(body);
  await fleet.vehicleGroups.update(id, body);
  await fleet.vehicleGroups.delete(id);
  await fleet.vehicleFields.list({ limit: 10 });
  await fleet.vehicleFields.listVehicles(id);
  await fleet.inspections.list({ limit: 10 });
  await fleet.inspections.get(id);
  await fleet.inspections.submit(body);
  await fleet.inspections.update(id, body);
  await fleet.inspections.delete(id);
  await fleet.inspectionTemplates.list({ limit: 10 });
  await fleet.inspectionTemplates.get(id);
  await fleet.inspectionTemplates.create(body);
  await fleet.inspectionTemplates.update(id, body);
  await fleet.inspectionTemplates.delete(id);
  await fleet.damages.list({ limit: 10 });
  await fleet.damages.get(id);
  await fleet.damages.create(body);
  await fleet.damages.update(id, body);
  await fleet.damages.delete(id);
  await fleet.driverAssignments.list({ limit: 10 });
  await fleet.driverAssignments.get(id);
  await fleet.driverAssignments.create(body);
  await fleet.driverAssignments.update(id, body);
  await fleet.driverAssignments.release(id);
}
