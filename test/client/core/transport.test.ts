import { afterEach, describe, expect, it, vi } from "vitest";
import { byId, createSmallApi, json, route, store, stubFetch } from "./small-api.ts";

afterEach(() => void vi.unstubAllGlobals());

const get = (fetch: unknown, options = {}) =>
  createSmallApi({ fetch: fetch as never, ...options }).http.GET(route, byId);
const text = JSON.stringify(store);

describe("the option fetch", () => {
  it("is the global one at the time of the call", async () => {
    const { http } = createSmallApi();
    vi.stubGlobal("fetch", async () => json(store));
    expect((await http.GET(route, byId)).data).toEqual(store);
  });

  it("gets a request that is not cached and follows no redirect", async () => {
    const { fetch, requests } = stubFetch(json(store));
    await get(fetch);
    const keys = ["cache", "headers", "method", "redirect", "signal", "url"];
    expect(Object.keys(requests[0] ?? {}).toSorted()).toEqual(keys);
    expect(requests[0]).toMatchObject({ method: "GET", redirect: "manual", cache: "no-store" });
    expect(requests[0]?.headers).toMatchObject({
      accept: "application/json",
      authorization: expect.stringContaining("Bearer ") as string,
    });
    expect(requests[0]?.headers).not.toHaveProperty("content-type");
    await createSmallApi({ fetch }).http.PUT(route, { ...byId, body: { name: "A" } });
    expect(requests[1]?.headers).toMatchObject({ "content-type": "application/json" });
  });

  it.each<[string, object, boolean, string]>([
    ["Deno and the global fetch", { Deno: {} }, true, "[object Blob]"],
    ["Deno and a given fetch", { Deno: {} }, false, "[object String]"],
    ["another platform", {}, true, "[object String]"],
  ])("gets the body of a write once: %s", async (_, globals, isGlobal, type) => {
    const { fetch, requests } = stubFetch(json(store));
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    vi.stubGlobal("fetch", fetch);
    await createSmallApi(isGlobal ? {} : { fetch }).http.PUT(route, { ...byId, body: { name: "A" } });
    expect(Object.prototype.toString.call(requests[0]?.body)).toBe(type);
  });

  it.each([undefined, { prototype: {} }])("gets no option `cache` if Request is %o", async (request) => {
    const { fetch, requests } = stubFetch(json(store));
    vi.stubGlobal("Request", request);
    await get(fetch);
    expect(requests[0]).not.toHaveProperty("cache");
  });
});

describe("a body", () => {
  it.each([{}, { "content-length": String(text.length) }])(
    "of exactly maxResponseBytes is not too large, with %j",
    async (given) => {
      const fetch = async () => new Response(text, { headers: given });
      expect((await get(fetch, { maxResponseBytes: text.length })).data).toEqual(store);
    },
  );

  it.each<[string, Record<string, string>]>([
    ["no length", {}],
    ["a length", { "content-length": "1000000" }],
    ["the length of its compressed form", { "content-length": "5", "content-encoding": "gzip" }],
  ])("that is too large, with %s, is not read to its end", async (_, given) => {
    let pulled = 0;
    let isCanceled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        if ((pulled += 1) > 100) controller.close();
      },
      cancel: () => void (isCanceled = true),
    });
    const fetch = async () => new Response(stream, { headers: given });
    await expect(get(fetch, { maxResponseBytes: 25 })).rejects.toThrow("a body over 25 bytes");
    expect([pulled < 6, isCanceled]).toEqual([true, true]);
  });

  it.each([0, 1])("of a test double may be as long as maxResponseBytes and not %i longer", async (more) => {
    const fetch = async () => ({ status: 200, text: async () => text + " ".repeat(more) });
    const isTaken = await get(fetch, { maxResponseBytes: text.length }).then(
      () => true,
      () => false,
    );
    expect(isTaken).toBe(more === 0);
  });

  it.each([1, 7, 100_000])("in chunks of %i bytes is one body", async (size) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...store, name: "ż".repeat(300) }));
    const chunks: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.slice(start, start + size));
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
    const { fetch } = stubFetch(() => new Response(stream()));
    expect((await get(fetch)).data).toMatchObject({ name: "ż".repeat(300) });
  });
});
