import { once } from "node:events";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ReferenceServerOptions, createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";
import { Caller } from "./caller.ts";

/* What curl, wget, browsers and other HTTP tools do, and clients that are written with this package do not. */

describe("a HEAD request", () => {
  it("has the status and the length of the GET, and no body", async () => {
    const ref = createReferenceServer();
    const served = await serve(ref);
    onTestFinished(served.close);
    const headers = { authorization: `Bearer ${ref.token}` };
    for (const [call, url] of [
      [fetch, served.storeUrl],
      [ref.fetch, ref.storeUrl],
    ] as const) {
      const [head, get] = await Promise.all(
        ["HEAD", "GET"].map((method) => call(`${url}/v1/stores/S-1`, { method, headers })),
      );
      expect(head?.status).toBe(200);
      expect(await head?.text()).toBe("");
      const length = String(new TextEncoder().encode(await get?.text()).length);
      expect(head?.headers.get("content-length")).toBe(length);
    }
    expect(ref.journal.of("getStore").map(({ method }) => method)).toContain("HEAD");
  });
});

it("a 401 names the scheme in WWW-Authenticate", async () => {
  const { fetch: call, storeUrl, fleetUrl } = createReferenceServer();
  for (const url of [`${storeUrl}/v1/stores`, `${fleetUrl}/vehicles`]) {
    const response = await call(url);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  }
});

it.each(["/v1/stores/", "/vehicles/"])("the slash at the end of %s is named in the 404", async (path) => {
  expect(JSON.stringify((await new Caller().get(path)).body)).toContain(
    "Check the base URL, a slash at the end",
  );
});

it("a compressed body is named as such", async () => {
  const ref = createReferenceServer();
  const response = await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${ref.token}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body: gzipSync('{"name":"A"}'),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("must not be compressed (content-encoding: gzip)");
});

it.each(["application/x-www-form-urlencoded", "text/xml"])(
  "a body of type %s is a 400 of both APIs",
  async (type) => {
    const caller = new Caller();
    const put = await caller.send("PUT", "/v1/stores/S-1", "name=A", { "content-type": type });
    const post = await caller.send("POST", "/vehicles", "name=A", { "content-type": type });
    expect([put.status, post.status]).toEqual([400, 400]);
    const valid = await caller.send("PUT", "/v1/stores/S-1", '{"name":"A"}', { "content-type": type });
    expect(valid.status).toBe(400);
  },
);

it("every option may be undefined", () => {
  const options: ReferenceServerOptions = {
    seed: undefined,
    now: undefined,
    storeUrl: undefined,
    fleetUrl: undefined,
    sandboxUrl: undefined,
    state: undefined,
    store: { token: undefined, stores: undefined, protocolsPerStore: undefined },
    fleet: { keys: undefined, vehicles: undefined },
    readings: { "stores.omitted-fields": undefined },
    strict: undefined,
    limits: { perSecond: 5, burst: undefined, retryAfter: undefined },
    timers: undefined,
    journal: { limit: undefined, maxBytes: undefined },
  };
  const ref = createReferenceServer(options);
  ref
    .on("getStore", { path: undefined, query: undefined, when: undefined })
    .once({ status: undefined, headers: undefined });
  expect(ref.state.store.stores.size).toBe(250);
});

it("a body that arrives after reset changes nothing in the next test", async () => {
  const ref = createReferenceServer();
  const served = await serve(ref);
  onTestFinished(served.close);
  const late = request(`${served.storeUrl}/v1/stores/S-1`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${ref.token}`,
      "content-type": "application/json",
      "content-length": "15",
      expect: "100-continue",
    },
  });
  const lost = once(late, "error");
  late.flushHeaders();
  await once(late, "continue"); // the server has the head
  ref.reset();
  ref.on("putStore").once({ status: 500 });
  late.end('{"name":"late"}');
  expect((await lost)[0]).toMatchObject({ code: "ECONNRESET" });
  expect(ref.state.store.stores.get("S-1")?.name).not.toBe("late");
  expect([ref.journal.all(), ref.overrides.all().length]).toEqual([[], 1]);
});
