// Arguments are read when a call is made; absence is an input; every reason of an abort arrives.
import { describe, expect, it, vi } from "vitest";
import {
  FleetClient,
  fleetFromEnv,
  type Limiter,
  logTo,
  StoreClient,
  type StoreClientOptions,
  storeFromEnv,
} from "../../../src/index.ts";
import { json, store as storeRow, stubFetch, virtualRuntime } from "../core/small-api.ts";

const baseUrl = "https://stores.example.com";
const fleetUrl = "https://fleet.example.com/api/third-party/v1";
const key = `acme_${"0a".repeat(32)}`;
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
const right = { ...storeRow, items: [], nextCursor: null, groups: [], data: { id: "1" }, meta: {} };

function open(...responses: Parameters<typeof stubFetch>) {
  const { fetch, requests } = stubFetch(...(responses.length > 0 ? responses : [json(right)]));
  const { runtime } = virtualRuntime();
  const options = { fetch, runtime };
  const store = new StoreClient({ ...options, baseUrl, token: "token-1" });
  const fleet = new FleetClient({ ...options, baseUrl: fleetUrl, key });
  return { store, fleet, requests, options };
}

describe("what the caller changes after a call", () => {
  it("is not sent: one body for several calls", async () => {
    const { fleet, requests } = open();
    const damage = { vehicleId: "1", description: "" };
    const calls = ["door", "roof"].map((description) =>
      fleet.damages.create(Object.assign(damage, { description })),
    );
    await Promise.all(calls);
    expect(requests.map(({ body }) => JSON.parse(body ?? "") as unknown)).toEqual([
      { vehicleId: "1", description: "door" },
      { vehicleId: "1", description: "roof" },
    ]);
  });

  it("is not sent: a body that a shape of the client parses later", async () => {
    const { fleet, requests } = open();
    const damageInput = {
      "~standard": {
        version: 1 as const,
        validate: async (value: unknown) => (await Promise.resolve(), { value }),
      },
    };
    const damage = { description: "door", photos: ["a"], at: new Date(0) };
    const call = fleet.withOptions({ shapes: { damageInput } }).damages.create(damage);
    damage.description = "roof";
    damage.photos.push("b");
    damage.at.setTime(1e12);
    await call;
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      description: "door",
      photos: ["a"],
      at: "1970-01-01T00:00:00.000Z",
    });
  });

  it("is not sent: a list of elements, the headers and limits of a call, the ID and the query of a route", async () => {
    const { store, requests } = open(json({ items: [{ name: "A", phone: "1" }] }), json(right));
    const contacts = [{ name: "A", phone: "1" }];
    const headers: Record<string, string> = { "x-run": "1" };
    const options = { headers, retry: { limit: 0 } };
    const replaced = store.contacts.replace("S-1", contacts, options);
    contacts.push({ name: "B", phone: "2" });
    headers["x-run"] = "2";
    options.retry.limit = 9;
    await replaced;
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ contacts: [{ name: "A", phone: "1" }] });
    expect(requests[0]?.headers["x-run"]).toBe("1");
    const init = { params: { path: { externalId: "S-1" }, query: { ...range } } };
    const call = store.http.GET("/v1/stores/{externalId}/protocols", init);
    init.params.path.externalId = "S-2";
    init.params.query.from = "2000-01-01T00:00:00Z";
    await call;
    expect(requests[1]?.url).toContain("/S-1/protocols?from=2026-01-01");
  });

  it("does not change a list: its dates, its extra parameters and its options", async () => {
    const { store, requests } = open();
    const [from, to] = [new Date(0), new Date(1000)];
    const extra: Record<string, string> = { region: "A" };
    const headers: Record<string, string> = { "x-run": "1" };
    const list = store.photos.list("S-1", { from, to, extra }, { headers });
    from.setTime(1e12);
    to.setTime(2e12);
    extra["region"] = "B";
    headers["x-run"] = "2";
    await list.toArray();
    const query = new URL(requests[0]?.url ?? "").searchParams;
    expect(Object.fromEntries(query)).toEqual({
      from: "1970-01-01T00:00:00.000Z",
      to: "1970-01-01T00:00:01.000Z",
      region: "A",
    });
    expect(requests[0]?.headers["x-run"]).toBe("1");
  });

  it("does not change a client: headers, retry and the names of writes that may be repeated", async () => {
    const headers: Record<string, string> = { "x-run": "1" };
    const repeatable: NonNullable<StoreClientOptions["repeatable"]>[number][] = [];
    const { options, requests } = open(json({}, 503));
    const store = new StoreClient({ ...options, baseUrl, token: "token-1", headers, repeatable });
    headers["x-run"] = "2";
    repeatable.push("putExpositions");
    await expect(store.withOptions({ timeout: 5000 }).expositions.upsert("S-1", [])).rejects.toMatchObject({
      attempts: 1,
    });
    expect(requests[0]?.headers["x-run"]).toBe("1");
  });
});

