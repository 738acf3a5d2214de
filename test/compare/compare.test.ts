import { describe, expect, it } from "vitest";
import { type CompareReport, compare } from "../../src/compare/compare.ts";
import { type ReferenceServerOptions, createReferenceServer } from "../../src/mock/index.ts";

const DATA: ReferenceServerOptions = { store: { stores: 6 }, fleet: { vehicles: 8 } };

/** Compares a reference server with a mock that has `assumed` readings. */
export async function compared(
  actual: Record<string, string>,
  assumed: Record<string, string>,
  data = DATA,
): Promise<CompareReport> {
  const ref = createReferenceServer({ ...data, readings: actual });
  return compare({
    storeUrl: ref.storeUrl,
    token: ref.token,
    fleetUrl: ref.fleetUrl,
    key: ref.keys[0]?.key,
    readings: assumed,
    fetch: (url, init) => ref.fetch(url, init),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 100_000,
  });
}

describe("compare", () => {
  it("finds nothing where the readings are the same", async () => {
    const { differences, requests } = await compared({}, {});
    expect(differences).toEqual([]);
    expect(requests).toBeGreaterThan(200);
  });
});
