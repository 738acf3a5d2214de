import { expect, test } from "vitest";
import type { FleetKeySeed } from "../../../src/mock/index.ts";
import { errorsOf, FleetCaller } from "./fleet-caller.ts";

const HEX = "0123456789abcdef".repeat(4);
const KEY = `ref_${HEX}`;
const withKey = (key: Partial<FleetKeySeed>) => new FleetCaller({ keys: [{ key: KEY, ...key }] });
const statusOf = async (caller: FleetCaller, request = "GET /vehicles", body?: string) =>
  (await caller.call(request, body)).status;

test.for([`k_${HEX}`, `my_company_${HEX}`, `K-9_${HEX.toUpperCase()}`])(
  "the key %s is accepted (fleet 5)",
  async (key) => {
    expect(await statusOf(withKey({ key }))).toBe(200);
  },
);

test("a key's scopes can be changed until reset (fleet 5, Scopes)", async () => {
  const caller = new FleetCaller();
  const [key] = caller.ref.keys;
  if (key) key.scopes = ["damages:read"];
  const response = await caller.call("GET /vehicles");
  expect(response.status).toBe(403);
  expect(errorsOf(response)[0]?.details).toEqual({
    required: ["vehicles:read"],
    available: ["damages:read"],
  });
  caller.ref.reset();
  expect(await statusOf(caller)).toBe(200);
});

test("the fleet API checks for 401, then 403, then 404, then 400", async () => {
  const order = [
    [withKey({ expiresAt: "2020-01-01T00:00:00Z" }), 401],
    [withKey({ scopes: [] }), 403],
    [withKey({}), 404],
  ] as const;
  for (const [caller, status] of order) {
    expect(await statusOf(caller, "PUT /vehicles/none", "{")).toBe(status);
    expect(await statusOf(caller, "GET /vehicle-fields/none/vehicles?limit=0")).toBe(status);
  }
});

test.for([
  ["POST /vehicles", "text/plain", 400],
  ["PUT /vehicles/vehicle-1", "application/jsonp", 400],
  ["POST /vehicles", "Application/JSON; charset=utf-8", 201],
  ["PATCH /driver-assignments/assignment-1", "application/merge-patch+json", 200],
] as const)("%s with Content-Type %s is a %d (fleet 5)", async ([request, type, status]) => {
  expect((await new FleetCaller().call(request, {}, { "content-type": type })).status).toBe(status);
});
