import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fleetBasePath, fleetOperations, fleetVersion, scopes } from "../../generated/fleet.operations.ts";
import * as fleetSchemas from "../../generated/fleet.schemas.ts";
import { gaps } from "../../generated/gaps.ts";
import { fleetContract } from "../../generated/fleet.contract.ts";
import { storeContract } from "../../generated/store.contract.ts";
import { type Operation, type OperationContract, responseSchemaOf } from "../../src/wire/operation.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import * as storeEnums from "../../generated/store.enums.ts";
import * as storeSchemas from "../../generated/store.schemas.ts";
import * as contract from "./contract-table.ts";
import { fleetTable, storeTable } from "./contract-table.ts";

interface Spec {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const apis: [string, Record<string, Operation>, object][] = [
  ["store", storeOperations, storeSchemas],
  ["fleet", fleetOperations, fleetSchemas],
];

const contracts: Record<string, OperationContract<unknown>> = { ...storeContract, ...fleetContract };

function routesOf(api: string): [string, string][] {
  const text = readFileSync(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url), "utf8");
  const { paths } = parse(text) as Spec;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]): [string, string][] =>
      operationId === undefined ? [] : [[operationId, `${method.toUpperCase()} ${path}`]],
    ),
  );
}

describe.each(apis)("the operation table of the %s API", (api, operations, schemas) => {
  const rows = Object.entries(operations);

  it("has every operation of the document", () => {
    expect(rows.map(([id, { method, path }]) => [id, `${method} ${path}`])).toEqual(routesOf(api));
  });

  it("repeats the operation's ID in each row", () => {
    for (const [id, operation] of rows) expect(operation.id).toBe(id);
  });

  it("names schemas that exist", () => {
    const names = rows.flatMap(([id, { body }]) => [body, responseSchemaOf(id)]);
    const missing = names.filter((name) => name !== undefined && !Object.hasOwn(schemas, name));
    expect(missing).toEqual([]);
  });

  it("names a request schema for every operation that sends a body, and only for these", () => {
    for (const [id, { method, body }] of rows) {
      expect(body !== undefined, id).toBe(["PUT", "POST", "PATCH"].includes(method));
    }
  });

  it("names only gaps that exist", () => {
    const named = rows.flatMap(([id, { scopes: needed }]) => [
      ...Object.values(contracts[id]?.query ?? {}).flatMap(({ nameGap }) => nameGap ?? []),
      ...(needed?.gap === undefined ? [] : [needed.gap]),
    ]);
    expect(named.filter((id) => !Object.hasOwn(gaps, id))).toEqual([]);
  });
});

describe.each([
  ["store", storeOperations, storeTable],
  ["fleet", fleetOperations, fleetTable],
] as const)("the endpoint table of the %s contract", (_, operations, table) => {
  const rows: Record<string, Operation> = operations;

  it("lists the same operations", () => {
    expect(table.map(({ id }) => id).toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  it.each(table)("agrees with the generated row of $id", (expected) => {
    const { id, method, path, response, retry, formats, query: names } = rows[expected.id] ?? {};
    const { query } = contracts[expected.id] ?? {};
    expect({ id, method, path, response, retry, formats, query }).toEqual({
      formats: undefined,
      query: undefined,
      ...expected,
    });
    expect(names).toEqual(query && Object.keys(query));
  });
});

it("the base path and the version of the fleet API are those of the contract", () => {
  expect({ fleetBasePath, fleetVersion }).toEqual({
    fleetBasePath: contract.fleetBasePath,
    fleetVersion: contract.fleetVersion,
  });
});

describe("the scopes of the fleet operations", () => {
  it("are all defined", () => {
    for (const { scopes: needed } of Object.values(fleetOperations)) {
      expect(scopes).toEqual(expect.arrayContaining([...needed.table, ...needed.prose]));
      expect(needed.table.length).toBeGreaterThan(0);
    }
  });

  it("are disputed for two operations, and are alternatives for one", () => {
    const rules = Object.entries(fleetOperations).filter(([, { scopes: needed }]) => needed.rule !== "all");
    expect(rules.map(([id, { scopes: needed }]) => [id, needed.rule])).toEqual([
      ["listVehicleFields", "any"],
      ["listInspectionTemplates", "disputed"],
      ["getDamage", "disputed"],
    ]);
  });
});

it.each([
  ["store types", storeEnums.storeTypes, contract.storeTypes],
  ["product categories", storeEnums.productCategories, contract.productCategories],
  ["exposition types", storeEnums.expositionTypes, contract.expositionTypes],
  ["protocol statuses", storeEnums.protocolStatuses, contract.protocolStatuses],
  ["image statuses", storeEnums.imageStatuses, contract.imageStatuses],
])("the generated %s are those of the contract", (_, generated, expected) => {
  expect(generated.toSorted()).toEqual(expected.toSorted());
});
