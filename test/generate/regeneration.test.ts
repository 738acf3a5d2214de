import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { storeBodyLimits, storeQueryLimits as ownLimits } from "../../generated/store.limits.ts";
import type { Operation, OperationContract } from "../../src/wire/operation.ts";
import { copyWithChanges } from "./changed-copy.ts";

type Operations = Record<string, Operation>;
type Schemas = Record<string, z.ZodMiniType>;
type Contract = Record<string, OperationContract<z.ZodMiniType>>;

const root = fileURLToPath(new URL("../../", import.meta.url));

let folder = "";

beforeAll(async () => {
  folder = await copyWithChanges();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The exports of a generated module, from the changed documents or from the project's documents. */
async function load<Module>(name: string, isChanged: boolean): Promise<Module> {
  const file = join(isChanged ? folder : root, "generated", `${name}.ts`);
  return (await import(pathToFileURL(file).href)) as Module; // the caller names what the module exports
}

const accepts = (schema: z.ZodMiniType | undefined, value: unknown): boolean =>
  schema !== undefined && z.safeParse(schema, value).success;

const exposition = { label: "x", productCategories: [], expositionType: "FRIDGE_DRINKS" };
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };

describe.each([
  ["the project's own documents", false],
  ["changed copies of the documents", true],
])("generated from %s", (_, isChanged) => {
  it("the bound of a query parameter is in the table, the limits and the schema", async () => {
    const limit = isChanged ? 250 : ownLimits.listStores.limit.maximum;
    const { storeOperations } = await load<{ storeOperations: Operations }>("store.operations", isChanged);
    const { storeContract } = await load<{ storeContract: Contract }>("store.contract", isChanged);
    const { storeQueryLimits } = await load<{ storeQueryLimits: object }>("store.limits", isChanged);
    const schemas = await load<Schemas>("store.schemas", isChanged);
    expect(storeOperations["listStores"]?.list?.maxPageSize).toBe(limit);
    expect(storeContract["listStores"]?.query?.["limit"]?.maximum).toBe(limit);
    expect(storeQueryLimits).toHaveProperty("listStores.limit.maximum", limit);
    expect(accepts(schemas["zListStoresQuery"], { limit: String(limit) })).toBe(true);
    expect(accepts(schemas["zListStoresQuery"], { limit: String(limit + 1) })).toBe(false);
  });

  it("the bound of a body is in the limits and the schemas", async () => {
    const count = isChanged ? 2 : storeBodyLimits.ExpositionUpsert.expositions.maxItems;
    const limits = await load<{ storeBodyLimits: object }>("store.limits", isChanged);
    expect(limits.storeBodyLimits).toHaveProperty("ExpositionUpsert.expositions.maxItems", count);
    const { zPutExpositionsBody } = await load<Schemas>("store.schemas", isChanged);
    const { storeContract } = await load<{ storeContract: Contract }>("store.contract", isChanged);
    const some = (length: number) => ({ expositions: Array.from({ length }, () => exposition) });
    for (const schema of [zPutExpositionsBody, storeContract["putExpositions"]?.body]) {
      expect(accepts(schema, some(count))).toBe(true);
      expect(accepts(schema, some(count + 1))).toBe(false);
    }
  });

  it("an enum value is in every table, constant and schema that has the enum", async () => {
    const { fleetContract } = await load<{ fleetContract: Contract }>("fleet.contract", isChanged);
    const { storeTypes } = await load<{ storeTypes: string[] }>("store.enums", isChanged);
    const schemas = await load<Schemas>("store.schemas", isChanged);
    const { storeContract } = await load<{ storeContract: Contract }>("store.contract", isChanged);
    for (const id of ["listProtocols", "listPhotos", "getStoreFillRates", "getFillRates"]) {
      expect(storeContract[id]?.query?.["status"]?.values?.includes("archived")).toBe(isChanged);
    }
    const { values } = fleetContract["listVehicleFieldVehicles"]?.query?.["status"] ?? {};
    expect(values?.includes("UNKNOWN")).toBe(isChanged);
    expect(storeTypes.includes("Changed")).toBe(isChanged);
    expect(accepts(schemas["zListProtocolsQuery"], { ...range, status: "archived" })).toBe(isChanged);
    expect(accepts(storeContract["putStore"]?.body, { storeType: "Changed" })).toBe(isChanged);
  });

  it("a scope is in the table and among the scopes", async () => {
    const { fleetOperations, scopes } = await load<{ fleetOperations: Operations; scopes: string[] }>(
      "fleet.operations",
      isChanged,
    );
    expect(scopes.includes("damages:inspect")).toBe(isChanged);
    expect(fleetOperations["createVehicle"]?.scopes).toEqual({
      rule: isChanged ? "any" : "all",
      table: ["vehicles:write"],
      prose: isChanged ? ["damages:inspect"] : [],
    });
    expect(fleetOperations["deleteVehicle"]?.scopes?.prose).toEqual([]);
  });
});
