import { describe, expect, test } from "vitest";
import type { Damage, Inspection, JsonObject, VehicleField } from "../../../generated/fleet.ts";
import type { FleetOptions } from "../../../src/mock/index.ts";
import { FleetCaller, ids } from "./fleet-caller.ts";

const UUID = "11111111-1111-1111-1111-111111111111";

test("the fleet seed does not depend on the order of access or on earlier changes", async () => {
  const caller = new FleetCaller();
  await caller.data("GET /damages/damage-40");
  await caller.data("PUT /inspection-templates/template-1", {});
  await caller.data("DELETE /vehicles/vehicle-1");
  const { fleet, sandbox } = caller.ref.state;
  expect([...fleet.inspections]).toEqual([...new FleetCaller().ref.state.fleet.inspections]);
  expect([...sandbox.inspections]).toEqual([...fleet.inspections]);
});

test("the fleet seed has only references to existing rows", async () => {
  const caller = new FleetCaller();
  const { fleet } = caller.ref.state;
  const inspections = new Map<string, Inspection>();
  for (const id of fleet.inspections.keys()) {
    const inspection = await caller.data<Inspection>(`GET /inspections/${id}`);
    inspections.set(id, inspection);
    expect(fleet.inspectionTemplates.has(inspection.templateId)).toBe(true);
    expect(inspection.vehicles.length).toBeGreaterThan(0);
    for (const vehicle of inspection.vehicles) expect(fleet.vehicles.get(vehicle.id ?? "")).toEqual(vehicle);
    for (const { templateItem } of inspection.responses) expect(templateItem?.label).toMatch(/./);
  }
  for (const id of fleet.damages.keys()) {
    const { vehicleId, inspection } = await caller.data<Damage>(`GET /damages/${id}`);
    const inspected = inspections.get(inspection?.id ?? "");
    expect(ids(inspected?.vehicles)).toContain(vehicleId);
    expect(ids(inspected?.damages)).toContain(id);
  }
  for (const { vehicleId } of fleet.driverAssignments.values())
    expect(fleet.vehicles.has(String(vehicleId))).toBe(true);
});

test("the default fleet seed contains every kind of data", async () => {
  const caller = new FleetCaller();
  const fields = await caller.data<VehicleField[]>("GET /vehicle-fields");
  const statuses = new Set<unknown>();
  for (const { id } of fields) {
    const entries = await caller.data<JsonObject[]>(`GET /vehicle-fields/${id}/vehicles?limit=100`);
    expect(entries.length).toBeGreaterThan(0);
    for (const { status } of entries) statuses.add(status);
  }
  expect(statuses).toEqual(new Set(["OK", "WARNING", "NOT_OK"]));
  const both = new Set([true, false]);
  expect(new Set(fields.map(({ hasStatusRule }) => hasStatusRule))).toEqual(both);
  const templates = await caller.data<JsonObject[]>("GET /inspection-templates");
  expect(new Set(templates.map(({ isActive }) => isActive))).toEqual(both);
  const damages = [...caller.ref.state.fleet.damages.values()];
  expect(new Set(damages.map(({ repairedAt }) => repairedAt === null))).toEqual(both);
});

describe("the seeded numbers of rows", () => {
  test("are those of the options; without vehicles there are no rows that refer to one", () => {
    const counts = { vehicleGroups: 0, vehicleFields: 20 };
    const { fleet } = new FleetCaller({ vehicles: 0, ...counts }).ref.state;
    expect([fleet.vehicles, fleet.vehicleGroups, fleet.vehicleFields].map(({ size }) => size)).toEqual([
      0, 0, 20,
    ]);
    expect([fleet.inspections.size, fleet.damages.size, fleet.driverAssignments.size]).toEqual([0, 0, 0]);
    expect(new FleetCaller({ inspectionTemplates: [] }).ref.state.fleet.inspections.size).toBe(0);
  });

  test("can include rows without what they refer to", async () => {
    const caller = new FleetCaller({ vehicles: 0, damages: 1, inspections: 1, inspectionTemplates: [] });
    const [inspection] = caller.ref.state.fleet.inspections.values();
    expect(inspection).toMatchObject({ vehicleIds: [], responses: [] });
    expect(await caller.data("GET /damages/damage-1")).toMatchObject({ vehicle: null });
  });

  test("can include damages without inspections", async () => {
    const damage = await new FleetCaller({ inspections: 0 }).data<Damage>("GET /damages/damage-1");
    expect(damage).toMatchObject({ vehicle: { id: damage.vehicleId }, inspection: null });
  });
});

