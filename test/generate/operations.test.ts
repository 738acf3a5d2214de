import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fleetBasePath, fleetOperations, fleetVersion, scopes } from "../../generated/fleet.operations.ts";
import * as fleetSchemas from "../../generated/fleet.schemas.ts";
import { fleetContract } from "../../generated/fleet.contract.ts";
import { storeContract } from "../../generated/store.contract.ts";
import type { Operation, OperationContract } from "../../src/wire/operation.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import * as storeSchemas from "../../generated/store.schemas.ts";
import { readGaps } from "../../specs/generate/gaps.ts";
import * as contract from "./contract-table.ts";
import { fleetTable, storeTable } from "./contract-table.ts";
import { describeSchemas } from "./describe-schema.ts";
import { endpoints, readDocument, schemaName } from "../../specs/generate/document.ts";

interface Spec {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const apis: [string, Record<string, Operation>, object][] = [
  ["store", storeOperations, storeSchemas],
  ["fleet", fleetOperations, fleetSchemas],
];

/** The name of the schema of a part of an operation, as the clients make it. */
function schemaNameOf(id: string, part: "Query" | "Body" | "Response"): string {
  return `z${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`;
}

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

  it("has a schema for every response", () => {
    const names = rows.map(([id]) => schemaNameOf(id, "Response"));
    expect(names.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  });

  it("has a request schema for every operation that sends a body, and only for these", () => {
    for (const [id, { method }] of rows) {
      expect(Object.hasOwn(schemas, schemaNameOf(id, "Body")), id).toBe(method.startsWith("P"));
    }
  });

  it("names only gaps that exist", () => {
    const named = rows.flatMap(([id, { scopes: needed }]) => [
      ...Object.values(contracts[id]?.query ?? {}).flatMap(({ nameGap }) => nameGap ?? []),
      ...(needed?.gap === undefined ? [] : [needed.gap]),
    ]);
    const known = new Set(readGaps().map(({ id }) => id));
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe.each([
  ["store", storeOperations, storeTable, storeSchemas as Record<string, unknown>],
  ["fleet", fleetOperations, fleetTable, fleetSchemas as Record<string, unknown>],
] as const)("the endpoint table of the %s contract", (_, operations, table, schemas) => {
  const rows: Record<string, Operation> = operations;

  it("lists the same operations", () => {
    expect(table.map(({ id }) => id).toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  it.each(table)("agrees with the generated row of $id", (expected) => {
    const { id, method, path, response, retry, formats } = rows[expected.id] ?? {};
    const { query } = contracts[expected.id] ?? {};
    expect({ id, method, path, response, retry, formats, query }).toEqual({
      formats: undefined,
      query: undefined,
      ...expected,
    });
    const schema = schemas[schemaNameOf(expected.id, "Query")] as { shape: object } | undefined;
    expect(schema && Object.keys(schema.shape)).toEqual(query && Object.keys(query));
  });
});

describe.each([
  ["store", contract.storeSchemas],
  ["fleet", contract.fleetSchemas],
] as const)("the bodies and responses of the %s contract", (api, expected) => {
  const document = readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url));
  const described = describeSchemas(document);

  it("are the schemas of the document", () => {
    expect(Object.keys(described).toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it.each(endpoints(document))("of $id have the schemas that the table names", ({ id, body, responses }) => {
    const names = [...new Set(responses.map((schema) => schemaName(schema)))];
    const all = body === undefined ? names : [schemaName(body), ...names];
    expect(all.join(" → ")).toBe(contract.operationSchemas[id]);
  });

  it.each(Object.entries(expected))("have the properties of %s in the document", (name, properties) => {
    expect(described[name]).toEqual(properties);
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
