import { describe, expect, test } from "vitest";
import type { Damage, Inspection, JsonObject, VehicleField } from "../../../generated/fleet.ts";
import type { FleetOptions, ReferenceServerOptions } from "../../../src/mock/index.ts";
import { FleetCaller, ids, paginationOf, rowsOf } from "./fleet-caller.ts";

const seeded = (fleet: FleetOptions, rest: ReferenceServerOptions = {}) =>
  new FleetCaller({ ...rest, fleet });
const UUID = "11111111-1111-1111-1111-111111111111";

test("the fleet seed is equal for two servers, and different with another seed", () => {
  expect(rowsOf(new FleetCaller())).toEqual(rowsOf(new FleetCaller()));
  expect(rowsOf(new FleetCaller({ seed: 2 }))).not.toEqual(rowsOf(new FleetCaller()));
});

test("the fleet seed does not depend on the order of access or on earlier changes", async () => {
  const one = new FleetCaller();
  const other = new FleetCaller();
  await other.data("getDamage", { id: "damage-40" });
  expect(rowsOf(other)).toEqual(rowsOf(one));
  const changed = new FleetCaller();
  await changed.data("updateInspectionTemplate", { id: "template-1", body: {} });
  await changed.data("deleteVehicle", { id: "vehicle-1" });
  expect([...changed.ref.state.fleet.inspections]).toEqual([...one.ref.state.fleet.inspections]);
});

test("the fleet seed is the same in production and sandbox", () => {
  const { fleet, sandbox } = new FleetCaller().ref.state;
  expect([...sandbox.inspections]).toEqual([...fleet.inspections]);
  expect(sandbox.inspections.get("x")).toBeUndefined();
});

test("the fleet seed has dates only in the 28 days before the server was created", () => {
  const now = "2025-06-01T12:00:00Z";
  const text = JSON.stringify(rowsOf(new FleetCaller({ now })));
  const dates = [...text.matchAll(/"(?:\w+At)":"([^"]+)"/g)].map(([, date = ""]) => Date.parse(date));
  expect(dates.length).toBeGreaterThan(100);
  const end = Date.parse(now);
  expect(dates.every((date) => date >= end - 28 * 86_400_000 && date <= end)).toBe(true);
});

test("the fleet seed has only references to existing rows", async () => {
  const caller = new FleetCaller();
  const { fleet } = caller.ref.state;
  for (const id of fleet.inspections.keys()) {
    const inspection = await caller.data<Inspection>("getInspection", { id });
    expect(fleet.inspectionTemplates.has(inspection.templateId)).toBe(true);
    expect(inspection.vehicles.length).toBeGreaterThan(0);
    for (const vehicle of inspection.vehicles) expect(fleet.vehicles.get(vehicle.id ?? "")).toEqual(vehicle);
    for (const { templateItem } of inspection.responses) expect(templateItem?.label).toMatch(/./);
  }
  for (const id of fleet.damages.keys()) {
    const { vehicleId, inspection } = await caller.data<Damage>("getDamage", { id });
    const inspected = await caller.data<Inspection>("getInspection", { id: inspection?.id ?? "" });
    expect(ids(inspected.vehicles)).toContain(vehicleId);
    expect(ids(inspected.damages)).toContain(id);
  }
  for (const { vehicleId } of fleet.driverAssignments.values()) {
    expect(fleet.vehicles.has(vehicleId as string)).toBe(true);
  }
});

