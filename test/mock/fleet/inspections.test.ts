import { expect, test } from "vitest";
import type { Damage, Inspection, JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller, ids } from "./fleet-caller.ts";

const read = (caller: FleetCaller, id: unknown) => caller.data<Inspection>(`GET /inspections/${String(id)}`);
const submit = async (caller: FleetCaller, body: JsonObject) =>
  read(caller, (await caller.data("POST /inspections", body)).id);

const PERSON = { id: "u", firstName: "Ada", lastName: "Lis", email: "ada@example.com" };
const BODY = {
  templateId: "template-1",
  vehicleIds: ["vehicle-1", "vehicle-2"],
  performedBy: PERSON,
  performedAt: "2025-12-31T08:00:00+01:00",
  location: { title: "Depot", latitude: 52.23, longitude: 21.01 },
  notes: "In the rain",
  responses: [{ templateItemId: "template-1-item-1", responseText: "true" }],
  damages: [
    { vehicleId: "vehicle-2", description: "Scratch", photoUrl: "/photos/1.jpg", status: "TO_REPAIR_NOT_OK" },
    { description: "Dent" },
  ],
};

test("an inspection contains the template, the user, the vehicles with VIN and all responses (fleet 4)", async () => {
  const caller = new FleetCaller();
  const inspection = await submit(caller, BODY);
  const [, vehicle] = await caller.data<JsonObject[]>("GET /vehicles");
  const { templateId, performedBy, performedAt, location, notes } = BODY;
  expect(inspection).toMatchObject({ templateId, performedBy, performedAt, location, notes });
  expect(inspection.template).toMatchObject({
    id: "template-1",
    title: expect.stringMatching(/./) as string,
  });
  expect(inspection.vehicles[1]).toEqual(vehicle);
  expect(inspection.vehicles[1]?.vin).toMatch(/^[0-9A-HJ-NPR-Z]{17}$/);
  const [response] = inspection.responses;
  const templateItem = { id: "template-1-item-1", inputType: "BOOLEAN", isRequired: true };
  expect(response).toMatchObject({
    templateItem,
    responseText: "true",
    fileUrl: null,
    followUpResponses: null,
  });
});

test("a submitted inspection creates a damage for each report, with its person and time (fleet 4)", async () => {
  const caller = new FleetCaller();
  const { id, damages } = await submit(caller, BODY);
  const reported = { reportedAt: BODY.performedAt, repairedAt: null };
  expect(damages).toMatchObject([
    { ...BODY.damages[0], ...reported },
    { vehicleId: "vehicle-1", description: "Dent", status: "TO_REPAIR_WARNING", ...reported },
  ]);
  const listed = await caller.data<JsonObject[]>("GET /inspections?limit=100");
  expect(listed.find((row) => row.id === id)?.damages).toEqual(damages);
  for (const damage of damages)
    expect(await caller.data(`GET /damages/${String(damage.id)}`)).toMatchObject({
      reportedBy: PERSON,
      inspection: { id },
    });
});

test("an inspection without properties has the current time and empty objects (gap fleet.absent-properties)", async () => {
  const caller = new FleetCaller();
  caller.ref.clock.advance({ days: 1 });
  const { performedAt, template, performedBy, location } = await submit(caller, {});
  expect(performedAt).toBe("2026-01-02T00:00:00.000Z");
  expect([template, performedBy, location]).toEqual([{}, {}, {}]);
});

test("an inspection returns a location and a person as they were written", async () => {
  const body = { location: { lat: 52.23, lon: 21.01 }, performedBy: { id: "user-1", name: "Anna" } };
  expect(await submit(new FleetCaller(), body)).toMatchObject(body);
});

test("the item of a response may be a vehicle field, or the content of the response", async () => {
  const own = { id: "x", label: "Own", inputType: "TEXT", isRequired: true };
  const responses = [{ templateItemId: "field-1" }, { templateItem: own }];
  const inspection = await submit(new FleetCaller(), { responses });
  const [field, other] = inspection.responses.map(({ templateItem }) => templateItem);
  expect(field).toMatchObject({
    id: "field-1",
    label: expect.stringMatching(/./) as string,
    inputType: "SELECT",
  });
  expect(other).toEqual(own);
});

