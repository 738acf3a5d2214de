import { type CompareOptions, type CompareReport, compare } from "../../../src/field/compare/compare.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";

export const DATA = {
  store: { stores: 5, storesWithoutId: 1 },
  fleet: { vehicles: 4, damages: 3, inspections: 4, driverAssignments: 3 },
} as const satisfies ReferenceServerOptions;

/** The store that shows most readings. Each store costs about 60 requests. */
const ONE_STORE = { ...DATA.store, stores: 1 };

/** Readings that only more stores show. */
const NEEDS_MORE = new Set(["fill-rates.empty-groups", "stores.cursor-start"]);

const VERSION = { "x-service-api-version": "v1" };

/** Compares a reference server with a mock that has `assumed` readings. */
export async function compareServers(
  actual: Readonly<Record<string, string>>,
  assumed: Readonly<Record<string, string>>,
  apis: readonly ("store" | "fleet")[] = ["store", "fleet"],
): Promise<CompareReport> {
  const gaps = Object.keys(actual);
  const needsAll = gaps.length === 0 || gaps.some((gap) => NEEDS_MORE.has(gap));
  const store = needsAll ? DATA.store : ONE_STORE;
  const ref = createReferenceServer({ ...DATA, store, readings: actual });
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

/** Compares the stores of a reference server with a mock. */
export function compareStores(
  ref: ReferenceServer,
  options: Partial<CompareOptions> = {},
): Promise<CompareReport> {
  return compare({
    storeUrl: ref.storeUrl,
    token: ref.token,
    readings: {},
    fetch: (url, init) => ref.fetch(url, init),
    rate: Number.POSITIVE_INFINITY,
    ...options,
  });
}
