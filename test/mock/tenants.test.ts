import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

test("a tenant has its own token and keys behind the same URLs", () => {
  const ref = createReferenceServer();
  const [one, other] = [ref.tenant(), ref.tenant()];
  expect(new Set([ref.token, one.token, other.token]).size).toBe(3);
  expect(new Set([ref, one, other].flatMap(({ keys }) => keys.map(({ key }) => key))).size).toBe(6);
  expect([one.storeUrl, one.fleetUrl, one.sandboxUrl]).toEqual([ref.storeUrl, ref.fleetUrl, ref.sandboxUrl]);
});

test("a tenant starts with the same data, which no other tenant changes", async () => {
  const parent = new Caller();
  const tenant = new Caller(parent.ref.tenant());
  const before = await parent.get("/v1/stores/S-1");
  expect((await tenant.get("/v1/stores/S-1")).body).toEqual(before.body);
  await tenant.put("/v1/stores/S-1", { name: "Tenant" });
  expect((await parent.get("/v1/stores/S-1")).body).toEqual(before.body);
  expect(tenant.ref.journal.of("putStore")).toHaveLength(1);
  expect(parent.ref.journal.of("putStore")).toEqual([]);
});

test("a tenant has its own clock, overrides and readings", async () => {
  const parent = new Caller();
  const tenant = new Caller(parent.ref.tenant());
  tenant.ref.clock.advance({ hours: 1 });
  tenant.ref.on("getStore").always({ status: 500 });
  tenant.ref.switchReadings({ "errors.code-presence": "absent" });
  expect(parent.ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect((await parent.get("/v1/stores/S-1")).status).toBe(200);
  expect(parent.ref.readings["errors.code-presence"]).toBe("present");
  expect((await tenant.get("/v1/stores/S-1")).status).toBe(500);
});

test("a reset of the parent does not affect a tenant", async () => {
  const parent = new Caller();
  const tenant = new Caller(parent.ref.tenant());
  await tenant.put("/v1/stores/N-1", {});
  parent.ref.reset();
  expect((await tenant.get("/v1/stores/N-1")).status).toBe(200);
  tenant.ref.reset();
  expect((await tenant.get("/v1/stores/N-1")).status).toBe(404);
});

test("the secret of a request identifies the tenant over any fetch; an unknown secret belongs to the parent", async () => {
  const ref = createReferenceServer();
  const tenant = ref.tenant();
  const send = (authorization: string) =>
    tenant.fetch(`${ref.storeUrl}/v1/stores`, { headers: { authorization } });
  expect((await send(`Bearer ${ref.token}`)).status).toBe(200);
  expect((await send("Bearer unknown")).status).toBe(401);
  expect(ref.journal.all().map(({ status }) => status)).toEqual([200, 401]);
  expect(tenant.journal.all()).toEqual([]);
});

test("a tenant's keys are like the parent's with other digits", () => {
  const key = `acme_test_${"a".repeat(64)}`;
  const ref = createReferenceServer({
    fleet: { keys: [{ key, scopes: ["damages:read"], expiresAt: "2027-01-01T00:00:00Z" }] },
  });
  const [own] = ref.tenant().keys;
  expect(own).toMatchObject({ scopes: ["damages:read"], expiresAt: "2027-01-01T00:00:00Z" });
  expect(own?.key).toMatch(/^acme_test_[0-9a-f]{64}$/);
  expect(own?.key).not.toBe(key);
});
