// Kind 1: a `fetch` whose response is not that of the platform: node-fetch, React Native, test doubles.
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError, type Hooks, StoreApiError } from "../../../src/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

const row = storeRow(1);
const text = JSON.stringify(row);

/** A response whose body something else has begun to read. */
function readOnce(read: (response: Response) => Promise<void>): () => Promise<Response> {
  return async () => {
    const response = new Response(text);
    await read(response);
    return response;
  };
}

function streamOf(...chunks: unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** Writes a store over a `fetch`, and counts its requests. */
async function write(respond: () => unknown, options: object = {}) {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return respond() as Response;
  };
  const store = serve(() => [200]).makeStore({ fetch, retry: { limit: 2, maxDelay: 1 }, ...options });
  const result = await store.stores.upsert("S-001", { name: "n" }).catch((error: unknown) => error);
  return { result, sent: () => sent };
}

it("an error by which Next.js ends a render passes through after one request", async () => {
  const ended = Object.assign(new Error("used no-store fetch"), { digest: "DYNAMIC_SERVER_USAGE" });
  const { result, sent } = await write(() => {
    throw ended;
  });
  expect(result).toBe(ended);
  expect(sent()).toBe(1);
});

describe("a response of fetch", () => {
  it.each<[string, object]>([
    ["{ ok, status, json, text }", { ok: true, json: async () => row, text: async () => text }],
    ["{ status, json }", { json: async () => row }],
    [
      "{ status, headers, text } with headers in an object",
      { headers: { date: "x" }, text: async () => text },
    ],
    ["an empty body and text", { body: undefined, headers: new Headers(), text: async () => text }],
    [
      "a Node stream and arrayBuffer",
      {
        body: Readable.from([text]),
        headers: new Headers(),
        arrayBuffer: async () => new TextEncoder().encode(text).buffer,
      },
    ],
  ])("may be %s", async (_, parts) => {
    expect((await write(() => ({ status: 200, ...parts }))).result).toEqual(row);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a string", text],
    ["an object without a status", { body: text }],
    [
      "a Node stream without a method to read it",
      { status: 200, headers: new Headers(), body: Readable.from([text]) },
    ],
    ["only a status", { status: 200 }],
  ])("that is %s is a ConfigurationError after one request, not a lost connection", async (_, response) => {
    const { result, sent } = await write(() => response);
    expect(result).toBeInstanceOf(ConfigurationError);
    expect((result as Error).message).toContain("fetch returned");
    expect(sent()).toBe(1);
  });

  it.each<[string, () => unknown]>([
    ["was read before", readOnce(async (response) => void (await response.text()))],
    ["is being read", readOnce(async ({ body }) => void body?.getReader())],
    ["is a stream of strings", () => ({ status: 200, body: new Response(streamOf(text)).body })],
    [
      "is read by a method that throws",
      () => ({
        status: 200,
        json() {
          throw new Error("not in this double");
        },
      }),
    ],
  ])("whose body %s is a ConfigurationError after one request, also of a write", async (_, respond) => {
    const { result, sent } = await write(respond);
    expect(result).toBeInstanceOf(ConfigurationError);
    expect((result as Error).message).toContain("read only a clone() of it");
    expect(sent()).toBe(1);
  });

  it("that comes twice is a ConfigurationError in the second call", async () => {
    const response = new Response(text);
    expect((await write(() => response)).result).toEqual(row);
    expect((await write(() => response)).result).toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining("return a new one for each request") as string,
    });
  });

  it.each<[string, object]>([
    [
      "an iterator that fails",
      {
        [Symbol.iterator]() {
          throw new Error("my double");
        },
      },
    ],
    [
      "a method `get` that fails",
      {
        get() {
          throw new Error("my double");
        },
      },
    ],
  ])("with headers of %s fails with the error of the double after one request", async (_, headers) => {
    const { result, sent } = await write(() => ({ status: 404, headers, text: async () => text }));
    expect(result).toMatchObject({ name: "Error", message: "my double" });
    expect(sent()).toBe(1);
  });

  it.each<[string, () => unknown]>([
    [
      "stream",
      () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) })),
    ],
    [
      "method text",
      () => ({ status: 200, text: async () => Promise.reject(new TypeError("Premature close")) }),
    ],
  ])("whose %s breaks off is a lost response, which is repeated", async (_, respond) => {
    const { result, sent } = await write(respond);
    expect(result).toMatchObject({ name: "ConnectionError" });
    expect(sent()).toBe(3);
  });

  it("that cannot be read is told to hooks as the error that the call rejects with", async () => {
    const seen: unknown[] = [];
    const hooks: Hooks = { onResponse: ({ error }) => void seen.push(error) };
    const { result } = await write(() => undefined, { hooks });
    expect(result).toBeInstanceOf(ConfigurationError);
    expect(seen).toEqual([result]);
  });

  it.each<object | undefined>([
    { "x-request-id": "r-1" },
    { "Retry-After": 5, "X-Odd": undefined },
    { get: () => null },
    { get: () => undefined },
    { get: () => undefined, forEach: (visit: (value: string, name: string) => void) => visit("r-1", "a") },
    { "x-city": "Łódź", "not a name": "1" },
    new Map(),
    new Map([["X-Request-Id", "r-1"]]),
    { forEach: (visit: (value: string, name: string) => void) => visit("r-1", "X-Request-Id") },
    [["x-request-id", "r-1"]],
    undefined,
  ])("with an error status and the headers %o has its code", async (headers) => {
    const { result } = await write(() => ({
      status: 404,
      headers,
      json: async () => ({ error: { code: "not_found", message: "no" } }),
    }));
    expect(result).toBeInstanceOf(StoreApiError);
    expect(result).toMatchObject({ code: "not_found", status: 404 });
  });
});

