import { expect, test } from "vitest";
import { controlRoutes, routesOfPath } from "../../src/mock/control/routes.ts";
import { Tenants } from "../../src/mock/control/route.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { growth } from "../proof/growth.ts";

const names = (size: number): string[] => Array.from({ length: size }, (_, index) => `n${index}`);

const strings = (size: number): Record<string, string> =>
  Object.fromEntries(names(size).map((name) => [name, name]));

/** Runs a route with a body until its first error: invalid input must also be rejected in linear time. */
function run(method: string, path: string, body: Record<string, unknown>): void {
  const ref = createReferenceServer({ store: { stores: 1 }, fleet: { vehicles: 1 } });
  const match = routesOfPath.match(`/${path}`);
  const route = controlRoutes[match?.operations.get(method) ?? ""];
  if (match === undefined || route === undefined) throw new Error(`there is no route ${path}`);
  try {
    route.run({ ref, tenants: new Tenants(ref), params: match.params, query: {}, body });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
}

const forced = { operation: "getStore", response: { status: 500 } };

const inputs: [name: string, work: (size: number) => void, size: number][] = [
  ["a long path", (size) => void routesOfPath.match("/a".repeat(size)), 20_000],
  ["a long ID", (size) => run("GET", `overrides/${"1".repeat(size)}`, {}), 200_000],
  ["a long tenant number", (size) => longTenant("9".repeat(size)), 200_000],
  [
    "a long operation",
    (size) => run("POST", "overrides", { ...forced, operation: "x".repeat(size) }),
    200_000,
  ],
  ["many unknown properties", (size) => run("POST", "overrides", { ...forced, ...strings(size) }), 5_000],
  [
    "many headers of a matcher",
    (size) => run("POST", "overrides", { ...forced, matcher: { headers: strings(size) } }),
    2_000,
  ],
  [
    "many headers of a response",
    (size) => run("POST", "overrides", { operation: "getStore", response: { headers: strings(size) } }),
    2_000,
  ],
  [
    "a long header",
    (size) =>
      run("POST", "overrides", { operation: "getStore", response: { headers: { a: "b".repeat(size) } } }),
    100_000,
  ],
  [
    "a large body of a matcher",
    (size) => run("POST", "overrides", { operation: "putStore", matcher: { body: strings(size) }, delay: 1 }),
    1_000,
  ],
  [
    "a large body of a response",
    (size) => run("POST", "overrides", { operation: "getStore", response: { body: names(size) } }),
    1_000,
  ],
  ["a matcher of the journal", (size) => run("POST", "journal/find", { body: strings(size) }), 2_000],
  ["an expectation", (size) => run("POST", "journal/expect", { body: strings(size) }), 2_000],
  ["many readings", (size) => run("POST", "readings", strings(size)), 5_000],
  ["many units", (size) => run("POST", "clock", { advance: strings(size) }), 5_000],
  ["a long time", (size) => run("POST", "clock", { set: "2026-01-01T00:00:00.".padEnd(size, "0") }), 100_000],
  ["many scopes", (size) => run("POST", "credentials/keys", { scopes: names(size) }), 5_000],
  ["a long key", (size) => run("POST", "credentials/keys", { key: "a_test_".repeat(size) }), 10_000],
  ["a long token", (size) => run("POST", "credentials/tokens", { token: `${"t".repeat(size)} ` }), 100_000],
  [
    "rows of a seed",
    (size) =>
      run("POST", "seed", {
        store: { stores: names(size).map((externalId) => ({ externalId, name: "K" })) },
      }),
    200,
  ],
  [
    "a number of rows",
    (size) => run("POST", "seed", { store: { stores: size }, fleet: { vehicles: 1 } }),
    500,
  ],
  [
    "a state",
    (size) => run("PUT", "state", { version: 1, fleet: { vehicles: names(size).map((id) => ({ id })) } }),
    2_000,
  ],
];

function longTenant(number: string): void {
  expect(() => new Tenants(createReferenceServer({ store: { stores: 1 } })).find(number)).toThrow(
    "There is no tenant",
  );
}

test.each(inputs)("the control API reads %s in linear time", async (_name, work, size) => {
  expect(await growth((factor) => work(size * factor))).toBeLessThan(1.75);
});
