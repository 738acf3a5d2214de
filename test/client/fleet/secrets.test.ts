import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { FleetClient, type FleetClientOptions, ShelfleetError } from "../../../src/client/fleet/index.ts";
import { type Responder, json, stubFetch } from "../core/stub-fetch.ts";
import { anyData, anyPage, baseUrl, key, rejection, stubClient } from "./stub-client.ts";

const everything = { depth: Infinity, showHidden: true, getters: true } as const;

function printAll(value: unknown): string {
  const error =
    value instanceof Error ? `${value.message} ${value.stack} ${inspect(value.cause, everything)}` : "";
  return `${inspect(value, everything)} ${JSON.stringify(value) ?? ""} ${String(value)} ${error}`;
}

describe("a key is never shown", () => {
  it("by a client, its resources or its lists", async () => {
    const { client } = stubClient(() => json(anyPage));
    const list = client.vehicles.list();
    for (const value of [
      client,
      client.vehicles,
      client.scopes,
      list,
      list.items(),
      list.pages(),
      await list,
    ]) {
      expect(printAll(value)).not.toContain(key);
    }
  });

  const responses: [string, Responder][] = [
    [
      "a 401 that quotes it",
      () => json({ errors: [{ code: "UNAUTHORIZED", message: `key ${key}` }] }, { status: 401 }),
    ],
    [
      "a 403 that quotes it",
      () =>
        json({ errors: [{ message: key, details: { required: [key], available: [key] } }] }, { status: 403 }),
    ],
    ["a 500 that quotes it as text", () => new Response(`key=${key}`, { status: 500 })],
    ["a 400 that quotes it in base64", () => new Response(btoa(key), { status: 400 })],
    ["a header that quotes it", () => json({}, { status: 404, headers: { "x-echo": key } })],
    ["HTML with status 200", () => new Response(`<p>${key}</p>`)],
    ["a list without pagination", () => json({ data: [key], meta: {} })],
    [
      "a redirect of a write",
      () => new Response(null, { status: 307, headers: { location: `https://x.example/?k=${key}` } }),
    ],
    [
      "a network error that quotes it",
      () => Promise.reject(new TypeError(`bad header Bearer ${key}`, { cause: new Error(key) })),
    ],
  ];

  it.each(responses)("by the error of %s", async (_, response) => {
    const { client } = stubClient(response, { retry: 0 });
    const calls = [
      () => client.vehicles.list(),
      () => client.vehicles.create({}),
      () => client.inspections.update("11111111-1111-1111-1111-111111111111", {}),
    ];
    for (const call of calls) {
      const error = await rejection(call());
      expect(error).toBeInstanceOf(ShelfleetError);
      expect(printAll(error)).not.toContain(key);
      expect(printAll(error)).not.toContain(btoa(key));
    }
  });

  it("to a hook", async () => {
    const seen: unknown[] = [];
    const keep = (event: unknown): void => void seen.push(event);
    const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onError: keep, onDrift: keep };
    const { client } = stubClient((_, index) => (index === 0 ? json({}, { status: 503 }) : json(anyData)), {
      hooks,
      retry: { maxDelay: 1 },
    });
    await client.vehicles.get("v");
    await rejection(client.vehicles.list());
    expect(seen.length).toBeGreaterThan(4);
    expect(printAll(seen)).not.toContain(key);
  });

  it.each([
    { key: `${key}0` },
    { key, keyPrefix: "other" },
    { environments: { sandbox: baseUrl }, baseUrl: undefined },
    { baseUrl: `https://user:${key}@fleet.example` },
    { headers: { authorization: key } },
  ])("by a ConfigurationError: %#", (options) => {
    const { fetch } = stubFetch(() => json(anyData));
    const all = { baseUrl, key, fetch, ...options } as FleetClientOptions;
    let error: unknown;
    try {
      error = new FleetClient(all);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: "ConfigurationError" });
    expect(printAll(error)).not.toContain(key);
  });
});
