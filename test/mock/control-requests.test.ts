import { describe, expect, it } from "vitest";
import { startControlled, TOKEN } from "./control-server.ts";

const json = { "content-type": "application/json" };

describe("a request to the control API", () => {
  it.each([
    [{ ...json, origin: "https://page.test" }, 403],
    [{ ...json, origin: "null" }, 403],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/jsonp" }, 415],
    [{ "content-type": "text/application/json" }, 415],
    [{ "content-type": "Application/JSON" }, 204],
    [{ "content-type": "" }, 415],
    [{ "content-type": "application/json; charset=utf-8" }, 204],
    [{ ...json, authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
  ])("with %j receives %i", async (headers, status) => {
    const client = await startControlled();
    client.ref.state.store.stores.clear();
    expect((await client.send("POST", "/reset", { body: {}, headers })).status).toBe(status);
    expect(client.ref.state.store.stores.size).toBe(status === 204 ? 250 : 0);
  });

  it.each([
    ["GET", "/journal"],
    ["POST", "/reset"],
    ["GET", "/no-such-route"],
  ])("is rejected without its token, also with that of the store API: %s %s", async (method, path) => {
    const client = await startControlled();
    for (const headers of [{}, { authorization: `Bearer ${client.ref.token}` }]) {
      const response = await client.send(method, path, { headers, anonymous: true });
      expect([response.status, response.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    }
  });

  it.each(["/journal?", "/readings"])("gets no token of the server in an error: %s", async (path) => {
    const client = await startControlled();
    const { token } = client.ref;
    const response = path.includes("?")
      ? await client.get(path + token)
      : await client.send("POST", path, { body: { [token]: token } });
    expect(response.status).toBeGreaterThan(399);
    expect(JSON.stringify(response.body)).toContain("[redacted]");
    expect(JSON.stringify(response.body)).not.toContain(token);
  });

  it("of a web page is not allowed, regardless of the APIs' --cors", async () => {
    const client = await startControlled();
    const headers = { origin: "https://page.test", "access-control-request-method": "POST" };
    const response = await client.send("OPTIONS", "/reset", { headers, anonymous: true });
    expect(response.status).toBe(403);
    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("for a journal that cannot be written as JSON is an error, and the server keeps running", async () => {
    const client = await startControlled();
    const body = `${"[".repeat(150)}${"]".repeat(150)}`;
    await client.store("/v1/stores/S-1", client.ref.token, { method: "PUT", body });
    expect((await client.get("/journal")).status).toBe(200);
    client.ref.journal.violations = () => [{ issues: 1n }] as never;
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${client.served.controlUrl}/journal`, { headers })).status).toBe(500);
    expect((await client.get("/reset")).status).toBe(405);
  });
});

describe("POST /clock", () => {
  it("advances and sets the clock, up to its last instant", async () => {
    const client = await startControlled();
    const { clock } = client.ref;
    const begun = clock.ms();
    await client.post("/clock", { advance: { hours: 1, minutes: -30 } });
    expect(clock.ms() - begun).toBe(1_800_000);
    await client.post("/clock", { set: "9999-12-31T23:59:59.999Z" });
    expect(clock.now().toISOString()).toBe("9999-12-31T23:59:59.999Z");
    expect(await client.store("/v1/stores", "none")).toBe(401);
    expect((await client.get("/journal")).status).toBe(200);
    expect((await client.post("/clock", { advance: { hours: 1 } })).status).toBe(400);
  });
});
