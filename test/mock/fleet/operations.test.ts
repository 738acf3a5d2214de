import { expect, test } from "vitest";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller } from "./fleet-caller.ts";
import { samples } from "./samples.ts";

const operations = Object.keys(fleetOperations) as FleetOperationId[];
const bases = ["production", "sandbox"] as const;

test("the tests have a sample request for each fleet operation", () => {
  expect(Object.keys(samples(new FleetCaller())).toSorted()).toEqual(operations.toSorted());
});

test.for(operations.flatMap((operation) => bases.map((base) => [operation, base] as const)))(
  "%s succeeds in %s, in the envelope with meta.version v1 (fleet 1)",
  async ([operation, base]) => {
    const caller = new FleetCaller();
    const seen = await caller.call(operation, { ...samples(caller)[operation], base });
    expect(seen.status).toBe(fleetOperations[operation].method === "POST" ? 201 : 200);
    expect(Object.keys(seen.body ?? {})).toEqual(["data", "meta"]);
    expect(seen.meta.version).toBe("v1");
  },
);

/** The properties that a value lacks or has beside those of its schema, by path. */
function otherProperties(schema: Schema, value: unknown, path = ""): string[] {
  const { shape, element, innerType } = schema.def;
  if (value === null || value === undefined) return [];
  if (innerType !== undefined) return otherProperties(innerType, value, path);
  if (element !== undefined)
    return (value as unknown[]).flatMap((item) => otherProperties(element, item, `${path}[]`));
  if (shape === undefined) return [];
  const given = value as JsonObject; // the schema has accepted it
  const names = new Set([...Object.keys(shape), ...Object.keys(given)]);
  return [...names].flatMap((name) => {
    const property = shape[name];
    return property === undefined || !(name in given)
      ? [`${path}.${name}`]
      : otherProperties(property, given[name], `${path}.${name}`);
  });
}

/** The parts of a generated schema that the test reads. */
interface Schema {
  def: { shape?: Record<string, Schema>; element?: Schema; innerType?: Schema };
}

/** The documented reads, and the properties that the contract leaves open. */
const documented: [FleetOperationId, unknown, ...open: string[]][] = [
  ["getDamage", schemas.zDamage],
  ["getInspection", schemas.zInspection, ".responses[].followUpResponses.comment"],
  ["listVehicleFields", schemas.zVehicleField],
  [
    "listInspectionTemplates",
    schemas.zInspectionTemplate,
    ...["", ".itemId", ".equals"].map((name) => `.items[].dependsOn${name}`),
  ],
];

test.for(documented)(
  "%s returns exactly the properties of the contract (fleet 2)",
  async ([id, schema, ...open]) => {
    const caller = new FleetCaller();
    const { damages, inspections } = caller.ref.state.fleet;
    const rowIds = [...(id === "getDamage" ? damages : inspections).keys()];
    const rows = id.startsWith("list")
      ? await caller.data<JsonObject[]>(id, { query: { limit: 100 } })
      : await Promise.all(rowIds.map((row) => caller.data(id, { id: row })));
    // the generated schemas are objects
    const found = rows.flatMap((row) => otherProperties(schema as Schema, row));
    expect(new Set(found)).toEqual(new Set(open));
  },
);

test("the fleet API keeps production and sandbox apart (fleet 5)", async () => {
  const caller = new FleetCaller();
  const { id } = await caller.data("createVehicle", { body: { plateNumber: "ONLY" } });
  expect((await caller.call("getVehicle", { id: id as string })).status).toBe(200);
  expect((await caller.call("getVehicle", { id: id as string, base: "sandbox" })).status).toBe(404);
  await caller.data("deleteVehicle", { id: "vehicle-1", base: "sandbox" });
  expect((await caller.call("getVehicle", { id: "vehicle-1" })).status).toBe(200);
});
