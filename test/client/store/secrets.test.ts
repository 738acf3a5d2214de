import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Hooks, StoreClient } from "../../../src/client/store/index.ts";
import { respondWith, type Handler, socketServer } from "../core/socket-server.ts";
import { json, stubFetch } from "../core/stub-fetch.ts";
import { socketClient } from "./socket-client.ts";
import { store, stubClient, token } from "./stub-client.ts";

const base64 = btoa(token).replace(/=+$/, "");
const forms = [token, encodeURIComponent(token), base64, base64.replaceAll("+", "-").replaceAll("/", "_")];
// a cut through the middle of the token leaves its beginning
const pieces = [...forms, token.slice(0, 8)];

/** Everything that a log could write about a value. */
function everything(value: unknown): string {
  const causes: unknown[] = [];
  for (let error = value; error instanceof Error; error = error.cause)
    causes.push(error.stack, error.message);
  const printed = inspect(value, {
    showHidden: true,
    depth: Infinity,
    getters: true,
    maxStringLength: Infinity,
  });
  return [printed, String(value), JSON.stringify(value), ...causes].join("\n");
}

function expectNoSecret(value: unknown): void {
  const text = everything(value);
  for (const piece of pieces) expect(text).not.toContain(piece);
}

const quoted = forms.join(" and ");
const escaped = Array.from(token)
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
  .join("");
const cut = " ".repeat(1014) + token;
const responses: [name: string, handler: Handler][] = [
  [
    "an error's message",
    respondWith(401, JSON.stringify({ error: { code: "unauthorized", message: quoted } })),
  ],
  ["an error's code", respondWith(401, JSON.stringify({ error: { code: token, message: "x" } }))],
  [
    "an error's issues",
    respondWith(400, JSON.stringify({ error: { message: "", issues: [{ path: token, message: token }] } })),
  ],
  ["an escaped text", respondWith(400, `{"error":{"code":"x","message":"${escaped}"}}`)],
  ["a member's name", respondWith(400, `{"error":{"code":"x","message":"","${escaped}":1}}`)],
  ["a text", respondWith(404, quoted, { "x-echo": token })],
  ["a page where JSON is due", respondWith(200, `<pre>${quoted}</pre>`)],
  ["a page that is cut within it", respondWith(200, cut)],
  ["a long text that is cut within it", respondWith(500, " ".repeat(65_530) + token)],
  ["a redirect of a write", respondWith(307, "", { location: `/?t=${encodeURIComponent(token)}` })],
  ["JSON cut short", respondWith(200, `{"${token}`)],
];

describe("a secret is nowhere in an error, although the server quotes it in", () => {
  it.each(responses)("%s", async (_, handler) => {
    const { url } = await socketServer(handler);
    const events: unknown[] = [];
    const client = socketClient(url, { hooks: watch(events) });
    const error = await client.stores.upsert("S", {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expectNoSecret(error);
    expectNoSecret(events);
    expect(events.length).toBeGreaterThan(2);
  });

  it("a list's keys and a rejected response", async () => {
    const { client } = stubClient(() => json({ [token]: 1, storeId: token }), { validate: "full" });
    const errors = [
      client.stores.get("S"),
      client.stores.list(),
      client.photos.list("S", { from: new Date(0), to: new Date(1) }).take(1),
    ];
    for (const result of await Promise.allSettled(errors)) {
      expect(result.status).toBe("rejected");
      expectNoSecret(result);
    }
  });
});

it("a secret is nowhere in what a fetch of the caller throws", async () => {
  const thrown = Object.assign(new TypeError(`bad header Bearer ${token}`), {
    request: { headers: { authorization: `Bearer ${token}` } },
    cause: Object.assign(new Error(token), { code: "X", cause: { message: token } }),
  });
  const { client } = stubClient(() => Promise.reject(thrown), { retry: 0 });
  const error = await client.stores.get("S").catch((reason: unknown) => reason);
  expectNoSecret(error);
  expect(error).toMatchObject({ name: "ConnectionError", cause: { cause: { code: "X" } } });
});

it("a secret is nowhere in a client", async () => {
  const { client } = stubClient();
  expect(await client.stores.get("S")).toHaveProperty("storeId");
  expectNoSecret(client);
  expectNoSecret(client.stores.list());
});

it("a secret that cannot be sent is not quoted", async () => {
  for (const wrong of ["with blanks secret-1", "line\nsecret-1", "secret-1ż", ""]) {
    const { fetch, sent } = stubFetch(() => json(store));
    const options = { baseUrl: "https://store.example", fetch };
    expect(() => new StoreClient({ ...options, token: wrong })).toThrow(/^the token must /);
    const error = await new StoreClient({ ...options, token: () => wrong }).stores
      .get("S")
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ name: "ConfigurationError" });
    expect(everything(error)).not.toContain("secret-1");
    expect(sent).toEqual([]);
  }
});

it("a test's short token leaves texts and codes as they are", async () => {
  const body = { error: { code: "not_found", message: "no store t, true to its title", token: "t" } };
  const { client } = stubClient(() => json(body, { status: 404 }), { token: "t" });
  await expect(client.stores.get("S")).rejects.toMatchObject({
    code: "not_found",
    message: "GET /v1/stores/{externalId}: 404 not_found: no store [redacted], true to its title",
    body: { error: { token: "[redacted]" } },
  });
});

function watch(events: unknown[]): Hooks {
  const keep = (event: unknown): void => void events.push(event);
  return { onRequest: keep, onResponse: keep, onRetry: keep, onError: keep };
}