it.each([404, 401, 503, 302])(
  "a Map as headers is read without regard to case: status %i",
  async (status) => {
    const headers = new Map([["X-Request-Id", "r-1"]]);
    const { result } = await write(() => ({ status, headers, text: async () => "{}" }), { retry: 0 });
    expect(result).toMatchObject({ status, requestId: "r-1" });
  },
);

it("the headers of a transport of another copy of the package are in the error", async () => {
  const fields = new Map([["x-request-id", "r-1"]]);
  const headers = {
    get: (name: string) => fields.get(name) ?? null,
    forEach: fields.forEach.bind(fields),
  };
  const { result } = await write(() => ({ status: 404, headers, text: async () => "{}" }), { retry: 0 });
  expect(result).toMatchObject({ requestId: "r-1", headers: new Headers({ "x-request-id": "r-1" }) });
});

describe("an environment without", () => {
  const without = (name: string) => vi.stubGlobal(name, undefined);
  afterEach(() => void vi.unstubAllGlobals());

  it("fetch is a ConfigurationError of the call, until it has one", async () => {
    const { makeStore } = serve(() => [200]);
    const store = makeStore({ fetch: undefined });
    without("fetch");
    await expect(store.stores.get("S-001")).rejects.toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining("this environment has no fetch") as string,
    });
    vi.stubGlobal("fetch", async () => Response.json(row));
    expect(await store.stores.get("S-001")).toEqual(row);
  });

  it("TextDecoder is a ConfigurationError of a response in bytes, after one request", async () => {
    without("TextDecoder");
    const { result, sent } = await write(() => new Response(text));
    expect(result).toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining("set globalThis.TextDecoder") as string,
    });
    expect(sent()).toBe(1);
  });

  it.each<[string, object]>([
    ["text", { text: async () => text }],
    ["json", { json: async () => row }],
    // React Native has both
    ["arrayBuffer and text", { arrayBuffer: async () => new ArrayBuffer(1), text: async () => text }],
  ])("TextDecoder and TextEncoder reads responses with %s", async (_, parts) => {
    without("TextDecoder");
    without("TextEncoder");
    expect((await write(() => ({ status: 200, ...parts }))).result).toEqual(row);
  });

  it.each([undefined, {}, { prototype: {} }])(
    "a whole Request, which is %o, sends nevertheless",
    async (request) => {
      vi.stubGlobal("Request", request);
      expect((await write(() => new Response(text))).result).toEqual(row);
    },
  );
});
