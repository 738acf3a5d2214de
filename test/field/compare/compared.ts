import { type CompareReport, compare } from "../../../src/field/compare/compare.ts";
import { type ReferenceServerOptions, createReferenceServer } from "../../../src/mock/index.ts";

export const DATA: ReferenceServerOptions = {
  store: { stores: 5, storesWithoutId: 1 },
  fleet: { vehicles: 4, damages: 3, inspections: 4, driverAssignments: 3 },
};

const VERSION = { "x-service-api-version": "v1" };

/** Compares a reference server with a mock that has `assumed` readings. */
export async function compareServers(
  actual: Readonly<Record<string, string>>,
  assumed: Readonly<Record<string, string>>,
  apis: readonly ("store" | "fleet")[] = ["store", "fleet"],
): Promise<CompareReport> {
  const ref = createReferenceServer({ ...DATA, readings: actual });
  // a damage without a vehicle and without a person, and a vehicle without a response
  for (const list of ["damages", "vehicles"])
    await ref.fetch(`${ref.fleetUrl}/${list}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ref.keys[0]?.key}`,
        "content-type": "application/json",
        ...VERSION,
      },
      body: "{}",
    });
  return compare({
    ...(apis.includes("store") && { storeUrl: ref.storeUrl, token: ref.token }),
    ...(apis.includes("fleet") && { fleetUrl: ref.fleetUrl, key: ref.keys[0]?.key }),
    readings: assumed,
    fetch: (url, init) => ref.fetch(url, init),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 100_000,
  });
}
