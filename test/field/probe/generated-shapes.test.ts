import { compileFunction } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import { shapesModule } from "../../../src/field/probe/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { instant, probe } from "./run.ts";

type Shapes = Record<string, z.ZodType>;

/** Runs a file of `probe --types` and returns its export `shapes`. */
function readShapes(source: string): Shapes {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports: { shapes?: Shapes } = {};
  const run = compileFunction(outputText, ["exports", "require"]) as (...args: unknown[]) => void; // typed as Function
  run(exports, () => z);
  return exports.shapes ?? {};
}

describe("the file of probe --types", () => {
  it("is accepted by both clients and the reference server, and matches what the service sends", async () => {
    const ref = createReferenceServer({ store: { stores: 3 } });
    const { storeUrl, fleetUrl, token, key, fetch } = ref;
    const report = await probe({ storeUrl, fleetUrl, token, key, fetch, rate: 1e9, timing: instant });
    const shapes = readShapes(shapesModule(report.shapes));
    expect(Object.keys(shapes)).toEqual(expect.arrayContaining(["damageSummary", "photo", "vehicle"]));

    const store = new StoreClient({ ...ref.storeOptions, shapes });
    const fleet = new FleetClient({ ...ref.fleetOptions, shapes });
    const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
    expect(await store.photos.list("S-1", range).toArray()).not.toEqual([]);
    expect(await store.fillRates.across(range)).toHaveProperty("groups");
    expect(await fleet.vehicles.list().toArray()).not.toEqual([]);
    expect(await fleet.damages.list().toArray()).not.toEqual([]);
    expect(createReferenceServer({ shapes }).storeUrl).toBe(storeUrl);
  });
});
