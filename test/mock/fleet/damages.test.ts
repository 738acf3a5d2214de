import { expect, test } from "vitest";
import type { Damage, JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller, ids, callerWith } from "./fleet-caller.ts";
import { firstInspection } from "./samples.ts";

const read = (caller: FleetCaller, id: unknown) => caller.data<Damage>("getDamage", { id: id as string });
const PERSON = { id: "u", firstName: "Ada", lastName: "Lis", email: "ada@example.com" };

test("a damage contains the vehicle, the people and the inspection that it refers to", async () => {
  const caller = new FleetCaller();
  const inspectionId = firstInspection(caller);
  const sent = {
    description: "Dent",
    photoUrl: "/1.jpg",
    status: "NEW",
    reportedBy: PERSON,
    assignedTo: PERSON,
  };
  const body = { vehicleId: "vehicle-1", inspectionId, ...sent, repairedAt: "2026-01-01T00:00:00Z" };
  const { id } = await caller.data("createDamage", { body });
  const inspection = await caller.data("getInspection", { id: inspectionId });
  const { type: _, ...vehicle } = await caller.data("getVehicle", { id: "vehicle-1" });
  const { id: template, title } = inspection.template as JsonObject;
  expect(await read(caller, id)).toEqual({
    id,
    vehicleId: "vehicle-1",
    vehicle,
    ...sent,
    reportedAt: "2026-01-01T00:00:00.000Z",
    repairedAt: "2026-01-01T00:00:00Z",
    inspection: {
      id: inspectionId,
      performedAt: inspection.performedAt,
      status: "COMPLETED",
      template: { id: template, title },
    },
  });
  const after = await caller.data("getInspection", { id: inspectionId });
  expect(ids(after.damages)).toContain(id);
});

test("a PUT of a damage without them keeps the time and the inspection of the report", async () => {
  const caller = new FleetCaller();
  const before = await read(caller, "damage-1");
  await caller.data("updateDamage", {
    id: "damage-1",
    body: { vehicle: { id: "vehicle-9" }, status: "DONE" },
  });
  const after = await read(caller, "damage-1");
  expect(after).toMatchObject({
    vehicleId: "vehicle-9",
    status: "DONE",
    reportedAt: before.reportedAt,
    inspection: before.inspection,
  });
  expect(after).not.toHaveProperty("description");
});

test("a body with the alternative name of the vehicle property replaces the other name, also with merge", async () => {
  const caller = callerWith({ "fleet.put": "merge" });
  const before = await read(caller, "damage-1");
  await caller.data("updateDamage", { id: "damage-1", body: { vehicle: { id: "vehicle-9" } } });
  const after = await read(caller, "damage-1");
  expect(after).toMatchObject({ vehicleId: "vehicle-9", vehicle: { id: "vehicle-9" } });
  expect(after.description).toBe(before.description);
});
