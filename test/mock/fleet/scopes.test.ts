import { expect, test } from "vitest";
import type { Scope } from "../../../generated/fleet.ts";
import { FleetCaller, TEST_KEY, keyed } from "./fleet-caller.ts";

test("the fleet API checks for 403 before 404 and 400", async () => {
  const caller = keyed([]);
  expect((await caller.call("getDamage", { id: "nowhere" })).status).toBe(403);
  expect((await caller.call("createVehicle", { text: "{" })).status).toBe(403);
});

test.for([
  ["keys.review-scopes", "granted", "users:read"],
  ["keys.review-scopes", "granted", "analytics:read"],
  ["keys.unknown-scopes", "ignored", "reports:read"],
] as const)(
  "%s decides whether a key with this scope is rejected, or under %s has %s without effect",
  async ([gap, reading, scope]) => {
    const keys = [{ key: TEST_KEY, scopes: [scope as Scope] }];
    expect(() => new FleetCaller({ fleet: { keys } })).toThrow("scopes[0] must be one of vehicles:read");
    const caller = new FleetCaller({ fleet: { keys }, readings: { [gap]: reading } });
    const { status, errors } = await caller.call("listVehicles");
    expect(status).toBe(403);
    expect(errors[0]?.details).toEqual({ required: ["vehicles:read"], available: [scope] });
  },
);
