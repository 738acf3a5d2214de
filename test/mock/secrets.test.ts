import { describe, expect, test } from "vitest";
import { Secrets } from "../../src/mock/server/secrets.ts";
import { Caller } from "./caller.ts";

/** It has the characters that JSON and URLs spell in several ways. */
const TOKEN = "c2VjcmV0/dG9r+ZW4xMjM0==";
const KEY = `acme_${"a1".repeat(32)}`;

/** The spellings of a secret in a body or a query, which the journal shows decoded. */
const SPELLINGS: Readonly<Record<string, (secret: string) => readonly [query: string, json: string]>> = {
  "of JavaScript": (secret) => [encodeURIComponent(secret), JSON.stringify(secret)],
  "with an open slash, and as PHP does": (secret) => [
    secret.replaceAll("+", "%2B").replaceAll("=", "%3D"),
    JSON.stringify(secret).replaceAll("/", String.raw`\/`),
  ],
  "with small hexadecimal digits, and as Gson does": (secret) => [
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    JSON.stringify(secret).replaceAll("=", String.raw`\u003d`),
  ],
  "in base64": (secret) => [encodeURIComponent(btoa(secret)), JSON.stringify(btoa(secret))],
};

describe.for([
  ["token", TOKEN],
  ["key", KEY],
] as const)("a %s in the journal", ([, secret]) => {
  const caller = () =>
    new Caller({ store: { token: TOKEN, stores: 1 }, fleet: { keys: [{ key: KEY }], vehicles: 1 } });

  test.for(Object.entries(SPELLINGS))("is redacted where it is spelled %s", async ([, spell]) => {
    const server = caller();
    const { ref } = server;
    const [query, json] = spell(secret);
    await server.get(`/v1/stores?cursor=${query}&x=1&x=${query}&${query}=1`);
    await server.get(`/v1/stores/${query}`);
    await server.send("PUT", "/v1/stores/S-1", `{"name":${json},"location":[{${json}:${json}}]}`);
    for (const text of [`token=${secret}`, `token=${query}`, `{"name":${json}`])
      await server.send("PUT", "/v1/stores/S-1", text);
    ref.on("getStore").always({ body: { [secret]: [secret] }, headers: { "x-copy": secret } });
    await server.send("GET", "/v1/stores/S-1", undefined, { "x-copy": secret });
    const entries = JSON.stringify([ref.journal.all(), ref.journal.violations()]);
    const shown = decodeURIComponent(entries).replaceAll("\\", "");
    for (const text of [secret, btoa(secret)]) expect(shown).not.toContain(text);
    const failure = (): unknown =>
      ref.journal.expect({ operation: "putStore", body: { name: `x${secret}` } });
    expect(failure).toThrow(expect.toSatisfy(({ message }: Error) => !message.includes(secret)));
  });

  test("is found by a matcher that names it", async () => {
    const server = caller();
    const { journal } = server.ref;
    await server.put("/v1/stores/S-1", { name: secret });
    expect(journal.find({ body: { name: secret } })).toHaveLength(1);
    expect(journal.find({ headers: { authorization: `Bearer ${TOKEN}` } })).toHaveLength(1);
    expect(journal.find({ headers: { authorization: "Bearer another-token" } })).toEqual([]);
  });
});

test.for([
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "x-auth-token",
  "cookie",
  "x-client-secret",
  "x-jwt",
  "x-auth",
  "x-password",
  "x-session-id",
  "x-signature",
  "x-csrf",
])("the value of the header %s is never shown", async (name) => {
  const caller = new Caller();
  await caller.send("GET", "/v1/stores/S-1", undefined, { [name]: "a-secret-of-another-system" });
  expect(caller.ref.journal.all()[0]?.headers[name]).toBe("[redacted]");
});

test.for(["idempotency-key", "x-trace", "content-type", "x-author"])(
  "the header %s is shown",
  async (name) => {
    const caller = new Caller();
    await caller.send("GET", "/v1/stores/S-1", undefined, { [name]: "a-value-of-the-test" });
    expect(caller.ref.journal.all()[0]?.headers[name]).toBe("a-value-of-the-test");
  },
);

test("other values are shown as they are", () => {
  const secrets = new Secrets();
  secrets.add(TOKEN);
  const value = { a: [1, null, true, "100%", String.raw`C:\new`, "a%2Fb", "aGVsbG8gd29ybGQ="] };
  expect(secrets.json(value)).toEqual(value);
});
