import { describe, expect, it } from "vitest";
import { type ReferenceServer, createReferenceServer } from "../../src/mock/index.ts";

const hex = "0123456789abcdef".repeat(4);

async function storeStatus(ref: ReferenceServer, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, { headers })).status;
}

async function fleetStatus(ref: ReferenceServer, key: string, base = ref.fleetUrl): Promise<number> {
  return (await ref.fetch(`${base}/vehicles?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
    .status;
}

describe("ref.credentials", () => {
  it("lists tokens and keys without their secrets", () => {
    const ref = createReferenceServer({
      fleet: { keys: [{ key: `a_test_${hex}`, scopes: ["vehicles:read"] }] },
    });
    expect(ref.credentials.list()).toEqual([
      { id: "token-1", api: "store", status: "active" },
      { id: "key-1", api: "fleet", environment: "sandbox", scopes: ["vehicles:read"], status: "active" },
    ]);
    expect(JSON.stringify(ref.credentials.list())).not.toContain(hex);
  });

  it("adds a token beside the first one, which stays valid", async () => {
    const ref = createReferenceServer();
    const { id, token } = ref.credentials.addToken();
    expect([id, await storeStatus(ref, token), await storeStatus(ref, ref.token)]).toEqual([
      "token-2",
      200,
      200,
    ]);
    await ref.fetch(`${ref.storeUrl}/v1/stores/${token}`);
    expect(JSON.stringify(ref.journal.all())).not.toContain(token);
    expect(ref.credentials.addToken().token).not.toBe(token);
    expect(ref.credentials.addToken({ token: "chosen-token" })).toEqual({
      id: "token-4",
      token: "chosen-token",
    });
    expect(await storeStatus(ref, "chosen-token")).toBe(200);
  });

  it("adds keys of both environments with their scopes", async () => {
    const ref = createReferenceServer();
    const production = ref.credentials.addKey({ scopes: ["vehicles:read"] });
    const sandbox = ref.credentials.addKey({ key: `a_test_${hex}`, scopes: ["damages:read"] });
    expect(await fleetStatus(ref, production.key)).toBe(200);
    expect(await fleetStatus(ref, production.key, ref.sandboxUrl)).toBe(401);
    expect(await fleetStatus(ref, sandbox.key, ref.sandboxUrl)).toBe(403);
    expect(ref.keys.map(({ key }) => key).slice(2)).toEqual([production.key, sandbox.key]);
    expect(ref.credentials.list().at(-1)).toMatchObject({ id: "key-4", environment: "sandbox" });
  });

  it("lets a token or key expire now, by ID and by secret", async () => {
    const ref = createReferenceServer();
    const key = ref.keys[0]?.key ?? "";
    expect(ref.credentials.expire("key-1")).toMatchObject({ id: "key-1", status: "expired" });
    expect(ref.credentials.expire(ref.token)).toMatchObject({
      id: "token-1",
      api: "store",
      status: "expired",
    });
    expect([await fleetStatus(ref, key), await storeStatus(ref, ref.token)]).toEqual([401, 401]);
  });

  it("lets tokens and keys expire by the mock clock", async () => {
    const ref = createReferenceServer();
    ref.credentials.expire("token-1", "2026-01-01T01:00:00Z");
    const { key } = ref.credentials.addKey({ expiresAt: "2026-01-02T00:00:00Z" });
    const first = ref.keys[0]?.key ?? "";
    expect([await storeStatus(ref, ref.token), await fleetStatus(ref, key)]).toEqual([200, 200]);
    ref.clock.advance({ hours: 1 });
    expect([await storeStatus(ref, ref.token), await fleetStatus(ref, key)]).toEqual([401, 200]);
    ref.clock.advance({ weeks: 52_000 });
    expect([await fleetStatus(ref, key), await fleetStatus(ref, first)]).toEqual([401, 200]);
    expect(ref.credentials.list().map(({ status }) => status)).toEqual([
      "expired",
      "active",
      "active",
      "expired",
    ]);
    ref.credentials.expire("key-1");
    expect(await fleetStatus(ref, first)).toBe(401);
    ref.credentials.expire("key-1", "9999-01-01T00:00:00Z");
    expect(await fleetStatus(ref, first)).toBe(200);
  });

  it("is reset with the server", async () => {
    const ref = createReferenceServer();
    const before = ref.credentials.list();
    const { key } = ref.credentials.addKey();
    const { token } = ref.credentials.addToken();
    ref.credentials.expire("key-1");
    ref.credentials.expire("token-1");
    ref.reset();
    expect(ref.credentials.list()).toEqual(before);
    expect([await fleetStatus(ref, key), await storeStatus(ref, token)]).toEqual([401, 401]);
    ref.credentials.addKey({ key });
    expect(await fleetStatus(ref, key)).toBe(200);
  });

  it.each<[run: (ref: ReferenceServer) => unknown, string]>([
    [({ credentials }) => credentials.expire("key-9"), "Expected one of token-1, key-1, key-2"],
    [({ credentials }) => credentials.expire("key-1", "soon"), "at must be an ISO 8601 date-time"],
    [({ credentials }) => credentials.addToken({ token: "a secret" }), "token must be a string of"],
    [({ credentials }) => credentials.addKey({ key: "secret" }), "key.key must have the form <prefix>_ or"],
    [({ credentials, key }) => credentials.addKey({ key }), "already has this token or key"],
    [({ credentials, token }) => credentials.addToken({ token }), "already has this token or key"],
  ])("rejects an invalid argument without quoting a secret: case %#", (run, message) => {
    const ref = createReferenceServer();
    expect(() => run(ref)).toThrow(message);
    expect(() => run(ref)).not.toThrow("secret");
  });
});

describe("a 401 or 403", () => {
  it("names the missing header if it has no token or key", async () => {
    const ref = createReferenceServer();
    const store = await (await ref.fetch(`${ref.storeUrl}/v1/stores`)).text();
    const fleet = await (await ref.fetch(`${ref.fleetUrl}/vehicles`)).text();
    expect(store).toContain("The token is missing: expected the header Authorization: Bearer <token>");
    expect(fleet).toContain("The API key is missing: expected the header Authorization: Bearer <key>");
  });

  it("lists the required scopes, and none that the key has, if a 403 is forced", async () => {
    const ref = createReferenceServer();
    ref.on("listVehicles").always({ status: 403 });
    const response = await ref.fetch(`${ref.fleetUrl}/vehicles`);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      errors: [{ code: "FORBIDDEN", details: { required: ["vehicles:read"], available: [] } }],
    });
  });
});