it("the options of a class with getters are read, and kept by withOptions", async () => {
  const { options, requests } = open();
  class Settings {
    readonly fetch = options.fetch;
    get baseUrl(): string {
      return baseUrl;
    }
    get token(): string {
      return "token-1";
    }
    get headers(): Record<string, string> {
      return { "x-own": "1" };
    }
  }
  const store = new StoreClient(new Settings()).withOptions({ retry: 0 });
  await store.stores.get("S-1");
  expect(requests[0]?.headers).toMatchObject({ "x-own": "1", authorization: "Bearer token-1" });
});

it("the options of withOptions, storeFromEnv and fleetFromEnv may have getters as well", async () => {
  const { options, store, fleet, requests } = open();
  class Settings {
    readonly fetch = options.fetch;
    get headers(): Record<string, string> {
      return { "x-own": "1" };
    }
  }
  const env = {
    SHELFLEET_STORE_URL: baseUrl,
    SHELFLEET_TOKEN: "token-1",
    SHELFLEET_FLEET_URL: fleetUrl,
    SHELFLEET_KEY: key,
  };
  await store.withOptions(new Settings()).stores.get("S-1");
  await fleet.withOptions(new Settings()).vehicles.get("1");
  await storeFromEnv(new Settings(), env).stores.get("S-1");
  await fleetFromEnv(new Settings(), env).vehicles.get("1");
  expect(requests.map(({ headers }) => headers["x-own"])).toEqual(["1", "1", "1", "1"]);
});

describe("without what is required", () => {
  const id = "8e1c2a64-0f7d-4b93-a5c8-3d6e9f1b2a70";
  const none = undefined as never;
  it.each<[string, (clients: ReturnType<typeof open>) => PromiseLike<unknown>]>([
    ["fillRates.across", ({ store }) => store.fillRates.across({} as never)],
    ["fillRates.across of nothing", ({ store }) => store.fillRates.across(none)],
    ["fillRates.forStore", ({ store }) => store.fillRates.forStore("S-1", none)],
    [
      "fillRates.forExposition",
      ({ store }) => store.fillRates.forExposition("S-1", id, { from: none, to: none }),
    ],
    ["photos.list", async ({ store }) => store.photos.list("S-1", {} as never)],
    ["protocols.list", async ({ store }) => store.protocols.list("S-1", none)],
    ["stores.get", ({ store }) => store.stores.get(none)],
    ["stores.upsert", ({ store }) => store.stores.upsert("S-1", none)],
    ["contacts.replace", ({ store }) => store.contacts.replace("S-1", none)],
    ["expectations.replace", ({ store }) => store.expectations.replace("S-1", none)],
    ["expositions.upsert", ({ store }) => store.expositions.upsert("S-1", none)],
    ["vehicles.create", ({ fleet }) => fleet.vehicles.create(none)],
    ["inspections.submit", ({ fleet }) => fleet.inspections.submit(none)],
    ["http.GET", ({ store }) => store.http.GET("/v1/fill-rate", none)],
    ["http.PUT", ({ store }) => store.http.PUT("/v1/stores/{externalId}", none)],
  ])("%s rejects, and nothing is sent", async (_, call) => {
    const clients = open();
    await expect(Promise.resolve().then(() => call(clients))).rejects.toMatchObject({
      name: "InvalidRequestError",
    });
    expect(clients.requests).toEqual([]);
  });
});

