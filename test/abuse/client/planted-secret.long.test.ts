// Finding 6 as a property: no error, log or hook event of the client shows a secret, in any place and encoding.
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { FleetClient, type Hooks, StoreClient, type StoreClientOptions } from "../../../src/index.ts";
import { everything } from "../../faults/planted.ts";
import { settle } from "./attack.ts";
import { type Quote, quotes, shows } from "./forms.ts";
import { raw } from "../../../src/client/raw/index.ts";

const baseUrl = "https://stores.example.com";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const uuid = "11111111-1111-1111-1111-111111111111";

/** A response that quotes the secret. */
type Plant = (quoted: string, status: number) => Response;

const json = (body: unknown, status: number, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const inHeader = (text: string): string => text.replace(/[\r\n\t]+/g, " ").trim();
const withHeader = (name: string, text: string, status: number): Response => {
  const headers = { [name]: inHeader(text) };
  return json({ error: { code: "x", message: "y" } }, status, headers);
};

const plants: Record<string, Plant> = {
  "a text": (quoted, status) => new Response(`before ${quoted} after`, { status }),
  "a page": (quoted, status) => new Response(`<html><b title="${quoted}">${quoted}</b>`, { status }),
  "JSON cut short": (quoted, status) => new Response(`{"error":{"message":"${quoted}`, { status }),
  "a code": (quoted, status) => json({ error: { code: quoted, message: "m" } }, status),
  "a message": (quoted, status) => json({ error: { code: "c", message: `the ${quoted} is bad` } }, status),
  issues: (quoted, status) =>
    json(
      { error: { code: "c", message: "m", issues: [{ path: quoted, message: quoted, code: quoted }] } },
      status,
    ),
  "errors of the fleet": (quoted, status) =>
    json(
      { errors: [{ code: quoted, message: quoted, details: { required: [quoted], available: [quoted] } }] },
      status,
    ),
  "names of properties": (quoted, status) =>
    json({ [quoted]: { [quoted]: 1 }, error: { [quoted]: [quoted] } }, status),
  "names of a list": (quoted) => json({ [quoted]: 1, data: [], meta: { [quoted]: 1 } }, 200),
  "a bare string": (quoted, status) => json(quoted, status),
  "a cursor": (quoted) => json({ items: [{ externalId: quoted }], nextCursor: quoted, data: 5 }, 200),
  "IDs of a list": (quoted) =>
    json(
      {
        data: [{ id: quoted }],
        meta: {
          pagination: {
            currentPage: 7,
            totalPages: 9,
            totalCount: 9,
            hasNextPage: true,
            hasPreviousPage: true,
          },
        },
      },
      200,
    ),
  "values of another type": (quoted) => json({ storeId: { a: quoted }, items: quoted, images: quoted }, 200),
  "a request ID": (quoted, status) => withHeader("x-request-id", quoted, status),
  "a header": (quoted, status) => withHeader("x-echo", quoted, status),
  "a cookie": (quoted, status) => withHeader("set-cookie", quoted, status),
  "a content type": (quoted, status) => withHeader("content-type", quoted, status),
  "Retry-After": (quoted, status) => withHeader("retry-after", quoted, status),
  "a redirect": (quoted) => new Response("", { status: 307, headers: { location: `/${inHeader(quoted)}` } }),
  "a redirect elsewhere": (quoted) =>
    new Response("", { status: 302, headers: { location: `https://127.0.0.1/?${inHeader(quoted)}` } }),
};

/** An error of a `fetch` that quotes the secret. */
const failures: Record<string, (quoted: string) => unknown> = {
  "a message": (quoted) => new TypeError(`bad ${quoted}`),
  "a cause": (quoted) =>
    new TypeError("x", { cause: Object.assign(new Error(quoted), { code: quoted, name: quoted }) }),
  "several causes": (quoted) => new AggregateError([new Error(quoted)], ""),
  "a string": (quoted) => quoted,
  "an object": (quoted) => ({ message: quoted, request: { headers: { authorization: quoted } } }),
};

type Call = (client: StoreClient, secret: string) => PromiseLike<unknown>;

const odd = (value: unknown): never => value as never; // invalid values that a caller without type checks might pass

const calls: Call[] = [
  (client) => client.stores.get("S"),
  (client) => client.stores.upsert("S", {}),
  (client) => client.contacts.replace("S", []),
  (client) => client.stores.list().take(9),
  (client) => client.stores.list(),
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
  (client, secret) => client.fillRates.forExposition(secret, uuid, range),
  (client, secret) => client.fillRates.forExposition("S", secret, range),
  (client, secret) => client.stores.list({ cursor: secret }).take(9),
  (client, secret) => client.stores.list({ extra: { [secret]: secret } }),
  (client, secret) => client.stores.list({ extra: { [secret]: odd(5) } }),
  (client, secret) => client.stores.list({ resume: secret }),
  (client, secret) => client.stores.list(odd({ [secret]: secret })),
  (client, secret) => client.photos.list("S", odd({ ...range, status: secret, protocolId: secret })),
  (client, secret) => client.protocols.list("S", odd({ from: secret, to: secret })),
  (client, secret) => client.fillRates.across(odd({ ...range, externalIds: [secret, `${secret},`] })),
  (client, secret) => client.stores.upsert(secret, odd({ name: 5, [secret]: secret })),
  (client, secret) => client.contacts.replace("S", odd([{ [secret]: secret }])),
  (client, secret) => client.stores.get("S", odd({ [secret]: 1 })),
  (client, secret) => client.stores.get("S", { headers: { "x-own": secret, [`${secret} `]: "x" } }),
  (client, secret) => client.fetch(`${baseUrl}/${encodeURIComponent(secret)}`),
  (client, secret) => client.fetch(`https://evil.example/${encodeURIComponent(secret)}`),
  (client, secret) => client.fetch(secret),
  (client, secret) => raw(client).GET(odd(`/${secret}`)),
  (client, secret) =>
    raw(client).GET("/v1/stores/{externalId}", { params: { path: { externalId: secret } } }),
];

/** Options that contain the secret; invalid ones are rejected. */
const optionsWith: ((secret: string) => object)[] = [
  () => ({}),
  (secret) => ({ [secret]: 1 }),
  (secret) => ({ baseUrl: `${baseUrl}/${encodeURIComponent(secret)}` }),
  (secret) => ({ baseUrl: `http://stores.example.com/${secret}` }),
  (secret) => ({ baseUrl: `${baseUrl}?${encodeURIComponent(secret)}` }),
  (secret) => ({ baseUrl: secret }),
  (secret) => ({ headers: { "x-own": secret } }),
  (secret) => ({ headers: { [secret]: secret } }),
  (secret) => ({ headers: { a: `${secret}\n` } }),
  (secret) => ({ readings: { [secret]: secret } }),
  (secret) => ({ readings: { "photos.page-shape": secret } }),
  (secret) => ({ strategies: { [secret]: secret } }),
  (secret) => ({ hooks: { [secret]: secret } }),
  (secret) => ({ shapes: { [secret]: secret } }),
  (secret) => ({ retry: { [secret]: secret } }),
  (secret) => ({ validate: secret, identify: secret, timeout: secret, limiter: secret }),
  () => ({ validate: "full" }),
];

const letters = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const secrets = fc
  .array(letters, { minLength: 12, maxLength: 48 })
  .map((parts) => parts.join(""))
  .filter((text) => new Set(text.replace(/[^A-Za-z\d]/g, "")).size >= 5);
const quoteOf = fc.constantFrom<[string, Quote][]>(...Object.entries(quotes));
const status = fc.constantFrom(200, 400, 401, 403, 404, 418, 429, 500, 503);

/** Hooks that keep their events. */
function recordingHooks(seen: unknown[]): Hooks {
  const keep = (event: object): void => void seen.push(event);
  return { onSend: keep, onRequest: keep, onResponse: keep, onRetry: keep, onError: keep, onDrift: keep };
}

/** Everything that is visible of a call: its error, the events of hooks, and the log. */
async function observe(act: (hooks: Hooks) => PromiseLike<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const log = vi.spyOn(console, "error").mockImplementation((...words) => void seen.push(...words));
  try {
    await act(recordingHooks(seen));
  } catch (error) {
    seen.push(error);
  } finally {
    await settle();
    log.mockRestore();
  }
  return seen;
}

function expectNoSecret(seen: readonly unknown[], secret: string): void {
  const text = seen.map(everything).join("\n");
  if (shows(text, secret)) throw new Error(`the secret is shown by ${text.slice(0, 3000)}`);
}

/** Much more than a busy machine needs. */
const timeout = 120_000;

const runOptions = { numRuns: Number(process.env["TURNS"] ?? 1) * 250 };

it("a secret in a response is never shown", { timeout }, async () => {
  const plant = fc.constantFrom(...Object.entries(plants));
  const property = fc.asyncProperty(
    secrets,
    quoteOf,
    plant,
    status,
    fc.constantFrom(...calls),
    fc.boolean(),
    async (secret, [, quote], [, respond], code, call, byFunction) => {
      const options: Partial<StoreClientOptions> = {
        baseUrl,
        token: byFunction ? () => secret : secret,
        retry: code === 429 ? 0 : { limit: 1, maxDelay: 0 },
        fetch: async () => respond(quote(secret), code),
      };
      const seen = await observe((hooks) =>
        call(new StoreClient({ baseUrl, token: secret, ...options, hooks }), secret),
      );
      expectNoSecret(seen, secret);
    },
  );
  await expect(fc.assert(property, runOptions)).resolves.toBeUndefined();
});

it("a secret in an error that `fetch` throws is never shown", { timeout }, async () => {
  const property = fc.asyncProperty(
    secrets,
    quoteOf,
    fc.constantFrom(...Object.entries(failures)),
    fc.constantFrom(...calls),
    async (secret, [, quote], [, failure], call) => {
      const fetch = (): Promise<Response> => Promise.reject(failure(quote(secret)));
      const options = { baseUrl, token: secret, retry: { limit: 1, maxDelay: 0 }, fetch };
      expectNoSecret(await observe((hooks) => call(new StoreClient({ ...options, hooks }), secret)), secret);
    },
  );
  await expect(fc.assert(property, runOptions)).resolves.toBeUndefined();
});

it("a secret in an option or an argument is never shown", { timeout }, async () => {
  const property = fc.asyncProperty(
    secrets,
    fc.constantFrom(...optionsWith),
    fc.constantFrom(...callsWith),
    status,
    async (secret, optionsOf, call, code) => {
      const fetch = async (): Promise<Response> =>
        json(
          { items: [{ externalId: secret }], nextCursor: secret, error: { code: "x", message: "y" } },
          code,
        );
      const options = { baseUrl, token: secret, retry: 0, fetch };
      const make = (hooks: Hooks): StoreClient =>
        new StoreClient({ hooks, ...options, ...optionsOf(secret) });
      expectNoSecret(await observe(async (hooks) => call(make(hooks), secret)), secret);
    },
  );
  await expect(fc.assert(property, runOptions)).resolves.toBeUndefined();
});

it("a secret in a key, its prefix or the lists of the fleet is never shown", { timeout }, async () => {
  const key = fc.array(fc.constantFrom(...Array.from("0123456789abcdefABCDEF")), {
    minLength: 64,
    maxLength: 64,
  });
  const prefix = fc.constantFrom(undefined, "acme", "whole", "broken");
  const property = fc.asyncProperty(
    key,
    quoteOf,
    prefix,
    fc.boolean(),
    async (digits, [, quote], given, byFunction) => {
      const secret = `acme_${digits.join("")}`;
      const quoted = quote(secret);
      const fetch = async (url: string): Promise<Response> => {
        const page = Number(new URL(url).searchParams.get("page") ?? 1);
        const pagination = {
          currentPage: page,
          totalPages: 2,
          totalCount: 9 - page,
          hasNextPage: page < 2,
          hasPreviousPage: page > 1,
        };
        return json({ data: [{ id: secret }, { id: quoted }, { id: page }], meta: { pagination } }, 200);
      };
      const keyPrefix = given === "whole" ? secret : given === "broken" ? `${secret}_x` : given;
      const options = { baseUrl, key: byFunction ? () => secret : secret, keyPrefix, fetch };
      for (const onDrift of ["report", "throw"] as const) {
        const walk = (client: FleetClient) => client.vehicles.list({ onDrift }).toArray();
        expectNoSecret(await observe(async (hooks) => walk(new FleetClient({ ...options, hooks }))), secret);
      }
    },
  );
  await expect(fc.assert(property, { numRuns: runOptions.numRuns / 5 })).resolves.toBeUndefined();
});

it("the search for secrets finds each encoding if nothing is redacted", () => {
  const secret = "Zk3-tok.4f9A_Xy7/pq+Lm2=vv";
  const missed = Object.entries(quotes).filter(
    ([, quote]) => !shows(`before ${quote(secret)} after`, secret),
  );
  expect(missed.map(([name]) => name)).toEqual([]);
});
