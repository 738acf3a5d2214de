// Kind 1: a `fetch` whose response is not that of the platform: node-fetch, React Native, test doubles.
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ConfigurationError, type Hooks, StoreApiError } from "../../../src/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

const row = storeRow(1);
const text = JSON.stringify(row);

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
    expect((result as Error).message).toContain("the option fetch returned");
    expect(sent()).toBe(1);
  });

  it("that cannot be read is told to hooks as the error that the call rejects with", async () => {
    const seen: unknown[] = [];
    const hooks: Hooks = { onResponse: ({ error }) => void seen.push(error) };
    const { result } = await write(() => undefined, { hooks });
    expect(result).toBeInstanceOf(ConfigurationError);
    expect(seen).toEqual([result]);
  });

  it.each([{ "x-request-id": "r-1" }, { get: () => null }, undefined])(
    "with an error status and the headers %o has its code",
    async (headers) => {
      const { result } = await write(() => ({
        status: 404,
        headers,
        json: async () => ({ error: { code: "not_found", message: "no" } }),
      }));
      expect(result).toBeInstanceOf(StoreApiError);
      expect(result).toMatchObject({ code: "not_found", status: 404 });
    },
  );
});
