import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fleetOperations, scopes } from "../../generated/fleet.operations.ts";
import { gaps } from "../../generated/gaps.ts";
import { storeOperations } from "../../generated/store.operations.ts";

interface Spec {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

function operationsOf(api: string): Record<string, { method: string; path: string }> {
  const text = readFileSync(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url), "utf8");
  const { paths } = parse(text) as Spec;
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path },
    ]),
  );
  return Object.fromEntries(rows.filter(([id]) => id !== undefined)) as ReturnType<typeof operationsOf>;
}

describe("the generated operations", () => {
  it("are the 15 of the store document", () => {
    expect(storeOperations).toEqual(operationsOf("store"));
    expect(Object.keys(storeOperations)).toHaveLength(15);
  });

  it("are the 31 of the fleet document, with their scopes", () => {
    const withoutScopes = Object.entries(fleetOperations).map(([id, { scopes: _, ...rest }]) => [id, rest]);
    expect(Object.fromEntries(withoutScopes)).toEqual(operationsOf("fleet"));
    expect(withoutScopes).toHaveLength(31);
  });

  it("name scopes and gaps that exist", () => {
    for (const { scopes: asked } of Object.values(fleetOperations)) {
      expect(scopes).toEqual(expect.arrayContaining([...asked.table, ...asked.prose]));
      expect(asked.table.length).toBeGreaterThan(0);
      expect(Object.keys(gaps)).toEqual(expect.arrayContaining("gap" in asked ? [asked.gap] : []));
    }
  });

  it("dispute the scopes of two operations, and give one operation alternatives", () => {
    const rules = Object.entries(fleetOperations).filter(([, { scopes: asked }]) => asked.rule !== "all");
    expect(rules.map(([id, { scopes: asked }]) => [id, asked.rule])).toEqual([
      ["listVehicleFields", "any"],
      ["listInspectionTemplates", "disputed"],
      ["getDamage", "disputed"],
    ]);
  });
});
