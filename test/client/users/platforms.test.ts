// Kinds 9 to 11: clients behind a Proxy, platforms without a global, values of another realm.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient, tokenBucket } from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

/** Wraps an object and all that it holds, as a reactive state or a tracing wrapper does. */
function deepProxy<T extends object>(object: T): T {
  return new Proxy(object, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === "object" && value !== null ? deepProxy(value) : value;
    },
  });
}

function open() {
  const ref = createReferenceServer({ store: { stores: 3 }, fleet: { vehicles: 3 } });
  const { fetch } = ref;
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch });
  const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key: ref.keys[0]?.key ?? "", fetch });
  return { ref, store, fleet };
}

describe("a client inside a Proxy", () => {
  const clients = open();
  const [store, fleet] = [deepProxy(clients.store), deepProxy(clients.fleet)];

  it.each<[string, () => PromiseLike<unknown>]>([
    ["gets a store", () => store.stores.get("S-1")],
    ["lists stores", () => store.stores.list()],
    ["lists vehicles", () => fleet.vehicles.list()],
    ["has the items of a list inside a Proxy", () => deepProxy(store.stores.list()).toArray()],
    ["has withOptions", () => store.withOptions({ retry: 0 }).stores.get("S-1")],
    ["has http", () => store.http.GET("/v1/stores")],
    ["checks scopes", async () => fleet.scopes.check(["vehicles:read"]).allowed.length > 0],
    [
      "drains",
      async () =>
        deepProxy(open().store)
          .drain()
          .then(() => true),
    ],
  ])("%s", async (_, call) => {
    expect(await call()).toBeTruthy();
  });

  it("takes a limiter inside a Proxy", async () => {
    const limiter = deepProxy(tokenBucket({ perSecond: 1000 }));
    expect(await clients.store.withOptions({ limiter }).stores.get("S-1")).toMatchObject({
      externalId: "S-1",
    });
  });
});

it("methods work without their object", async () => {
  const { store } = open();
  const { get } = store.stores;
  const { toArray } = store.stores.list();
  expect(await Promise.all(["S-1", "S-2"].map((id) => get(id)))).toHaveLength(2);
  expect(await toArray()).toHaveLength(3);
});

it("a method as the argument of `map` says that the index is not its options", async () => {
  const { store, sent } = serve(() => [200, storeRow(1)]);
  const get = store.stores.get as (id: string, index: number) => Promise<unknown>;
  await expect(Promise.all(["S-1", "S-2"].map(get))).rejects.toThrow("call: the options must be an object");
  expect(sent).toEqual([]);
});

/** Globals that a test environment or a small runtime may lack. */
const globals =
  "TextDecoder TextEncoder fetch Headers Request Response AbortController AbortSignal Blob URL URLSearchParams DOMException " +
  "structuredClone performance crypto navigator btoa atob ReadableStream setTimeout clearTimeout queueMicrotask FormData Event";
const entries = [
  "index",
  "client/store/index",
  "client/fleet/index",
  "sync/index",
  "client/node",
  "client/opentelemetry",
  "mock/index", // the others import node:http, which needs some of them
];

it("every entry is imported without the globals of the platform", async () => {
  const urls = entries.map((entry) => new URL(`../../../src/${entry}.ts`, import.meta.url).href);
  const program = `for (const name of ${JSON.stringify(globals)}.split(" ")) delete globalThis[name];
let count = 0;
for (const url of ${JSON.stringify(urls)}) count += Object.keys(await import(url)).length > 0 ? 1 : 0;
process.stdout.write(String(count));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe(String(entries.length));
});

describe("a value of another realm", () => {
  const range = { from: runInNewContext("new Date(0)") as Date, to: new Date(1) };

  it.each<[string, (store: StoreClient) => PromiseLike<unknown>]>([
    ["Date in a query", (store) => store.protocols.list("S-001", range)],
    [
      "Date in a list of windows",
      (store) => store.withOptions({ protocolPages: "window" }).protocols.list("S-001", range).toArray(),
    ],
    [
      "object as a body",
      (store) => store.stores.upsert("S-001", runInNewContext("({ name: 'n', x: new Date(0) })") as object),
    ],
    ["array of contacts", (store) => store.contacts.replace("S-001", runInNewContext("[]") as [])],
    [
      "URL as baseUrl",
      async (store) => store.withOptions({ baseUrl: "https://other.example" }).stores.get("S-001"),
    ],
    [
      "object of headers",
      (store) =>
        store.stores.get("S-001", {
          headers: runInNewContext("({ a: '1' })") as object as Record<string, string>,
        }),
    ],
  ])("is taken: %s", async (_, call) => {
    const { store, sent } = serve(({ path }) => [
      200,
      path.endsWith("S-001") ? storeRow(1) : { externalId: "S-001", items: [], nextCursor: null },
    ]);
    await call(store);
    expect(sent.length).toBeGreaterThan(0);
  });
});
