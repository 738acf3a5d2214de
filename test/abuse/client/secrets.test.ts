// Finding 6: errors of options and lists quoted tokens, also in encodings that were not searched.
import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import { everything } from "../../faults/planted.ts";
import { clientOf, rejection, token } from "./attack.ts";
import { quotes } from "./forms.ts";

const key = `acme_${"0123456789abcdef".repeat(4)}`;
const baseUrl = "https://fleet.example.com/api/third-party/v1";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };

/** The forms of a secret that a value shows. */
function leaks(value: unknown, secret: string): string[] {
  const text = everything(value);
  return [secret, encodeURIComponent(secret)].filter((form) => text.includes(form));
}

async function errorOf(make: () => unknown): Promise<unknown> {
  return rejection(new Promise((resolve) => resolve(make())));
}

describe("the client's errors and objects", () => {
  it("do not quote a token or key in a `keyPrefix` that is the whole key, or returned by a `key` function", async () => {
    const bad = `${key}!`;
    for (const keyPrefix of [key, bad]) {
      for (const given of [key, bad, () => key, () => bad]) {
        const make = (): unknown =>
          new FleetClient({
            baseUrl,
            key: given,
            keyPrefix,
            fetch: async () => Response.json({}),
          }).vehicles.get("v");
        const error = await errorOf(make);
        expect(error).toMatchObject({ name: "ConfigurationError" });
        expect(leaks(error, key.slice(5))).toEqual([]);
      }
    }
  });

  it.each([
    { [token]: 1 },
    { readings: { [token]: "a" } },
    { readings: { "photos.page-shape": token } },
    { strategies: { [token]: "a" } },
    { strategies: { "protocols.next-page": token } },
    { hooks: { [token]: () => {} } },
    { shapes: { [token]: {} } },
    { retry: { [token]: 1 } },
    { headers: { [`${token} a`]: "x" } },
    { headers: { a: `${token}\n` } },
    { baseUrl: `http://stores.example.com/${token}` },
    { baseUrl: `https://stores.example.com/?${encodeURIComponent(token)}` },
    { validate: token },
  ])("do not quote a token or key in the error for the option %j", async (options) => {
    const error = await errorOf(
      () => new StoreClient({ baseUrl: "https://x.example", token, ...(options as object) }),
    );
    expect(error).toMatchObject({ name: "ConfigurationError" });
    expect(leaks(error, token)).toEqual([]);
  });

  it.each([
    (client: StoreClient) => client.stores.get("S", { [token]: 1 } as never),
    (client: StoreClient) => client.stores.get("S", { retry: { [token]: 1 } as never }),
    (client: StoreClient) => client.stores.get("S", { headers: { [`${token} a`]: "x" } }),
    (client: StoreClient) => client.stores.list({ [token]: 1 } as never),
    (client: StoreClient) => client.stores.list({ extra: { [token]: 1 as never } }),
    (client: StoreClient) => client.stores.list({}, { [token]: 1 } as never),
    (client: StoreClient) => client.photos.list("S", { ...range, [token]: 1 } as never),
    (client: StoreClient) => client.protocols.list("S", { ...range, [token]: 1 } as never),
    (client: StoreClient) => client.stores.upsert("S", { openingTimes: { [token]: 1 } as never }),
    (client: StoreClient) => client.stores.list({ resume: token }),
    (client: StoreClient) => client.stores.list().toArray({ max: token as never }),
    (client: StoreClient) => client.fetch(`https://evil.example/${token}`),
    (client: StoreClient) => client.fetch(`https://user:${encodeURIComponent(token)}@stores.example.com/`),
    (client: StoreClient) => client.fetch(`https://stores.example.com/v1/${encodeURIComponent(token)}`),
    (client: StoreClient) => client.fetch("https://stores.example.com/v1", { method: `${token} x` }),
    (client: StoreClient) =>
      client.fetch("https://stores.example.com/v1", { headers: { a: `${token}\n${token}` } }),
    (client: StoreClient) =>
      client.fetch("https://stores.example.com/v1", { headers: { [`${token} `]: "a" } }),
    (client: StoreClient) => client.fetch(`:${token}`),
  ] as const)("do not quote a token or key in the error for an argument: %s", async (call) => {
    const client = clientOf({ fetch: () => Promise.reject(new TypeError("lost")), retry: 0 });
    const error = await errorOf(() => call(client));
    expect(error).toBeInstanceOf(Error);
    expect(leaks(error, token)).toEqual([]);
  });

  it.each(["32 kB of base64", "4 kB of punctuation", "a regular expression"])(
    "do not quote a token or key that is %s",
    async (kind) => {
      const long: Record<string, string> = {
        "32 kB of base64": "q1w2e3r4t5y6u7i8o9p0QAWSEDRF+/Zx".repeat(1024),
        "4 kB of punctuation": "()[]{}*+?.\\^$|/-".repeat(256),
        "a regular expression": "(a+)+$[^\\]{99999}(?<x>",
      };
      const secret = long[kind] as string;
      const client = clientOf({
        token: secret,
        fetch: async () => new Response(`<p>${secret}</p>`, { status: 404 }),
      });
      expect(await rejection(client.stores.get("S"))).toMatchObject({
        name: "StoreApiError",
        body: "<p>[redacted]</p>",
      });
    },
  );

  it("do not quote a token or key after letters whose lower case has another length", async () => {
    const client = clientOf({
      fetch: async () => new Response(`${"İ".repeat(40)}${token} end`, { status: 404 }),
    });
    expect(await rejection(client.stores.get("S"))).toMatchObject({
      body: `${"İ".repeat(40)}[redacted] end`,
    });
  });

  it.each(Object.entries(quotes))(
    "do not quote a token or key in an error of the API that quotes it %s",
    async (_, quote) => {
      const secret = "Zk3-tok.4f9A_Xy7/pq+Lm2=vv";
      const text = `before ${quote(secret)} after`;
      const bodies = [
        text,
        JSON.stringify({ error: { code: "x", message: text, issues: [{ path: text, message: text }] } }),
      ];
      for (const body of bodies) {
        const client = clientOf({ token: secret, fetch: async () => new Response(body, { status: 400 }) });
        const error = await rejection(client.stores.get("S"));
        expect((error as { body: unknown }).body).not.toEqual(body);
        expect(JSON.stringify(error) + JSON.stringify((error as { body: unknown }).body)).not.toContain(
          quote(secret),
        );
      }
    },
  );
});

