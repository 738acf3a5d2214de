import { describe, expect, it } from "vitest";
import { mockReadings } from "../../../generated/readings.ts";
import { type MockGap, type ReferenceServerOptions, createReferenceServer } from "../../../src/mock/index.ts";
import { operations, walkSurface } from "./walk.ts";

const SMALL: ReferenceServerOptions = { store: { stores: 4, storesWithoutId: 2 }, fleet: { vehicles: 4 } };

const gaps = Object.keys(mockReadings) as MockGap[];
const others = gaps.flatMap((gap) => mockReadings[gap].slice(1).map((reading) => ({ gap, reading })));

describe("a response of the reference server", () => {
  it("is not a violation under the default readings", async () => {
    expect(await walkSurface(() => createReferenceServer(SMALL))).toEqual([]);
  });

  it.each(others)("is not a violation under $gap: $reading", async ({ gap, reading }) => {
    const create = () => createReferenceServer({ ...SMALL, readings: { [gap]: reading } });
    const concerned = operations.filter((operation) => operation.gaps.includes(gap));
    expect(concerned).not.toEqual([]);
    expect(await walkSurface(create, concerned)).toEqual([]);
  });
});