describe("rows that the caller seeds", () => {
  test("are returned unchanged, with a generated ID if they have none, and are restored by reset", async () => {
    const rows = [{ id: "v", wheels: [1] }, { plateNumber: "X" }];
    const caller = new FleetCaller({ vehicles: rows });
    const listed = await caller.data("GET /vehicles");
    expect(listed).toEqual([rows[0], { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, ...rows[1] }]);
    (caller.ref.state.fleet.vehicles.get("v") as { wheels: number[] }).wheels.push(2);
    expect(await caller.data("GET /vehicles/v")).toEqual({ id: "v", wheels: [1, 2] });
    expect(rows[0]).toEqual({ id: "v", wheels: [1] });
    caller.ref.reset();
    expect(await caller.data("GET /vehicles")).toEqual(listed);
  });

  test("are used by generated rows, except for damages of given inspections", async () => {
    const caller = new FleetCaller({ vehicles: [{ id: "v" }], vehicleFields: [{ id: "f", label: "F" }] });
    const [entry] = await caller.data<JsonObject[]>("GET /vehicle-fields/f/vehicles");
    expect(entry?.vehicleId).toBe("v");
    expect(await caller.data("GET /damages/damage-1")).toMatchObject({ vehicleId: "v" });
    const given = new FleetCaller({ inspections: [{ id: UUID }], damages: 30 });
    expect((await given.data<Inspection>(`GET /inspections/${UUID}`)).damages).toEqual([]);
  });

  test("can be responses of the documented GETs, which the server returns again", async () => {
    const source = new FleetCaller();
    const paths = ["/vehicle-fields", "/inspection-templates", "/damages/damage-1"];
    const [vehicleFields = [], templates = [], damage] = await Promise.all(
      paths.map((path) => source.data<JsonObject[]>(`GET ${path}`)),
    );
    const inspectionId = (damage as Damage | undefined)?.inspection?.id;
    const inspection = await source.data(`GET /inspections/${inspectionId}`);
    const inspectionTemplates = templates.map((row) => ({ ...row, inspectionCount: 0 }));
    const none = { vehicles: 0, vehicleGroups: 0, damages: 0, inspections: 0 };
    const recorded = { vehicleFields, inspectionTemplates, damages: [damage as unknown as Damage] };
    const copy = new FleetCaller({ ...none, ...recorded });
    const expected = [vehicleFields, inspectionTemplates, damage];
    for (const [index, path] of paths.entries())
      expect(await copy.data(`GET ${path}`)).toEqual(expected[index]);
    const other = new FleetCaller({
      ...none,
      vehicleFields: 0,
      inspectionTemplates: 0,
      inspections: [inspection],
    });
    expect(await other.data(`GET /inspections/${inspectionId}`)).toEqual(inspection);
  });

  const refusals: [FleetOptions, string][] = [
    [{ vehicles: [{}, 7 as unknown as JsonObject] }, "fleet.vehicles[1] must be an object"],
    [{ vehicles: [{ id: 7 }] }, "fleet.vehicles[0].id must be a string"],
    [{ vehicles: [{ id: ".." }] }, "fleet.vehicles[0].id must not be a dot segment"],
    [{ vehicleGroups: [{ id: "a" }, { id: "a" }] }, 'fleet.vehicleGroups[1].id: duplicate row "a"'],
    [
      { vehicleFields: [{ options: [{ status: "FINE" }] }] },
      "fleet.vehicleFields[0].options[0].status must be one of OK, WARNING",
    ],
    [
      { inspectionTemplates: [{ items: [{ inputType: "COLOUR" }] }] },
      "fleet.inspectionTemplates[0].items[0].inputType must be one of TEXT, NUMBER",
    ],
    [{ inspections: [{ id: "17" }] }, "fleet.inspections[0].id must be"],
    [{ inspections: [{ damages: [{}, { status: 1 }] }] }, "fleet.inspections[0].damages"],
    [{ damages: [{ assignedTo: 5 }] }, "fleet.damages[0].assignedTo must be an object"],
  ];
  test.for(refusals)("are rejected with their place: %j", ([fleet, message]) => {
    expect(() => new FleetCaller(fleet)).toThrow(message);
  });
});
