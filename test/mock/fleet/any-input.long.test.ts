import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller, callerWith } from "./fleet-caller.ts";

const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom("vehicle-1", "template-1", "field-1", "damage-1", "2025-12-31T00:00:00Z", "BALD"),
);
const references = ["vehicleId", "vehicle", "vehicleIds", "vehicles", "inspectionId", "inspection"];
const ofTemplates = [
  "templateId",
  "template",
  "templateItemId",
  "templateItem",
  "items",
  "options",
  "inputType",
];
const ofInspections = ["responses", "damages", "performedBy", "performedAt", "location", "latitude", "notes"];
const ofDamages = [
  "status",
  "reportedAt",
  "reportedBy",
  "assignedTo",
  "repairedAt",
  "photoUrl",
  "description",
];
const others = [
  "id",
  "title",
  "version",
  "isActive",
  "order",
  "dependsOn",
  "groupIds",
  "responseText",
  "fileUrl",
];
const odd = ["followUpResponses", "plateNumber", "name", "__proto__", "constructor"];
const known = fc.constantFrom(...[references, ofTemplates, ofInspections, ofDamages, others, odd].flat());
const flat = fc.dictionary(known, value, { maxKeys: 8 });
const deep = fc.dictionary(known, fc.oneof(value, flat, fc.array(fc.oneof(flat, value), { maxLength: 3 })), {
  maxKeys: 12,
});

const writes: [create: FleetOperationId, update: FleetOperationId, read: FleetOperationId][] = [
  ["createVehicle", "updateVehicle", "getVehicle"],
  ["submitInspection", "updateInspection", "getInspection"],
  ["createInspectionTemplate", "updateInspectionTemplate", "listInspectionTemplates"],
  ["createDamage", "updateDamage", "getDamage"],
];
const lists: FleetOperationId[] = [
  "listInspections",
  "listInspectionTemplates",
  "listDamages",
  "listVehicleFields",
];

/** The caller checks each response against the schema of its operation. */
async function conforms(caller: FleetCaller, body: JsonObject, change: JsonObject): Promise<void> {
  for (const [create, update, read] of writes) {
    const { id } = await caller.data(create, { body });
    await caller.data(update, { id: id as string, body: change });
    await caller.data(read, { id: id as string });
  }
  for (const list of lists) await caller.data(list, { query: { page: 1, limit: 100 } });
  await caller.data("listVehicleFieldVehicles", { id: "field-1" });
}

/** The counterexample as a string; undefined if there is none. */
async function counterexample(property: fc.IAsyncProperty<unknown>): Promise<string | undefined> {
  const report = await fc.check(property, { numRuns: 100 });
  return fc.asyncDefaultReportMessage(report);
}

test.for(["null-objects", "absent"] as const)(
  "the fleet API accepts any JSON object, and every response conforms to the spec (absent properties %s)",
  async (reading) => {
    const readings = { "fleet.absent-properties": reading } as const;
    const property = fc.asyncProperty(deep, deep, (body, change) =>
      conforms(callerWith(readings, { inspections: 2, damages: 2, vehicles: 2 }), body, change),
    );
    expect(await counterexample(property)).toBeUndefined();
  },
);

test("the fleet API's responses conform to the spec for any state", async () => {
  const id = "11111111-1111-4111-8111-111111111111";
  const property = fc.asyncProperty(deep, async (row: JsonObject) => {
    const caller = new FleetCaller();
    for (const rows of Object.values(caller.ref.state.fleet)) rows.set(id, { ...row, id });
    for (const read of ["getInspection", "getDamage", "listVehicleFieldVehicles"] as const) {
      await caller.data(read, { id });
    }
    for (const list of lists) await caller.data(list, { query: { limit: 100 } });
  });
  expect(await counterexample(property)).toBeUndefined();
});
