// No error, event, log line or object shows a secret, in any place and encoding.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeTransport } from "../../src/client/node/index.ts";
import { raw } from "../../src/client/raw/index.ts";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { clientOf, rejection, token } from "../abuse/client/attack.ts";
import { everything, keys, type Quote, quotes, shows, tokens } from "./forms.ts";
import { leakOf, observe } from "./observe.ts";

const baseUrl = "https://stores.example.com";
const fleetUrl = "https://fleet.example.com/api/third-party/v1";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const [key = ""] = keys;

/** A random secret for each case; SEED selects others. */
const letters = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const randomSecrets = fc
  .array(letters, { minLength: 12, maxLength: 48 })
  .map((parts) => parts.join(""))
  .filter((text) => new Set(text.replace(/[^A-Za-z\d]/g, "")).size >= 5);
const samples = fc.sample(randomSecrets, { numRuns: 50, seed: Number(process.env["SEED"] ?? 1) });
const secretAt = (index: number): string => [...tokens, ...samples][index % (tokens.length + 50)] ?? "";

const json = (body: unknown, status: number, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const inHeader = (text: string): string => text.replace(/[\r\n\t]+/g, " ").trim();
const withHeader = (name: string, text: string, status: number): Response =>
  json({ error: { code: "x", message: "y" } }, status, { [name]: inHeader(text) });
const pagination = (page: number) => ({
  currentPage: page,
  totalPages: 2,
  totalCount: 9 - page,
  hasNextPage: page < 2,
  hasPreviousPage: page > 1,
});

/** Responses that quote a secret. */
const plants: Record<string, (quoted: string, status: number) => Response> = {
  "a text": (quoted, status) => new Response(`before ${quoted} after`, { status }),
  "a text that is cut": (quoted, status) => new Response(" ".repeat(65_530) + quoted, { status }),
  "a page": (quoted, status) => new Response(`<html><b title="${quoted}">${quoted}</b>`, { status }),
  "a page that is cut": (quoted) => new Response(`<html>${" ".repeat(1_010)}${quoted}`),
  "JSON cut short": (quoted, status) => new Response(`{"error":{"message":"${quoted}`, { status }),
  "escapes of JSON": (quoted, status) =>
    new Response(`{"error":{"code":"x","${quoted.split("").map(escapeUnit).join("")}":1}}`, { status }),
  "a code and a message": (quoted, status) =>
    json({ error: { code: quoted, message: `no ${quoted}` } }, status),
  issues: (quoted, status) =>
    json({ error: { issues: [{ path: quoted, message: quoted, code: quoted }] } }, status),
  "errors of the fleet": (quoted, status) =>
    json({ errors: [{ code: quoted, message: quoted, details: { required: [quoted] } }] }, status),
  "names of properties": (quoted, status) =>
    json({ [quoted]: { [quoted]: 1 }, error: { [quoted]: [] } }, status),
  "names of a list": (quoted) => json({ [quoted]: 1, data: [], meta: { [quoted]: 1 } }, 200),
  "a cursor": (quoted) => json({ items: [{ externalId: quoted }], nextCursor: quoted, data: 5 }, 200),
  "IDs of a list": (quoted) => json({ data: [{ id: quoted }], meta: { pagination: pagination(7) } }, 200),
  "values of another type": (quoted) => json({ storeId: { a: quoted }, items: quoted, images: quoted }, 200),
  "a request ID": (quoted, status) => withHeader("x-request-id", quoted, status),
  "a cookie": (quoted, status) => withHeader("set-cookie", quoted, status),
  "a content type": (quoted, status) => withHeader("content-type", quoted, status),
  "Retry-After": (quoted, status) => withHeader("retry-after", quoted, status),
  "a redirect": (quoted) => new Response("", { status: 307, headers: { location: `/${inHeader(quoted)}` } }),
  "a redirect elsewhere": (quoted) =>
    new Response("", { status: 302, headers: { location: `https://127.0.0.1/?${inHeader(quoted)}` } }),
};

function escapeUnit(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Errors of a `fetch` that quote a secret. */
const failures: Record<string, (quoted: string) => unknown> = {
  "a message": (quoted) => new TypeError(`bad ${quoted}`),
  "a cause": (quoted) =>
    new TypeError("x", { cause: Object.assign(new Error(quoted), { code: quoted, name: quoted }) }),
  "several causes": (quoted) => new AggregateError([new Error(quoted)], ""),
  "a string": (quoted) => quoted,
  "an object": (quoted) => ({ message: quoted, request: { headers: { authorization: quoted } } }),
  "a map in a set": (quoted) =>
    Object.assign(new Error("x"), { seen: new Set([new Map([["token", quoted]])]) }),
  "a request": (quoted) => {
    const headers = { authorization: encodeURIComponent(quoted) };
    return Object.assign(new Error("x"), { request: new Request("https://example.com", { headers }) });
  },
  "a URL": (quoted) => {
    const url = new URL("https://example.com");
    url.searchParams.set("token", quoted);
    return Object.assign(new Error("x"), { url, query: url.searchParams });
  },
  "a symbol and a bigint": (quoted) => Object.assign(new Error("x"), { values: [1n, Symbol(quoted)] }),
};

type Call = (client: StoreClient, secret: string) => PromiseLike<unknown>;

const odd = (value: unknown): never => value as never; // invalid values that a caller without type checks might pass

const calls: Call[] = [
  (client) => client.stores.get("S"),
  (client) => client.stores.upsert("S", {}),
  (client) => client.stores.list().take(9),
  (client) => client.protocols.list("S", range).take(9),
  (client) => client.photos.list("S", range).take(9),
  (client) => client.protocols.get("S", "P"),
  (client) => raw(client).GET("/v1/stores"),
  (client) => client.fetch(`${baseUrl}/v1/stores`),
];

/** Calls with the secret in an argument. */
const callsWith: Call[] = [
  (client, secret) => client.stores.get(secret),
  (client, secret) => client.protocols.get(secret, secret),
  (client, secret) => client.fillRates.forExposition(secret, secret, range),
  (client, secret) => client.stores.list({ cursor: secret }).take(9),
  (client, secret) => client.stores.list({ extra: { [secret]: secret } }),
  (client, secret) => client.stores.list({ extra: { [secret]: odd(5) } }),
  (client, secret) => client.stores.list({ resume: secret }),
  (client, secret) => client.stores.list(odd({ [secret]: secret })),
  (client, secret) => client.stores.list({}, odd({ [secret]: 1 })),
  (client, secret) => client.stores.list().toArray({ max: odd(secret) }),
  (client, secret) => client.photos.list("S", odd({ ...range, status: secret, protocolId: secret })),
  (client, secret) => client.protocols.list("S", odd({ from: secret, to: secret })),
  (client, secret) => client.fillRates.across(odd({ ...range, externalIds: [secret, `${secret},`] })),
  (client, secret) => client.stores.upsert(secret, odd({ name: 5, openingTimes: { [secret]: 1 } })),
  (client, secret) => client.contacts.replace("S", odd([{ [secret]: secret }])),
  (client, secret) => client.stores.get("S", odd({ [secret]: 1 })),
  (client, secret) => client.stores.get("S", { retry: odd({ [secret]: 1 }) }),
  (client, secret) => client.stores.get("S", { headers: { "x-own": secret, [`${secret} `]: "x" } }),
  (client, secret) => client.fetch(`${baseUrl}/${encodeURIComponent(secret)}`),
  (client, secret) => client.fetch(`https://evil.example/${encodeURIComponent(secret)}`),
  (client, secret) => client.fetch(`https://user:${encodeURIComponent(secret)}@stores.example.com/`),
  (client, secret) => client.fetch(`${baseUrl}/v1`, { method: `${secret} x` }),
  (client, secret) =>
    client.fetch(`${baseUrl}/v1`, { headers: { a: `${secret}\n${secret}`, [`${secret} `]: "a" } }),
  (client, secret) => client.fetch(`:${secret}`),
  (client, secret) => raw(client).GET(odd(`/${secret}`)),
  (client, secret) =>
    raw(client).GET("/v1/stores/{externalId}", { params: { path: { externalId: secret } } }),
];

/** Options that contain the secret; invalid ones are rejected. */
const optionsWith: ((secret: string) => object)[] = [
  () => ({ validate: "full" }),
  (secret) => ({ [secret]: 1 }),
  (secret) => ({ baseUrl: `${baseUrl}/${encodeURIComponent(secret)}` }),
  (secret) => ({ baseUrl: `http://stores.example.com/${secret}` }),
  (secret) => ({ baseUrl: `${baseUrl}?${encodeURIComponent(secret)}` }),
  (secret) => ({ baseUrl: secret }),
  (secret) => ({ headers: { "x-own": secret, [secret]: secret } }),
  (secret) => ({ headers: { a: `${secret}\n` } }),
  (secret) => ({ readings: { [secret]: secret }, strategies: { [secret]: secret } }),
  (secret) => ({ readings: { "photos.page-shape": secret } }),
  (secret) => ({ hooks: { [secret]: secret } }),
  (secret) => ({ shapes: { [secret]: secret } }),
  (secret) => ({ retry: { [secret]: secret } }),
  (secret) => ({ validate: secret, identify: secret, timeout: secret, limiter: secret }),
];

/** One of ten encodings, with its index, or of as many as ENCODINGS says. */
function quotesAt(row: number): [index: number, name: string, quote: Quote][] {
  const share = Number(process.env["ENCODINGS"] ?? 10);
  const all = Object.entries(quotes).map(([name, quote], index): [number, string, Quote] => [
    index,
    name,
    quote,
  ]);
  return all.filter(([index]) => (index + row) % share === 0);
}

const statuses = [400, 401, 500, 403, 404, 418, 429, 503, 200];

describe("a secret in a response is not shown", () => {
  it.each(Object.entries(plants))("in %s", async (place, respond) => {
    for (const [index, name, quote] of quotesAt(Object.keys(plants).indexOf(place))) {
      const secret = secretAt(index);
      const status = statuses[index % statuses.length] ?? 400;
      const fetch = async (): Promise<Response> => respond(quote(secret), status);
      const given = index % 2 === 0 ? secret : () => secret;
      const call = calls[index % calls.length] as Call;
      const seen = await observe((options) => {
        const retry = status === 429 ? 0 : options.retry;
        return call(new StoreClient({ baseUrl, token: given, ...options, retry, fetch }), secret);
      });
      expect(leakOf(seen, secret, name)).toBe("");
      const ofFleet = await observe(async ({ hooks, log }) => {
        const answer = async (): Promise<Response> => respond(quote(key), status);
        const fleet = new FleetClient({ baseUrl: fleetUrl, key, hooks, log, retry: 0, fetch: answer });
        return index % 2 === 0 ? fleet.vehicles.create({}) : fleet.vehicles.list();
      });
      expect(leakOf(ofFleet, key, name)).toBe("");
    }
  });

  it.each([300, 302, 307, 400, 500])("that `client.fetch` returns with status %i", async (status) => {
    for (const respond of Object.values(plants)) {
      const { body, headers } = respond(encodeURIComponent(token), status);
      headers.set(
        "location",
        `https://user:${encodeURIComponent(token)}@127.0.0.1/${encodeURIComponent(token)}`,
      );
      const client = clientOf({ retry: 0, fetch: async () => new Response(body, { status, headers }) });
      const response = await client.fetch(`${baseUrl}/v1/stores`, { method: "PUT" });
      expect(response.status).toBe(status);
      expect(leakOf([...response.headers, await response.text()], token)).toBe("");
    }
  });

  it("to a request of the fleet, with any prefix of the key", async () => {
    for (const [index, , quote] of quotesAt(0)) {
      const secret = keys[index % 2] ?? "";
      const fetch = async (url: string): Promise<Response> => {
        const page = Number(new URL(url).searchParams.get("page") ?? 1);
        const data = [{ id: secret }, { id: quote(secret) }, { id: page }];
        return json({ data, meta: { pagination: pagination(page) } }, 200);
      };
      for (const keyPrefix of [undefined, "acme", secret, `${secret}_x`]) {
        const given = { keyPrefix, key: index % 3 === 0 ? () => secret : secret };
        const seen = await observe(async ({ hooks }) =>
          new FleetClient({ baseUrl: fleetUrl, ...given, fetch, hooks }).vehicles
            .list({ onDrift: index % 2 === 0 ? "throw" : "report" })
            .toArray(),
        );
        expect(leakOf(seen, secret.slice(5))).toBe("");
      }
    }
  });
});

it.each(Object.entries(failures))("a secret in an error of `fetch` is not shown: %s", async (_, failure) => {
  for (const [index, name, quote] of quotesAt(0)) {
    const secret = secretAt(index);
    const fetch = (): Promise<Response> => Promise.reject(failure(quote(secret)));
    const call = calls[index % calls.length] as Call;
    const seen = await observe((options) =>
      call(new StoreClient({ baseUrl, token: secret, ...options, fetch }), secret),
    );
    expect(leakOf(seen, secret, name)).toBe("");
  }
});

it.each(optionsWith.map((optionsOf, index) => [index, optionsOf] as const))(
  "a secret in an option or an argument is not shown: options %i",
  async (row, optionsOf) => {
    for (const [index, call] of callsWith.entries()) {
      const secret = secretAt(row + index);
      const body = {
        items: [{ externalId: secret }],
        nextCursor: secret,
        error: { code: "x", message: "y" },
      };
      const fetch = async (): Promise<Response> => json(body, statuses[index % statuses.length] ?? 400);
      const seen = await observe(async (options) =>
        call(
          new StoreClient({ baseUrl, token: secret, ...options, retry: 0, fetch, ...optionsOf(secret) }),
          secret,
        ),
      );
      expect(leakOf(seen, secret, String(call))).toBe("");
    }
  },
);

it.each([
  { key: `${key}0` },
  { keyPrefix: "other" },
  { environments: { sandbox: fleetUrl }, baseUrl: undefined },
  { baseUrl: `https://user:${key}@fleet.example` },
  { headers: { authorization: key } },
])("a key is not shown by the ConfigurationError of options: %#", (options) => {
  const seen: unknown[] = [];
  try {
    seen.push(new FleetClient({ baseUrl: fleetUrl, key, ...options }));
  } catch (error) {
    seen.push(error);
  }
  expect(seen).toMatchObject([{ name: "ConfigurationError" }]);
  expect(leakOf(seen, key)).toBe("");
});

it("a client, its lists and its calls do not show a secret, and a secret that cannot be sent is not quoted", async () => {
  const options = { fetch: async () => json({ storeId: "1" }, 200) };
  for (const secret of [...tokens, ...keys]) {
    const store = new StoreClient({ ...options, baseUrl, token: secret });
    const fleet = new FleetClient({ ...options, baseUrl: fleetUrl, key });
    const call = store.stores.get("S");
    const lists = [store.stores.list(), store.stores.list().pages(), fleet.vehicles.list()];
    expect(
      leakOf([store, store.stores, raw(store), fleet, fleet.scopes, call, await call, ...lists], secret),
    ).toBe("");
    expect(leakOf([fleet, ...lists], key)).toBe("");
  }
  for (const wrong of ["with blanks secret-1", "line\nsecret-1", "secret-1ż", ""])
    for (const given of [wrong, () => wrong]) {
      const error = await rejection(
        (async () => new StoreClient({ ...options, baseUrl, token: given }).stores.get("S"))(),
      );
      expect(error).toMatchObject({ name: "ConfigurationError" });
      expect(everything(error)).not.toContain("secret-1");
    }
});

describe("a token that a function returns", () => {
  it("is redacted after 66 others, by a new call and by a client with other options", async () => {
    const given: string[] = [];
    const next = () => given[given.push(randomUUID()) - 1] ?? "";
    const client = clientOf({ token: next, retry: 0, fetch: async () => json(given[0], 400) });
    for (let call = 0; call < 70; call += 1) await rejection(client.stores.get("S"));
    for (const other of [client, client.withOptions({ timeout: 5_000 })])
      expect(leakOf([await rejection(other.stores.get("S"))], given[0] ?? "")).toBe("");
  });

  it("is not shown by an error of the function; another error is thrown as it is", async () => {
    const other = Object.assign(new RangeError("no network"), { config: { retries: 3 } });
    const errorOf = async (failure: unknown): Promise<unknown> => {
      const results = [Promise.resolve(token), Promise.reject(failure)];
      results[1]?.catch(() => {});
      const fetch = async () => json({ storeId: "1" }, 200);
      const client = clientOf({ token: () => results.shift() as Promise<string>, retry: 0, fetch });
      await client.stores.get("S");
      return rejection(client.stores.get("S"));
    };
    for (const make of Object.values(failures)) expect(leakOf([await errorOf(make(token))], token)).toBe("");
    expect(await errorOf(other)).toBe(other);
  });
});

it.each([
  [
    "a short token leaves words as they are",
    "t",
    "no t, true to its title",
    "no [redacted], true to its title",
  ],
  ["32 kB of base64", "q1w2e3r4t5y6u7i8o9p0QAWSEDRF+/Zx".repeat(1_024), undefined, "[redacted]"],
  ["4 kB of punctuation", "()[]{}*+?.\\^$|/-".repeat(256), undefined, "[redacted]"],
  ["a regular expression", "(a+)+$[^\\]{99999}(?<x>", undefined, "[redacted]"],
  [
    "letters that grow in lower case",
    token,
    `${"İ".repeat(40)}${token} end`,
    `${"İ".repeat(40)}[redacted] end`,
  ],
  ["a number", "12345678901234", "12345678901234", "[redacted]"],
])("a secret in a body is redacted: %s", async (_, secret, text = secret, expected) => {
  const client = clientOf({ token: secret, fetch: async () => new Response(text, { status: 404 }) });
  expect(await rejection(client.stores.get("S"))).toMatchObject({ body: expected });
});

it("a cursor that equals the token is not shown by a PaginationError", async () => {
  const pages = ["a", "b", "c"].map((externalId) => ({ items: [{ externalId }], nextCursor: token }));
  const client = clientOf({ fetch: async () => json(pages.shift() ?? {}, 200) });
  const error = await rejection(client.stores.list().take(9));
  expect(error).toMatchObject({ name: "PaginationError", lastCursor: "[redacted]" });
});

it("the password of an http proxy is not shown by errors, in any form", async () => {
  const server = createServer((request, response) => {
    const given = request.headers["proxy-authorization"] ?? "";
    response.writeHead(400, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ error: { code: "x", message: `${given} ${atob(given.slice(6))} p%40ss` } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const transport = nodeTransport({ proxy: `http://user:p%40ss@127.0.0.1:${port}` });
  onTestFinished(async () => void (await transport.close(), server.close()));
  const error = await rejection(
    clientOf({ baseUrl: "http://127.0.0.1:9", retry: 0, transport }).stores.get("S"),
  );
  expect((error as Error).message).toContain("[redacted]");
  expect(everything([error, transport])).not.toMatch(/p@ss|p%40ss|dXNlcjpwQHNz/);
});

it.each(tokens)("the reference server keeps %s out of its journal and its responses", async (secret) => {
  const ref = createReferenceServer({ store: { token: secret }, fleet: { keys: [{ key, scopes: [] }] } });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: secret, fetch: ref.fetch });
  for (const [, , quote] of quotesAt(0)) {
    const text = quote(secret);
    await store.stores.upsert(`x ${text}`, odd({ name: text, [text]: 1 })).catch(() => {});
    await store.stores.list({ cursor: text, extra: { [text]: text } }).then(() => {});
  }
  const { journal } = ref;
  const shown = [...journal.all(), ...journal.violations(), ...ref.overrides.all()];
  expect(leakOf(shown, secret)).toBe("");
  for (const fault of ["malformed", "html"] as const)
    for (const wrong of [secret, `${secret}-wrong`]) {
      ref.on("getStore").fault(fault).times(1);
      const headers = { authorization: `Bearer ${wrong}` };
      const response = await ref.fetch(`${ref.storeUrl}/v1/stores/none`, { headers });
      expect(leakOf([[...response.headers], await response.text()], wrong)).toBe("");
    }
});

it("the search for secrets finds each encoding if nothing is redacted", () => {
  const secret = "Zk3-tok.4f9A_Xy7/pq+Lm2=vv";
  const missed = Object.entries(quotes).filter(
    ([, quote]) => !shows(`before ${quote(secret)} after`, secret),
  );
  expect(missed.map(([name]) => name)).toEqual([]);
});