describe("a cursor or ID that equals the token", () => {
  it("is not shown by a PaginationError", async () => {
    const pages = [
      { items: [{ externalId: "a" }], nextCursor: token },
      { items: [{ externalId: "b" }], nextCursor: token },
      { items: [{ externalId: "c" }], nextCursor: token },
    ];
    const client = clientOf({ fetch: async () => Response.json(pages.shift() ?? {}) });
    const error = await rejection(client.stores.list().take(9));
    expect(error).toMatchObject({ name: "PaginationError", lastCursor: "[redacted]" });
    expect(leaks(error, token)).toEqual([]);
  });

  it("is not shown in the events of hooks", async () => {
    const reported: unknown[] = [];
    const keep = (event: object): void => void reported.push(event);
    const client = clientOf({
      fetch: async (url) =>
        Response.json({ items: [], nextCursor: url.includes("cursor") ? null : token, requestId: token }),
      hooks: { onSend: keep, onRequest: keep, onResponse: keep },
    });
    await client.stores.list().take(9);
    await client.contacts.get(token);
    expect(reported.length).toBeGreaterThanOrEqual(9);
    const text = everything(reported);
    for (const form of [
      token,
      encodeURIComponent(token),
      new URLSearchParams({ a: token }).toString().slice(2),
    ])
      expect(text).not.toContain(form);
  });

  it("is not shown in the drift report of a list", async () => {
    const id = key;
    const drift: unknown[] = [];
    const meta = (page: number) => ({
      pagination: {
        currentPage: page,
        totalPages: 2,
        totalCount: 2,
        hasNextPage: page < 2,
        hasPreviousPage: page > 1,
      },
    });
    const fetch = async (url: string): Promise<Response> => {
      const page = Number(new URL(url).searchParams.get("page") ?? 1);
      return Response.json({ data: page === 1 ? [{ id }] : [{ id }, { id: "b" }], meta: meta(page) });
    };
    const hooks = { onDrift: (event: object) => void drift.push(event) };
    const client = new FleetClient({ baseUrl, key, fetch, hooks });
    for await (const _ of client.vehicles.list().pages());
    expect(JSON.stringify(drift)).toContain("[redacted]");
    expect(JSON.stringify(drift)).not.toContain(key);
    const error = await rejection(client.vehicles.list({ onDrift: "throw" }).take(9));
    expect(error).toMatchObject({ name: "PaginationError" });
    expect(leaks(error, key)).toEqual([]);
  });
});

it("a token of digits is redacted in an error body that quotes it as a number", async () => {
  const digits = "12345678901234";
  const store = new StoreClient({
    baseUrl: "https://stores.example.com",
    token: digits,
    fetch: async () =>
      Response.json({ error: { code: "unauthorized", message: "no", got: Number(digits) } }, { status: 401 }),
  });
  const error = await rejection(store.stores.get("S-1"));
  expect(error).toMatchObject({ status: 401, body: { error: { got: "[redacted]" } } });
  expect(leaks(error, digits)).toEqual([]);
});