test("vehicles may be objects with an ID, and an unknown vehicle is returned unchanged", async () => {
  const vehicles = [{ id: "vehicle-1" }, "vehicle-2", { plateNumber: "FOREIGN" }];
  const inspection = await submit(new FleetCaller(), { vehicles });
  expect(inspection.vehicles).toMatchObject([
    { id: "vehicle-1", brand: expect.stringMatching(/./) as string },
    { id: "vehicle-2" },
    { plateNumber: "FOREIGN" },
  ]);
});

test("a PATCH changes the properties of its body, under either name of a reference", async () => {
  const caller = new FleetCaller();
  const before = await submit(caller, BODY);
  const patch = async (body: JsonObject) => {
    await caller.data(`PATCH /inspections/${before.id}`, body);
    return read(caller, before.id);
  };
  expect(await patch({ notes: "Dry", status: "REVIEWED" })).toEqual({
    ...before,
    notes: "Dry",
    status: "REVIEWED",
  });
  const changed = await patch({ vehicles: [{ id: "vehicle-7" }], template: { id: "template-2" } });
  expect([ids(changed.vehicles), changed.templateId]).toEqual([["vehicle-7"], "template-2"]);
  expect(ids((await patch({ vehicleIds: ["vehicle-8"] })).vehicles)).toEqual(["vehicle-8"]);
});

test("a PATCH changes a damage of the inspection, and creates a damage for any other ID", async () => {
  const caller = new FleetCaller();
  const { id, damages } = await submit(caller, BODY);
  const [first, second] = damages;
  await caller.data(`PATCH /inspections/${id}`, {
    damages: [
      { id: first?.id, status: "DONE" },
      { id: "damage-1", description: "New" },
    ],
  });
  const after = await read(caller, id);
  expect(after.damages).toMatchObject([{ ...first, status: "DONE" }, second ?? {}, { description: "New" }]);
  expect(after.damages[2]?.id).not.toBe("damage-1");
});

test("a damage contains the vehicle, the people and the inspection that it refers to", async () => {
  const caller = new FleetCaller();
  const inspection = await submit(caller, BODY);
  const { type: _, ...vehicle } = await caller.data("GET /vehicles/vehicle-1");
  const sent = { description: "Dent", photoUrl: "/1.jpg", status: "NEW", reportedBy: PERSON };
  const body = { ...sent, vehicleId: "vehicle-1", assignedTo: PERSON, repairedAt: "2026-01-01T00:00:00Z" };
  const { id } = await caller.data("POST /damages", { ...body, inspectionId: inspection.id });
  const { performedAt, template } = inspection;
  expect(await caller.data(`GET /damages/${String(id)}`)).toEqual({
    ...body,
    id,
    vehicle,
    reportedAt: "2026-01-01T00:00:00.000Z",
    inspection: {
      id: inspection.id,
      performedAt,
      status: "COMPLETED",
      template: { id: template.id, title: template.title },
    },
  });
  expect(ids((await read(caller, inspection.id)).damages)).toContain(id);
});

test.for(["replace", "merge"] as const)(
  "fleet.put: %s keeps the report of a damage, and replaces its vehicle under another name",
  async (reading) => {
    const caller = new FleetCaller({}, { readings: { "fleet.put": reading } });
    const damage = "/damages/damage-1";
    const { reportedAt, inspection, description } = await caller.data<Damage>(`GET ${damage}`);
    await caller.data(`PUT ${damage}`, { vehicle: { id: "vehicle-9" }, status: "DONE" });
    const after = await caller.data<Damage>(`GET ${damage}`);
    const changed = { vehicleId: "vehicle-9", vehicle: { id: "vehicle-9" }, status: "DONE" };
    expect(after).toMatchObject({ ...changed, reportedAt, inspection });
    expect(after.description).toBe(reading === "merge" ? description : undefined);
  },
);
