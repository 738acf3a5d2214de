import { expect, test } from "vitest";
import type { Scope } from "../../../generated/fleet.ts";
import { FleetCaller, TEST_KEY, keyed } from "./fleet-caller.ts";

test("the fleet API checks for 403 before 404 and 400", async () => {
  const caller = keyed([]);
  expect((await caller.call("getDamage", { id: "nowhere" })).status).toBe(403);
  expect((await caller.call("createVehicle", { text: "{" })).status).toBe(403);
});

test("a key has only scopes of the contract's table (gaps keys.review-scopes, keys.unknown-scopes)", () => {
  for (const scope of ["users:read", "reports:read"]) {
    const keys = [{ key: TEST_KEY, scopes: [scope as Scope] }];
    expect(() => new FleetCaller({ fleet: { keys } })).toThrow("scopes[0] must be one of vehicles:read");
  }
});
