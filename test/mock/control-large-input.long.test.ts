import { expect, test } from "vitest";
import { controlRoutes, routesOfPath } from "../../src/mock/control/routes.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

const million = 1_000_000;

const names = (size: number): string[] => Array.from({ length: size }, (_, index) => `n${index}`);

const strings = (size: number): Record<string, string> =>
  Object.fromEntries(names(size).map((name) => [name, name]));

/** Runs a route with a body; returns the message of its error, or "done". */
function run(method: string, path: string, body: Record<string, unknown>): string {
  const ref = createReferenceServer({ store: { stores: 1 }, fleet: { vehicles: 1 } });
  const match = routesOfPath.match(`/${path}`);
  const route = controlRoutes[match?.operations.get(method) ?? ""];
  if (match === undefined || route === undefined) return "there is no route";
  try {
    route.run({ ref, params: match.params, query: {}, body });
    return "done";
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return String(error);
  }
}

const forced = { operation: "getStore", response: { status: 500 } };

/** Inputs so large that code which takes quadratic time for one does not end within minutes. */
const inputs: [name: string, result: string, work: () => string][] = [
  ["a long path", "there is no route", () => run("GET", "a/".repeat(million), {})],
  ["a long ID", "No override with the ID", () => run("GET", `overrides/${"1".repeat(million)}`, {})],
  [
    "a long operation",
    "Unknown operation",
    () => run("POST", "overrides", { ...forced, operation: "x".repeat(million) }),
  ],
  [
    "a long header",
    "done",
    () =>
      run("POST", "overrides", { operation: "getStore", response: { headers: { a: "b".repeat(million) } } }),
  ],
  [
    "a large body of a matcher",
    "a matcher takes at most",
    () => run("POST", "overrides", { operation: "putStore", matcher: { body: strings(200_000) }, delay: 1 }),
  ],
  [
    "a large body of a response",
    "done",
    () => run("POST", "overrides", { operation: "getStore", response: { body: names(million) } }),
  ],
  ["a long time", "done", () => run("POST", "clock", { set: "2026-01-01T00:00:00.".padEnd(million, "0") })],
  ["many scopes", "unknown scope", () => run("POST", "credentials/keys", { scopes: names(million) })],
  [
    "a long key",
    "must have the form",
    () => run("POST", "credentials/keys", { key: "a_test_".repeat(million) }),
  ],
  [
    "a long token",
    "must be a string of visible",
    () => run("POST", "credentials/tokens", { token: `${"t".repeat(million)} ` }),
  ],
  [
    "a state",
    "done",
    () => run("PUT", "state", { version: 1, fleet: { vehicles: names(200_000).map((id) => ({ id })) } }),
  ],
];

test.each(inputs)("the control API reads %s in linear time", (_name, result, work) => {
  expect(work()).toContain(result);
});
