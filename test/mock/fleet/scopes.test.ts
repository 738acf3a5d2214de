import { expect, test } from "vitest";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { scopes } from "../../../generated/fleet.enums.ts";
import type { Scope } from "../../../generated/fleet.ts";
import type { ReadingsOption } from "../../../src/mock/index.ts";
import { fleetScopes } from "../../generate/contract-table.ts";
import { FleetCaller, TEST_KEY, keyed, rowsOf } from "./fleet-caller.ts";
import { samples } from "./samples.ts";

const rows = Object.entries(fleetScopes) as [FleetOperationId, Scope[]][];

/** The status of an operation for a key with these scopes. */
async function statusOf(operation: FleetOperationId, held: Scope[], readings: ReadingsOption = {}) {
  const caller = keyed(held, readings);
  return (await caller.call(operation, samples(caller)[operation])).status;
}

test("the scope table has each operation", () => {
  expect(Object.keys(fleetScopes).toSorted()).toEqual(Object.keys(fleetOperations).toSorted());
});

test.for(rows.flatMap(([operation, needed]) => needed.map((scope) => [operation, scope] as const)))(
  "%s accepts a key with only %s (fleet 5)",
  async ([operation, scope]) => {
    expect([200, 201]).toContain(await statusOf(operation, [scope]));
  },
);

test.for(rows)(
  "%s rejects a key with every other scope, and names the required ones (fleet 7)",
  async ([operation, needed]) => {
    const available = scopes.filter((scope) => !needed.includes(scope));
    const caller = keyed(available);
    const before = rowsOf(caller);
    const seen = await caller.call(operation, samples(caller)[operation]);
    expect(seen.status).toBe(403);
    expect(seen.errors).toEqual([
      {
        code: "FORBIDDEN",
        message: "The API key lacks a required scope",
        details: { required: needed, available },
      },
    ]);
    expect(rowsOf(caller)).toEqual(before);
  },
);

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
    expect(() => new FleetCaller({ fleet: { keys } })).toThrow(`unknown scope "${scope}"`);
    const caller = new FleetCaller({ fleet: { keys }, readings: { [gap]: reading } });
    const { status, errors } = await caller.call("listVehicles");
    expect(status).toBe(403);
    expect(errors[0]?.details).toEqual({ required: ["vehicles:read"], available: [scope] });
  },
);