test("the default fleet seed contains every kind of data", async () => {
  const caller = new FleetCaller();
  const fields = await caller.data<VehicleField[]>("listVehicleFields");
  expect(new Set(fields.map(({ hasStatusRule }) => hasStatusRule))).toEqual(new Set([true, false]));
  const statuses = new Set<unknown>();
  for (const { id } of fields) {
    const vehicles = await caller.data<JsonObject[]>("listVehicleFieldVehicles", {
      id,
      query: { limit: 100 },
    });
    expect(vehicles.length).toBeGreaterThan(0);
    expect(new Set(ids(vehicles.map(({ vehicleId }) => ({ id: vehicleId })))).size).toBe(vehicles.length);
    for (const { status } of vehicles) statuses.add(status);
  }
  expect(statuses).toEqual(new Set(["OK", "WARNING", "NOT_OK"]));
  const templates = await caller.data<JsonObject[]>("listInspectionTemplates");
  expect(new Set(templates.map(({ isActive }) => isActive))).toEqual(new Set([true, false]));
  const { inspections, damages } = caller.ref.state.fleet;
  expect([...inspections.values()].some(({ vehicleIds }) => (vehicleIds as unknown[]).length > 1)).toBe(true);
  expect(new Set([...damages.values()].map(({ repairedAt }) => repairedAt === null))).toEqual(
    new Set([true, false]),
  );
});

describe("the seeded numbers of rows", () => {
  test("are those of the options", async () => {
    const caller = seeded({ vehicles: 3, vehicleGroups: 0, vehicleFields: 20, inspections: 7, damages: 1 });
    const count = (name: keyof typeof caller.ref.state.fleet) => caller.ref.state.fleet[name].size;
    expect([count("vehicles"), count("vehicleGroups"), count("vehicleFields")]).toEqual([3, 0, 20]);
    expect([count("inspections"), count("damages")]).toEqual([7, 1]);
    expect(paginationOf(await caller.call("listVehicleFields")).totalCount).toBe(20);
  });

  test("are 0 for rows that need vehicles if there are no vehicles", () => {
    const { fleet } = seeded({ vehicles: 0 }).ref.state;
    expect([fleet.inspections.size, fleet.damages.size, fleet.driverAssignments.size]).toEqual([0, 0, 0]);
    expect(() => seeded({ vehicles: 0, damages: 2 })).toThrow(
      "fleet.damages: 2 cannot be generated without fleet.vehicles",
    );
    expect(() => seeded({ inspectionTemplates: [], inspections: 1 })).toThrow("fleet.inspectionTemplates");
  });

  test("can include damages without inspections", async () => {
    const damage = await seeded({ inspections: 0 }).data<Damage>("getDamage", { id: "damage-1" });
    expect(damage).toMatchObject({ vehicle: { id: damage.vehicleId }, inspection: null });
  });
});