describe("an aborted call", () => {
  it.each<unknown>([null, 0, "", false, Number.NaN, "text", new Error("stop"), { code: 1 }])(
    "rejects with its reason: %s",
    async (reason) => {
      const controller = new AbortController();
      const { store } = open(() => new Promise(() => controller.abort(reason)));
      const settled = await store.stores.get("S-1", { signal: controller.signal }).then(
        () => "resolved",
        (error: unknown) => [error],
      );
      expect(settled).toEqual([reason]);
      const before = await store.stores
        .get("S-1", { signal: AbortSignal.abort(reason) })
        .catch((error: unknown) => [error]);
      expect(before).toEqual([reason]);
    },
  );
});

describe("what observes a call", () => {
  it.each<[string, () => unknown]>([
    ["throws", () => JSON.parse("disk full") as unknown],
    ["rejects", () => Promise.reject(new Error("disk full"))],
  ])("and %s changes no result, and its first failure is shown", async (_, fail) => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => {});
    const limiter: Limiter = { acquire() {}, onThrottled: fail };
    const log = logTo({ info: fail, warn: fail, error: fail });
    const { options, requests } = open(json({}, 429, { "retry-after": "0" }), json(right));
    const fleet = new FleetClient({ ...options, baseUrl: fleetUrl, key, limiter, log });
    expect(await fleet.damages.create({ description: "roof" })).toEqual({ id: "1" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(2);
    expect(shown.mock.calls.map(([message]) => String(message).split(" failed")[0])).toEqual([
      "shelfleet: onThrottled",
      "shelfleet: log",
    ]);
    shown.mockRestore();
  });

  it("is told at the level info that a call was aborted, whatever the reason", async () => {
    const levels: string[] = [];
    const log = { level: "info" as const, write: (level: string) => void levels.push(level) };
    for (const reason of [
      undefined,
      new Error("stopped"),
      "stopped",
      null,
      new DOMException("x", "TimeoutError"),
    ]) {
      const controller = new AbortController();
      const { options } = open(() => new Promise(() => controller.abort(reason)));
      const store = new StoreClient({ ...options, baseUrl, token: "token-1", log });
      await store.stores.get("S-1", { signal: controller.signal }).catch(() => {});
    }
    expect(levels).toEqual(["info", "info", "info", "info", "info"]);
  });
});

it("a response that is nested too deeply is data, and an error with validate: full", async () => {
  const deep = `{"storeId":"1","more":${"[".repeat(9000)}${"]".repeat(9000)}}`;
  const { store } = open(() => new Response(deep));
  expect(await store.stores.get("S-1")).toHaveProperty("storeId", "1");
  await expect(store.withOptions({ validate: "full", retry: 0 }).stores.get("S-1")).rejects.toMatchObject({
    name: "UnexpectedResponseError",
  });
});

it("a walk that is aborted rejects with any reason", async () => {
  for (const reason of [null, 0, "", "enough"]) {
    const controller = new AbortController();
    const { store } = open(json({ items: [storeRow], nextCursor: "S-1" }));
    const walk = async (): Promise<void> => {
      for await (const _ of store.stores.list({}, { signal: controller.signal })) controller.abort(reason);
    };
    const settled = await walk().then(
      () => "resolved",
      (error: unknown) => [error],
    );
    expect(settled).toEqual([reason]);
  }
});

it("a schema that is a function is a shape", async () => {
  const validate = (value: unknown) => ({ value: { ...(value as object), shaped: true } });
  const photo = Object.assign(() => {}, { "~standard": { version: 1 as const, validate } });
  const { options } = open(json({ items: [{ photoId: "1" }], nextCursor: null }));
  const store = new StoreClient({ ...options, baseUrl, token: "token-1", shapes: { photo } });
  expect(await store.photos.list("S-1", range).toArray()).toEqual([{ photoId: "1", shaped: true }]);
});

it("the cause of a lost connection keeps its stack, without secrets", async () => {
  const lost = new Error("socket token-of-the-cause-1 hang up");
  lost.stack = "Error: socket token-of-the-cause-1 hang up\n    at somewhere.js:1:1";
  const { options } = open(() => Promise.reject(new TypeError("fetch failed", { cause: lost })));
  const store = new StoreClient({ ...options, baseUrl, token: "token-of-the-cause-1", retry: 0 });
  const error = await store.stores.get("S-1").catch((reason: unknown) => reason as Error);
  expect((error as { cause?: Error }).cause?.stack).toBe(
    "Error: socket [redacted] hang up\n    at somewhere.js:1:1",
  );
});
