import { describe, expect, test } from "vitest";
import { scopes } from "../../../generated/fleet.enums.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { FleetCaller, TEST_KEY } from "./fleet-caller.ts";
import { samples } from "./samples.ts";

const HEX = "0123456789abcdef".repeat(4);
const all = [...scopes];

function withKey(key: string, rest: { expiresAt?: string; revoked?: boolean } = {}): FleetCaller {
  return new FleetCaller({ fleet: { keys: [{ key, scopes: all, ...rest }] } });
}

const operations = Object.keys(fleetOperations) as FleetOperationId[];

test.for(operations)(
  "%s responds with 401 UNAUTHORIZED without a valid key (fleet 5, 7)",
  async (operation) => {
    const caller = new FleetCaller();
    const { status, errors } = await caller.call(operation, {
      ...samples(caller)[operation],
      headers: { authorization: "" },
    });
    expect(status).toBe(401);
    expect(errors).toEqual([
      {
        code: "UNAUTHORIZED",
        message: "The API key is missing: expected the header Authorization: Bearer <key>",
      },
    ]);
  },
);

describe("the authorization header (fleet 5, 7)", () => {
  const own = new FleetCaller().ref.keys[0]?.key ?? "";
  test.for([
    ["no header", ""],
    ["another scheme", `Basic ${own}`],
    ["no scheme", own],
    ["no key", "Bearer "],
    ["no prefix", `Bearer ${HEX}`],
    ["an empty prefix", `Bearer _${HEX}`],
    ["63 digits", `Bearer ref_${HEX.slice(1)}`],
    ["65 digits", `Bearer ref_${HEX}0`],
    ["a letter that is not a hexadecimal digit", `Bearer ref_g${HEX.slice(1)}`],
    ["two keys", `Bearer ${own} ${own}`],
    ["an unknown key", `Bearer ref_${HEX}`],
  ] as const)("is a 401 with %s", async ([, authorization]) => {
    const { status, errors } = await new FleetCaller().call("listVehicles", { headers: { authorization } });
    expect(status).toBe(401);
    expect(errors[0]?.code).toBe("UNAUTHORIZED");
    expect(errors[0]?.message).toMatch(/^The API key is (missing|invalid)/);
  });

  test("may have its scheme in lower case", async () => {
    const caller = new FleetCaller();
    const headers = { authorization: `bearer ${caller.ref.keys[0]?.key}` };
    expect((await caller.call("listVehicles", { headers })).status).toBe(200);
  });
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

test("keys.hex-case decides whether hexadecimal digits in capitals are valid", async () => {
  const key = `ref_${HEX.toUpperCase()}`;
  expect((await withKey(key).call("listVehicles")).status).toBe(200);
  const readings = { "keys.hex-case": "lower-only" } as const;
  const refused = await new FleetCaller({ readings }).call("listVehicles", { key });
  expect(refused.status).toBe(401);
  expect(refused.errors[0]?.message).toBe(
    "The API key is invalid: expected <prefix>_ or <prefix>_test_ followed by 64 lower-case hexadecimal digits",
  );
  expect(() => new FleetCaller({ readings, fleet: { keys: [{ key, scopes: all }] } })).toThrow(
    "fleet.keys[0].key",
  );
});

test("the fleet API checks for 401 before everything else", async () => {
  const caller = new FleetCaller();
  const headers = { authorization: "Bearer x", "content-type": "text/plain" };
  expect((await caller.call("updateVehicle", { id: "nowhere", text: "{", headers })).status).toBe(401);
  expect((await caller.call("listVehicles", { query: { limit: 0 }, headers })).status).toBe(401);
});