describe("rows that the caller seeds", () => {
  test("are returned unchanged, with a generated ID if they have no ID", async () => {
    const rows = [{ id: "v", colour: "red" }, { plateNumber: "X" }];
    const caller = seeded({ vehicles: rows });
    const listed = await caller.data<JsonObject[]>("listVehicles");
    expect(listed).toEqual([
      rows[0],
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, plateNumber: "X" },
    ]);
    await caller.data("updateVehicle", { id: "v", body: {} });
    expect(rows[0]).toEqual({ id: "v", colour: "red" });
    caller.ref.reset();
    expect(await caller.data("listVehicles")).toEqual(listed);
  });

  test("are restored by reset after a change in the state", async () => {
    const caller = seeded({ vehicles: [{ id: "v", wheels: [1] }] });
    const row = caller.ref.state.fleet.vehicles.get("v") as { wheels: number[] };
    row.wheels.push(2);
    expect(await caller.data("getVehicle", { id: "v" })).toEqual({ id: "v", wheels: [1, 2] });
    caller.ref.reset();
    expect(await caller.data("getVehicle", { id: "v" })).toEqual({ id: "v", wheels: [1] });
    expect(caller.ref.state.sandbox.vehicles.get("v")).toEqual({ id: "v", wheels: [1] });
  });

  test("get no generated damages if they are inspections", async () => {
    const caller = seeded({ inspections: [{ id: UUID }], damages: 30 });
    expect((await caller.data<Inspection>("getInspection", { id: UUID })).damages).toEqual([]);
    expect(caller.ref.state.fleet.damages.size).toBe(30);
  });

  test("are used by generated rows", async () => {
    const caller = seeded({ vehicles: [{ id: "v" }], vehicleFields: [{ id: "f", label: "F" }] });
    const [entry] = await caller.data<JsonObject[]>("listVehicleFieldVehicles", { id: "f" });
    expect(entry?.vehicleId).toBe("v");
    expect(await caller.data("getDamage", { id: "damage-1" })).toMatchObject({ vehicleId: "v" });
  });

  test("can be responses of GET /inspections/{id}, which the server returns again", async () => {
    const source = new FleetCaller();
    const withDamage = [...source.ref.state.fleet.damages.values()][0]?.inspectionId as string;
    const recorded = await source.data<Inspection>("getInspection", { id: withDamage });
    expect(recorded.damages.length).toBeGreaterThan(0);
    const copy = seeded({
      vehicles: 0,
      inspectionTemplates: 0,
      vehicleFields: 0,
      inspections: [recorded],
    });
    expect(await copy.data("getInspection", { id: withDamage })).toEqual(recorded);
  });

  test("can be responses of the other documented GETs, which the server returns again", async () => {
    const source = new FleetCaller();
    const vehicleFields = await source.data<JsonObject[]>("listVehicleFields");
    const inspectionTemplates = await source.data<JsonObject[]>("listInspectionTemplates");
    const damage = await source.data("getDamage", { id: "damage-1" });
    const copy = seeded({
      vehicles: 0,
      vehicleGroups: 0,
      vehicleFields,
      inspectionTemplates: inspectionTemplates.map((template) => ({ ...template, inspectionCount: 0 })),
      damages: [damage],
    });
    expect(await copy.data("listVehicleFields")).toEqual(vehicleFields);
    expect(await copy.data("listInspectionTemplates")).toEqual(
      inspectionTemplates.map((template) => ({ ...template, inspectionCount: 0 })),
    );
    expect(await copy.data("getDamage", { id: "damage-1" })).toEqual(damage);
  });

  const refusals: [FleetOptions, string][] = [
    [{ vehicles: [{}, 7 as unknown as JsonObject] }, "fleet.vehicles[1] must be an object"],
    [{ vehicles: [{ id: 7 }] }, "fleet.vehicles[0].id must be a string"],
    [{ vehicles: [{ id: ".." }] }, "fleet.vehicles[0].id must not be a dot segment"],
    [{ vehicles: [{ id: "" }] }, "fleet.vehicles[0].id must be a non-empty string"],
    [{ vehicleGroups: [{ id: "a" }, { id: "a" }] }, 'fleet.vehicleGroups[1].id: duplicate row "a"'],
    [{ vehicleFields: [{ label: 7 }] }, "fleet.vehicleFields[0].label must be a string"],
    [
      { vehicleFields: [{ options: [{ status: "FINE" }] }] },
      "fleet.vehicleFields[0].options[0].status must be one of OK, WARNING",
    ],
    [{ inspectionTemplates: [{ version: 1.5 }] }, "fleet.inspectionTemplates[0].version must be an integer"],
    [
      { inspectionTemplates: [{ items: [{ inputType: "COLOUR" }] }] },
      "fleet.inspectionTemplates[0].items[0].inputType must be one of TEXT, NUMBER",
    ],
    [{ inspections: [{ id: "17" }] }, "fleet.inspections[0].id must be"],
    [{ inspections: [{ id: UUID, notes: null }] }, "fleet.inspections[0].notes must be a string"],
    [{ inspections: [{ damages: [{}, { status: 1 }] }] }, "fleet.inspections[0].damages"],
    [{ damages: [{ assignedTo: 5 }] }, "fleet.damages[0].assignedTo must be an object"],
  ];
  test.for(refusals)("are rejected with their place: %j", ([fleet, message]) => {
    expect(() => seeded(fleet)).toThrow(message);
  });
});
