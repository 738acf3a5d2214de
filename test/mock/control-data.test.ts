import { describe, expect, it } from "vitest";
import type { ExportedState } from "../../src/mock/index.ts";
import { type ControlClient, startControlled } from "./control-server.ts";

const rename = { method: "PUT", body: '{"name":"New"}' };

const stateOf = async (client: ControlClient, query = ""): Promise<ExportedState> =>
  (await client.get(`/state${query}`)).body as ExportedState;

/** Sends a request to the fleet API; returns its status. */
async function fleet({ served }: ControlClient, path: string, key: string, method = "GET"): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "x-service-api-version": "v1" };
  const response = await fetch(served.fleetUrl + path, { method, headers });
  await response.arrayBuffer();
  return response.status;
}

describe("the data of a server, through the control API,", () => {
  it("can be exported and imported into another server", async () => {
    const first = await startControlled({ store: { stores: 3 }, now: "2026-05-01T00:00:00Z" });
    await first.store("/v1/stores/S-1", first.ref.token, rename);
    const state = await stateOf(first);
    const second = await startControlled();
    expect((await second.put("/state", state)).status).toBe(204);
    expect(await stateOf(second)).toEqual(state);
    expect(second.ref.state.store.stores.get("S-1")?.name).toBe("New");
    expect(second.ref.state.store.stores.size).toBe(3);
    expect((await second.get("/clock")).body).toEqual({ now: "2026-05-01T00:00:00.000Z" });
  });

  it("is what a reset restores, after it was replaced", async () => {
    const client = await startControlled();
    await client.put("/state", { ...(await stateOf(await startControlled({ store: { stores: 2 } }))) });
    await client.post("/clock", { advance: { days: 1 } });
    await client.store("/v1/stores/S-1", client.ref.token, rename);
    await client.post("/reset");
    expect(client.ref.state.store.stores.size).toBe(2);
    expect(client.ref.state.store.stores.get("S-1")?.name).not.toBe("New");
    expect((await client.get("/clock")).body).toEqual({ now: "2026-01-01T00:00:00.000Z" });
  });

  it("includes generated lists on request", async () => {
    const client = await startControlled({ store: { stores: 1 } });
    expect((await stateOf(client)).store?.generator).toBeDefined();
    expect((await stateOf(client, "?full=true")).store?.stores?.[0]?.contacts).toBeDefined();
    expect((await client.get("/state?full=1")).body).toEqual({
      error: "full must be true or false",
    });
  });

  it("is seeded by numbers or by rows, with another seed, and keeps the clock and the credentials", async () => {
    const client = await startControlled();
    await client.post("/clock", { set: "2027-03-01T00:00:00Z" });
    await client.post("/credentials/tokens", { token: "second-token" });
    const names = async (body: object): Promise<(string | undefined)[]> => {
      expect((await client.post("/seed", body)).status).toBe(204);
      return [...client.ref.state.store.stores.values()].map(({ name }) => name);
    };
    const one = await names({ store: { stores: 3 }, fleet: { vehicles: 2 } });
    expect(one).toHaveLength(3);
    expect(client.ref.state.fleet.vehicles.size).toBe(2);
    expect(await names({ seed: 2, store: { stores: 3 } })).not.toEqual(one);
    expect(await names({ store: { stores: 3 } })).toEqual(one);
    const rows = [{ externalId: "K-1", name: "Kiosk", contacts: [{ name: "Anna", phone: "1" }] }];
    expect(await names({ store: { stores: rows } })).toEqual(["Kiosk"]);
    expect(client.ref.state.store.contacts.get("K-1")).toMatchObject([{ name: "Anna" }]);
    expect(await client.store("/v1/stores/K-1", "second-token")).toBe(200);
    expect((await client.get("/clock")).body).toEqual({ now: "2027-03-01T00:00:00.000Z" });
    await client.post("/reset");
    expect(client.ref.state.store.stores.size).toBe(1);
  });
});

describe("credentials in the control API", () => {
  it("are added with scopes and expiry, expire by the mock clock, and are revoked", async () => {
    const client = await startControlled();
    const { body } = await client.post("/credentials/keys", {
      scopes: ["vehicles:read"],
      expiresAt: "2026-01-01T01:00:00Z",
    });
    const { id, key } = body as { id: string; key: string };
    expect(await fleet(client, "/vehicles", key)).toBe(200);
    expect(await fleet(client, "/damages", key)).toBe(403);
    await client.post("/clock", { advance: { hours: 1 } });
    expect(await fleet(client, "/vehicles", key)).toBe(401);
    expect((await client.get("/credentials")).body).toMatchObject({
      credentials: [
        { id: "token-1", api: "store", status: "active" },
        { id: "key-1" },
        { id: "key-2" },
        { id, scopes: ["vehicles:read"], environment: "production", status: "expired" },
      ],
    });
    expect((await client.post("/credentials/token-1/revoke")).body).toMatchObject({ status: "revoked" });
    expect(await client.store("/v1/stores")).toBe(401);
    await client.post("/reset");
    expect(await client.store("/v1/stores")).toBe(200);
    expect(await fleet(client, "/vehicles", key)).toBe(401);
  });

  it("can be made to expire at once or later", async () => {
    const client = await startControlled();
    await client.post("/credentials/token-1/expire", { at: "2026-01-01T02:00:00Z" });
    expect(await client.store("/v1/stores")).toBe(200);
    expect((await client.post("/credentials/token-1/expire")).body).toMatchObject({ status: "expired" });
    expect(await client.store("/v1/stores")).toBe(401);
  });

  it("are identified by their IDs only, and a secret in a path is not repeated", async () => {
    const client = await startControlled();
    const { status, text } = await client.post(`/credentials/${client.ref.token}/revoke`);
    expect(status).toBe(404);
    expect(text).toContain("Expected one of token-1, key-1, key-2");
    expect(text).not.toContain(client.ref.token);
    expect(await client.store("/v1/stores")).toBe(200);
  });
});
