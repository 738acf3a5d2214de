import { expect, test } from "vitest";
import { scopes } from "../../../generated/fleet.enums.ts";
import { FleetCaller, TEST_KEY } from "./fleet-caller.ts";

const HEX = "0123456789abcdef".repeat(4);
const all = [...scopes];

function withKey(key: string, rest: { expiresAt?: string; revoked?: boolean } = {}): FleetCaller {
  return new FleetCaller({ fleet: { keys: [{ key, scopes: all, ...rest }] } });
}

test("the message of a 401 says whether the key is missing or invalid (fleet 5, 7)", async () => {
  const missing = "The API key is missing: expected the header Authorization: Bearer <key>";
  const own = new FleetCaller().ref.keys[0]?.key;
  const cases: [authorization: string, message: unknown][] = [
    ["", missing],
    [`Bearer ${own} ${own}`, missing],
    [`Bearer ref_${HEX}`, expect.stringMatching(/^The API key is invalid/)],
  ];
  for (const [authorization, message] of cases) {
    const { status, errors } = await new FleetCaller().call("listVehicles", { headers: { authorization } });
    expect([status, errors]).toEqual([401, [{ code: "UNAUTHORIZED", message }]]);
  }
});

test("a key may have any prefix (fleet 5)", async () => {
  for (const key of [`k_${HEX}`, `my_company_${HEX}`, `K-9_${HEX}`]) {
    expect((await withKey(key).call("listVehicles")).status, key).toBe(200);
  }
});

test("a key's scopes can be changed until reset (fleet 5, Scopes)", async () => {
  const caller = new FleetCaller();
  const [key] = caller.ref.keys;
  if (key) key.scopes = ["damages:read"];
  const { status, errors } = await caller.call("listVehicles");
  expect(status).toBe(403);
  expect(errors[0]?.details).toEqual({ required: ["vehicles:read"], available: ["damages:read"] });
  caller.ref.reset();
  expect((await caller.call("listVehicles")).status).toBe(200);
});

test("a key expires at its instant by the mock clock (fleet 5)", async () => {
  const caller = withKey(TEST_KEY, { expiresAt: "2026-01-01T01:00:00Z" });
  expect((await caller.call("listVehicles")).status).toBe(200);
  caller.ref.clock.advance({ minutes: 59, seconds: 59 });
  expect((await caller.call("listVehicles")).status).toBe(200);
  caller.ref.clock.advance({ seconds: 1 });
  const { status, errors } = await caller.call("listVehicles");
  expect(status).toBe(401);
  expect(errors[0]?.message).toContain("expired");
  caller.ref.reset();
  expect((await caller.call("listVehicles")).status).toBe(200);
});

test("a revoked key is a 401 (fleet 5)", async () => {
  const { status, errors } = await withKey(TEST_KEY, { revoked: true }).call("listVehicles");
  expect(status).toBe(401);
  expect(errors[0]?.message).toContain("revoked");
});

test("a key of one environment is a 401 in the other (fleet 5)", async () => {
  const caller = new FleetCaller();
  const [production, sandbox] = caller.ref.keys.map(({ key }) => key);
  expect(production).toMatch(/^ref_[0-9a-f]{64}$/);
  expect(sandbox).toMatch(/^ref_test_[0-9a-f]{64}$/);
  expect((await caller.call("listVehicles", { base: "sandbox", key: production ?? "" })).status).toBe(401);
  expect((await caller.call("listVehicles", { key: sandbox ?? "" })).status).toBe(401);
  expect((await caller.call("listVehicles", { base: "sandbox", key: sandbox ?? "" })).status).toBe(200);
});

test("the fleet API checks for 401 before everything else", async () => {
  const caller = new FleetCaller();
  const headers = { authorization: "Bearer x", "content-type": "text/plain" };
  expect((await caller.call("updateVehicle", { id: "nowhere", text: "{", headers })).status).toBe(401);
  expect((await caller.call("listVehicles", { query: { limit: 0 }, headers })).status).toBe(401);
});
