import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { createReferenceServer, type ExportedState, type ReferenceServer } from "../../src/mock/index.ts";
import { type ControlClient, startControlled, TOKEN } from "./control-client.ts";

const rename = { method: "PUT", body: '{"name":"New"}' };
const failing = { operation: "getStore", response: { status: 500 } };
const json = { "content-type": "application/json" };

const message = (text: string): object => ({ error: expect.stringContaining(text) as string });

describe("a request to the control API", () => {
  it.each([
    [{ ...json, origin: "https://page.test" }, 403],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "text/application/json" }, 415],
    [{ "content-type": "application/json; charset=utf-8" }, 204],
    [{ ...json, authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
    [{ ...json, host: "rebound.test" }, 421],
  ])("with %j receives %i", async (headers, status) => {
    const client = await startControlled();
    client.ref.state.store.stores.clear();
    expect((await client.send("POST", "/reset", { body: {}, headers })).status).toBe(status);
    expect(client.ref.state.store.stores.size).toBe(status === 204 ? 250 : 0);
  });

  it("of a web page is not allowed, although the APIs have CORS", async () => {
    const client = await startControlled();
    const headers = { origin: "https://page.test", "access-control-request-method": "POST" };
    const response = await client.send("OPTIONS", "/reset", { headers });
    expect(response.status).toBe(403);
    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each<[string, unknown, number, string]>([
    ["GET /restart", undefined, 404, "Unknown route. Expected one of GET /health, POST /reset"],
    ["GET /overrides/1/2", undefined, 404, "Unknown route"],
    ["PATCH /clock", undefined, 405, "Expected GET, PUT"],
    ["GET /journal?last=1", undefined, 400, "No route has query parameters"],
    ["DELETE /overrides/one", undefined, 404, 'No override with the ID "one" is in force'],
    ["POST /credentials/key-9/expire", undefined, 400, "Expected one of token-1, key-1, key-2"],
    ["PUT /state", {}, 400, "state.version must be 1"],
    ["PUT /clock", {}, 400, "must be a Date or an ISO 8601 string"],
    ["POST /clock/advance", { hours: "1" }, 400, "clock.advance.hours must be a number"],
    [
      "POST /readings",
      { "stores.omitted-fields": "x" },
      400,
      "readings.stores.omitted-fields must be one of",
    ],
    ["PUT /limits", { perMinute: 5 }, 400, 'limits: unknown property "perMinute"'],
    ["POST /credentials/tokens", { token: 5 }, 400, "token.token must be a string"],
    ["POST /credentials/keys", { scopes: ["fly"] }, 400, "key.scopes[0] must be one of vehicles:read"],
    ["POST /credentials/key-1/expire", { at: "soon" }, 400, "at must be an ISO 8601 date-time"],
    ["POST /journal/find", { status: "200" }, 400, "matcher.status must be a number"],
    ["POST /journal/expect", { path: [] }, 400, "matcher.path must be an object"],
    ["POST /overrides", { response: {} }, 400, "override.operation must be the ID of an operation"],
    ["POST /overrides", { ...failing, delay: 5 }, 400, "override must have one of response, change, fault"],
  ])("%s %j is refused and changes nothing", async (route, body, status, text) => {
    const client = await startControlled({ store: { stores: 2 } });
    const before = await contentOf(client);
    const response = await client.call(route, body);
    expect([response.status, response.body]).toEqual([status, message(text)]);
    expect(await contentOf(client)).toEqual(before);
  });

  it.each(["[]", "null", '"x"', "{", "[".repeat(100_000)])("with the body %s is refused", async (text) => {
    const { status, body } = await (await startControlled()).send("POST", "/readings", { text });
    expect([status, body]).toEqual([400, message("The body must be ")]);
  });

  it("has no secret of the server in its error", async () => {
    const client = await startControlled();
    const { body } = await client.call("POST /readings", { [client.ref.token]: "x" });
    expect(body).toEqual(message("[redacted]"));
    expect(JSON.stringify(body)).not.toContain(client.ref.token);
  });

  it("for the health needs no token, and is not in the journal", async () => {
    const client = await startControlled();
    const { status, body } = await client.send("GET", "/health", { headers: { authorization: "" } });
    expect([status, body]).toEqual([200, { status: "ok" }]);
    expect(client.ref.journal.all()).toEqual([]);
  });
});

/** Everything that a request could have changed. */
async function contentOf(client: ControlClient): Promise<unknown[]> {
  const paths = ["/state", "/overrides", "/journal", "/clock", "/readings", "/limits", "/credentials"];
  return Promise.all(paths.map(async (path) => (await client.call(`GET ${path}`)).body));
}

describe("the control API", () => {
  it.each<[object, (ref: ReferenceServer) => unknown]>([
    [
      { ...failing, matcher: { path: { externalId: "S-2" } } },
      (ref) => ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 500 }),
    ],
    [
      { ...failing, operation: "*", skip: 1, times: 2, rate: 0.5 },
      (ref) => ref.on("*").always({ status: 500 }).skip(1).times(2).rate(0.5),
    ],
    [
      { operation: "putStore", fault: "reset", at: "after" },
      (ref) => ref.on("putStore").fault("reset", { at: "after" }),
    ],
  ])("declares the override %j as a test does", async (override, declare) => {
    const client = await startControlled();
    expect((await client.call("POST /overrides", override)).body).toEqual(client.ref.overrides.all()[0]);
    const ref = createReferenceServer();
    declare(ref);
    expect(client.ref.overrides.all()).toEqual(ref.overrides.all());
  });

  it("lists and removes overrides", async () => {
    const client = await startControlled();
    await client.call("POST /overrides", failing);
    await client.call("POST /overrides", { operation: "listStores", fault: "html", times: 3 });
    expect((await client.call("GET /overrides")).body).toMatchObject({
      overrides: [
        { id: 1, response: { status: 500 } },
        { id: 2, fault: "html", times: 3 },
      ],
    });
    expect((await client.call("DELETE /overrides/1")).status).toBe(204);
    expect(await client.store("/v1/stores/S-1")).toBe(200);
    expect((await client.call("DELETE /overrides")).status).toBe(204);
    expect(client.ref.overrides.all()).toEqual([]);
  });

  it("returns, finds and expects requests of the journal", async () => {
    const client = await startControlled();
    await client.store("/v1/stores/S-1", client.ref.token, rename);
    await client.store("/v1/stores?limit=0");
    expect((await client.call("GET /journal")).body).toMatchObject({
      requests: [
        { operation: "putStore", headers: { authorization: "[redacted]" }, body: { name: "New" } },
        {},
      ],
      violations: [{ operation: "listStores", issues: [{ path: "limit" }] }],
    });
    expect((await client.call("POST /journal/find", { body: { name: "New" } })).body).toMatchObject({
      requests: [{ status: 200 }],
    });
    const expected = { operation: "putStore", path: { externalId: "S-1" } };
    expect((await client.call("POST /journal/expect", { ...expected, times: 1 })).status).toBe(200);
    const missed = await client.call("POST /journal/expect", { ...expected, path: { externalId: "S-2" } });
    expect(missed).toMatchObject({
      status: 409,
      body: message('path.externalId: expected "S-2", received "S-1"'),
    });
    await client.call("DELETE /journal");
    expect(client.ref.journal.all()).toEqual([]);
  });

  it("exports and imports data, until a reset", async () => {
    const first = await startControlled({ store: { stores: 3 }, now: "2026-05-01T00:00:00Z" });
    await first.store("/v1/stores/S-1", first.ref.token, rename);
    const state = (await first.call("GET /state")).body as ExportedState;
    const client = await startControlled();
    expect((await client.call("PUT /state", state)).status).toBe(204);
    expect((await client.call("GET /state")).body).toEqual(state);
    expect((await client.call("GET /clock")).body).toEqual({ now: "2026-05-01T00:00:00.000Z" });
    await client.call("POST /reset");
    expect(client.ref.state.store.stores.size).toBe(250);
  });

  it("adds credentials and lets them expire, by its clock", async () => {
    const client = await startControlled();
    const added = await client.call("POST /credentials/tokens", { expiresAt: "2026-01-01T01:00:00Z" });
    const { id, token } = added.body as { id: string; token: string };
    expect(await client.store("/v1/stores", token)).toBe(200);
    await client.call("POST /clock/advance", { hours: 1 });
    expect(await client.store("/v1/stores", token)).toBe(401);
    await client.call("PUT /clock", { now: "2026-01-01T00:00:00Z" });
    expect(await client.store("/v1/stores", token)).toBe(200);
    expect((await client.call(`POST /credentials/${id}/expire`)).body).toMatchObject({ status: "expired" });
    await client.call("POST /credentials/token-1/expire");
    expect([await client.store("/v1/stores"), await client.store("/v1/stores", token)]).toEqual([401, 401]);
    expect(JSON.stringify((await client.call("GET /credentials")).body)).not.toContain(token);
  });
});

it("the line of a request with an absolute URL shows neither its password nor its query", async () => {
  const { log, served } = await startControlled();
  const path = "http://user:p4ssw0rd@127.0.0.1/v1/stores?cursor=p4ssw0rd";
  await new Promise((resolve) => {
    request({ port: served.port, path, agent: false }, (response) =>
      response.resume().on("end", resolve),
    ).end();
  });
  expect(log.map((line) => line.path)).toEqual(["/v1/stores"]);
});
