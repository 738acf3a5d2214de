import { describe, expect, it } from "vitest";
import { ConfigurationError, StoreClient } from "../../../src/client/store/index.ts";
import { json, stubFetch } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";

const baseUrl = "https://store.example";
const good = { baseUrl, token };

const wrong: [name: string, options: object | null | undefined][] = [
  ["nothing", undefined],
  ["null", null],
  ["no base address", { token }],
  ["an address that is no URL", { ...good, baseUrl: 5 }],
  ["an object with a list as its address", { ...good, baseUrl: { href: [baseUrl] } }],
  ["an address with the version", { ...good, baseUrl: `${baseUrl}/v1/` }],
  ["an address without a scheme", { ...good, baseUrl: "store.example" }],
  ["an address of another scheme", { ...good, baseUrl: "ftp://store.example" }],
  ["an address of another scheme on this machine", { ...good, baseUrl: "ftp://localhost" }],
  ["http to a host that is not loopback", { ...good, baseUrl: "http://store.example" }],
  ["http to a host that sounds like loopback", { ...good, baseUrl: "http://127.0.0.1.example" }],
  ["http to a host that ends like loopback", { ...good, baseUrl: "http://notlocalhost" }],
  ["a user in the address", { ...good, baseUrl: `https://user:${token}@store.example` }],
  ["a query in the address", { ...good, baseUrl: `${baseUrl}?key=${encodeURIComponent(token)}` }],
  ["a fragment in the address", { ...good, baseUrl: `${baseUrl}#${token}` }],
  ["no token", { baseUrl }],
  ["an empty token", { baseUrl, token: "" }],
  ["a token that is a number", { baseUrl, token: 5 }],
  ["a token with a blank", { baseUrl, token: `${token} ${token}` }],
  ["a timeout of 0", { ...good, timeout: 0 }],
  ["a timeout that is a text", { ...good, timeout: "5" }],
  ["a timeout that no timer can hold", { ...good, timeout: 2 ** 31 }],
  ["a total timeout below 0", { ...good, totalTimeout: -1 }],
  ["retries below 0", { ...good, retry: -1 }],
  ["retries that are no number", { ...good, retry: Number.NaN }],
  ["retries that are a text", { ...good, retry: "2" }],
  ["a limit of retries that is a fraction", { ...good, retry: { limit: 1.5 } }],
  ["a longest wait below 0", { ...good, retry: { maxDelay: -1 } }],
  ["a header that is none", { ...good, headers: { "a b": "x" } }],
  ["a header's value with a line break", { ...good, headers: { a: `x\n${token}` } }],
  ["a header's value beyond bytes", { ...good, headers: { a: "ż" } }],
  ["an authorization of one's own", { ...good, headers: { AUTHORIZATION: token } }],
  ["headers that are a list", { ...good, headers: [["a", "b"]] }],
  ["a fetch that is none", { ...good, fetch: "fetch" }],
  ["hooks that are none", { ...good, hooks: () => {} }],
  ["a hook that is none", { ...good, hooks: { onRequest: true } }],
  ["a hook that nobody knows", { ...good, hooks: { onRequests: () => {} } }],
  ["a way to validate that nobody knows", { ...good, validate: "fully" }],
  ["a gap that nobody knows", { ...good, readings: { "photos.shape": "no-list" } }],
  ["an unknown reading of a gap", { ...good, readings: { "photos.page-shape": "x" } }],
  ["a strategy that nobody knows", { ...good, strategies: { "protocols.next-page": "guess" } }],
  ["a shape that nobody knows", { ...good, shapes: { store: {} } }],
  ["a shape that is no schema", { ...good, shapes: { photo: { parse: () => 1 } } }],
  ["an identify that is no function", { ...good, identify: "protocolId" }],
  ["a signal for the whole client", { ...good, signal: new AbortController().signal }],
  ["an option that nobody knows", { ...good, tiemout: 5 }],
];

describe("a StoreClient is not made with", () => {
  it.each(wrong)("%s", (_, options) => {
    const make = (): unknown => new StoreClient(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(token);
    expect(make).not.toThrow(encodeURIComponent(token));
  });

  it("a reading that are unknown, and names those that it knows", () => {
    const readings = { "photos.page-shape": "list" };
    expect(() => new StoreClient({ ...good, readings } as never)).toThrow(
      "items-nextCursor, photos-nextCursor",
    );
  });
});

describe("a base URL", () => {
  it.each([
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.9.9.9:1/",
    "http://127.10.200.30",
    "http://[::1]:3000",
    "http://a.localhost",
    "http://store.test.localhost",
    "https://store.example/a/b//",
  ])("may be %s", async (address) => {
    const { fetch, sent } = stubFetch(() => json(store));
    await new StoreClient({ baseUrl: address, token, fetch }).stores.get("S");
    expect(sent[0]?.url).toBe(`${address.replace(/\/+$/, "")}/v1/stores/S`);
  });

  it("may be http anywhere where that is allowed", async () => {
    const { client, sent } = stubClient(undefined, { baseUrl: "http://store.example", allowInsecure: true });
    await client.stores.get("S");
    expect(sent).toHaveLength(1);
  });
});

describe("a call", () => {
  it.each([
    { timeout: 0 },
    { totalTimeout: Number.NaN },
    { retry: -1 },
    { headers: { authorization: "x" } },
    { headers: new Map([["a", "b"]]) },
    { signal: {} },
    { signals: [] },
    { fetch: globalThis.fetch },
  ])("is not sent with %j", async (options) => {
    const { client, sent } = stubClient();
    await expect(client.stores.get("S", options as never)).rejects.toBeInstanceOf(ConfigurationError);
    await expect(client.stores.list({}, options as never)).rejects.toBeInstanceOf(ConfigurationError);
    expect(sent).toEqual([]);
  });

  it("lays its headers over the client's", async () => {
    const { client, sent } = stubClient(undefined, { headers: { "X-One": "1", "X-Two": "1" } });
    await client.stores.get("S", { headers: { "x-two": "2", "X-Three": "3" } });
    expect(sent[0]?.headers).toMatchObject({ "x-one": "1", "x-two": "2", "x-three": "3" });
  });

  it("looks up the global fetch when it is made, not when the client is", async () => {
    const client = new StoreClient(good);
    const { fetch, sent } = stubFetch(() => json(store));
    const own = globalThis.fetch;
    globalThis.fetch = fetch as typeof globalThis.fetch;
    try {
      await client.stores.get("S");
    } finally {
      globalThis.fetch = own;
    }
    expect(sent).toHaveLength(1);
  });
});
