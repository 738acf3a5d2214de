import { expect, test } from "vitest";
import type { Damage, Inspection } from "../../../generated/fleet.ts";
import { bodyProperties } from "../../../src/mock/fleet/resources.ts";
import { FleetCaller, callerWith } from "./fleet-caller.ts";

test("fleet.unknown-properties: rejected still accepts every property that the server itself returns", async () => {
  const caller = callerWith({ "fleet.unknown-properties": "rejected" });
  const template = await caller.data<Record<string, unknown>[]>("listInspectionTemplates");
  const { status } = await caller.call("updateInspectionTemplate", {
    id: "template-1",
    body: template[0] ?? {},
  });
  expect(status).toBe(200);
  const damage = await caller.data<Record<string, unknown>>("getDamage", { id: "damage-1" });
  expect(Object.keys(damage).filter((name) => !bodyProperties.damages.includes(name))).toEqual([]);
});

test("the journal lists an unknown filter as a violation", async () => {
  const caller = new FleetCaller();
  await caller.call("listVehicles", { query: { plateNumber: "WX 1" } });
  expect(caller.ref.journal.violations()).toEqual([
    expect.objectContaining({ status: 200, issues: [expect.objectContaining({ path: "plateNumber" })] }),
  ]);
});

test.each([
  ["vehicles.type-values", "vehicles", "type"],
  ["inspections.status-values", "inspections", "status"],
  ["damages.status-values", "damages", "status"],
] as const)("%s: open seeds values that the contract does not show", (gap, resource, property) => {
  const values = (reading: "documented" | "open") =>
    new Set(
      [...callerWith({ [gap]: reading }).ref.state.fleet[resource].values()].map((row) => row[property]),
    );
  const seen = values("documented");
  const unlisted = [...values("open")].filter((value) => !seen.has(value));
  expect(unlisted).toEqual([expect.stringMatching(/^UNSEEN_/), expect.stringMatching(/^UNSEEN_/)]);
});

test.each([
  ["null-objects", null],
  ["absent", undefined],
  ["present", { id: "", firstName: "", lastName: "", email: "" }],
] as const)(
  "fleet.absent-properties: %s decides that the assignee of an unassigned damage is %j",
  async (reading, person) => {
    const caller = callerWith({ "fleet.absent-properties": reading });
    const { id } = await caller.data<{ id: string }>("createDamage", { body: { vehicleId: "vehicle-1" } });
    const damage = await caller.data<Damage>("getDamage", { id });
    expect(damage.assignedTo).toEqual(person);
    expect(damage.inspection === null).toBe(reading === "null-objects");
  },
);

test.each(["null-objects", "absent"] as const)(
  "fleet.absent-properties: %s fills nothing into the objects inside an inspection",
  async (reading) => {
    const caller = callerWith({
      "fleet.absent-properties": reading,
      "inspections.template-properties": "full",
    });
    const { id } = await caller.data<{ id: string }>("submitInspection", { body: { notes: "none" } });
    const { template, performedBy, location } = await caller.data<Inspection>("getInspection", { id });
    expect([template, performedBy, location]).toEqual([{}, {}, {}]);
  },
);

test("an inspection returns a location and a person as they were written", async () => {
  const caller = new FleetCaller();
  const body = { location: { lat: 52.23, lon: 21.01 }, performedBy: { id: "user-1", name: "Anna" } };
  const { id } = await caller.data<{ id: string }>("submitInspection", { body });
  expect(await caller.data<Inspection>("getInspection", { id })).toMatchObject(body);
});
