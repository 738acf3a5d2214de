import { describe, expect, test } from "vitest";
import { Secrets } from "../../src/mock/server/secrets.ts";
import { Caller } from "./caller.ts";

/** It has the characters that JSON and URLs spell in several ways. */
const TOKEN = "c2VjcmV0/dG9r+ZW4xMjM0==";
const KEY = `acme_${"a1".repeat(32)}`;

const percent = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");

/** The spellings of a secret in a URL or a text. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "of encodeURIComponent": encodeURIComponent,
  "with small hexadecimal digits": (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  "with each character encoded": percent,
  "encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "with an open slash": (secret) => secret.replaceAll("+", "%2B").replaceAll("=", "%3D"),
  "in base64": (secret) => btoa(secret),
  "in base64url": (secret) => btoa(secret).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  "in base64 of Basic": (secret) => btoa(`user:${secret}`),
  "in JSON": (secret) => JSON.stringify({ secret }),
  "in JSON of PHP": (secret) => JSON.stringify({ secret }).replaceAll("/", String.raw`\/`),
  "in JSON of Gson": (secret) =>
    JSON.stringify({ secret }).replaceAll("=", String.raw`\u003d`).replaceAll("_", String.raw`\u005F`),
};

/** A secret without what can be a part of another word, in all decodings that a reader could try. */
function revealed(shown: unknown, secret: string): boolean {
  const text = JSON.stringify(shown);
  const decoded = text.replaceAll(/%[\da-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  const again = decoded.replaceAll(/%[\da-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  const base64 = Array.from(text.matchAll(/[\w+-]{11,}={0,2}/g), ([part]) => {
    try {
      return atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
      return "";
    }
  });
  const all = [text, decoded, again, ...base64]
    .join(" ")
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return all.replaceAll("\\", "").includes(secret);
}

describe.for([
  ["token", TOKEN],
  ["key", KEY],
] as const)("a %s in the journal", ([, secret]) => {
  const caller = () =>
    new Caller({ store: { token: TOKEN, stores: 1 }, fleet: { keys: [{ key: KEY }], vehicles: 1 } });

  test.for(Object.entries(SPELLINGS))("is redacted where it is spelled %s", ([, spell]) => {
    const text = spell(secret);
    const { ref } = caller();
    const send = (method: string, target: string, body?: string, headers: Record<string, string> = {}) =>
      ref.respond({
        base: "store",
        method,
        target,
        body,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
      });
    const inUrl = text.replaceAll(/["{}\\]/g, encodeURIComponent);
    send("GET", `/v1/stores/${inUrl}`);
    send("GET", `/v1/stores/${inUrl}/nothing`);
    send("GET", `/v1/stores?cursor=${inUrl}`);
    send("GET", `/v1/stores?${inUrl}=1&x=1&x=${inUrl}`);
    send("GET", `/v1/nothing/${inUrl}?${inUrl}`);
    send("PUT", "/v1/stores/S-1", JSON.stringify({ name: text, location: [{ [text]: text }] }));
    send("PUT", "/v1/stores/S-1", JSON.stringify({ storeType: text, [text]: 1 }));
    send("PUT", "/v1/stores/S-1", text);
    send("PUT", "/v1/stores/S-1", `token=${text}&x=1`);
    send("GET", "/v1/stores/S-1", undefined, {
      "x-copy": text,
      "x-other": `Bearer ${text}`,
      cookie: `a=1; sid=${text}`,
    });
    ref.on("getStore").always({ body: { text, [text]: [text] }, headers: { "x-copy": text } });
    send("GET", "/v1/stores/S-1");
    ref
      .on("getContacts", { query: {}, headers: { "x-copy": text }, path: { externalId: text } })
      .always({ body: text });
    send("GET", `/v1/stores/${encodeURIComponent(text)}/contacts`, undefined, { "x-copy": text });
    for (const shown of [
      ref.journal.all(),
      ref.journal.find({}),
      ref.journal.violations(),
      ref.overrides.all(),
    ])
      expect(revealed(shown, secret)).toBe(false);
    const matcher = { body: { name: text }, headers: { "x-copy": text }, path: { externalId: text } };
    const failure = (): unknown => ref.journal.expect({ operation: "putStore", ...matcher });
    expect(failure).toThrow(
      expect.toSatisfy(({ message }: Error) => !revealed(message, secret) && message.startsWith("Expected")),
    );
  });

  test("is found by a matcher that names it", async () => {
    const { ref } = caller();
    const server = new Caller(ref);
    await server.put("/v1/stores/S-1", { name: secret });
    expect(ref.journal.find({ body: { name: secret } })).toHaveLength(1);
  });
});

test.for([
  "x-jwt",
  "x-jws-signature",
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "apikey",
  "x-auth-token",
  "cookie",
  "x-csrf-token",
  "x-xsrf",
  "x-session",
  "x-sid",
  "x-hmac",
  "x-saml-assertion",
  "dpop",
  "x-otp",
  "x-user-pwd",
  "x-client-secret",
  "x-signature",
])("the value of the header %s is never shown, nor the same text elsewhere", async (name) => {
  const caller = new Caller();
  const secret = "a-secret-of-another-system";
  await caller.send("PUT", `/v1/stores/S-1?copy=${secret}`, JSON.stringify({ name: secret }), {
    [name]: secret,
  });
  expect(JSON.stringify(caller.ref.journal.all())).not.toContain(secret);
  expect(caller.ref.journal.all()[0]?.headers[name]).toBe("[redacted]");
});

test.for(["idempotency-key", "x-trace", "content-type", "x-author", "x-spinner"])(
  "the header %s is shown",
  async (name) => {
    const caller = new Caller();
    await caller.send("GET", "/v1/stores/S-1", undefined, { [name]: "a-value-of-the-test" });
    expect(caller.ref.journal.all()[0]?.headers[name]).toBe("a-value-of-the-test");
  },
);

test("the password of Basic and the values of cookies are redacted elsewhere too", async () => {
  const caller = new Caller();
  const headers = {
    authorization: `Basic ${btoa("user:open-sesame")}`,
    cookie: "theme=dark; sid=session-1234",
  };
  await caller.send(
    "PUT",
    "/v1/stores/S-1",
    JSON.stringify({ name: "open-sesame", location: "session-1234 dark" }),
    headers,
  );
  expect(caller.ref.journal.all()[0]?.body).toEqual({ name: "[redacted]", location: "[redacted] dark" });
});

test("a JSON Web Token is redacted wherever it is", async () => {
  const caller = new Caller();
  const token = `${btoa('{"alg":"HS256"}').replaceAll("=", "")}.${btoa('{"sub":"1234567890"}').replaceAll("=", "")}.c2lnbmF0dXJl`;
  await caller.send("PUT", `/v1/stores/S-1?token=${token}`, JSON.stringify({ name: `see ${token}` }), {
    "x-copy": token,
  });
  expect(JSON.stringify(caller.ref.journal.all())).not.toContain(token.slice(0, 20));
});

test("other texts are shown as they are", () => {
  const { redaction } = new Secrets();
  const secrets = new Secrets();
  secrets.add(TOKEN);
  const texts = [
    "100%",
    "a%2Fb",
    String.raw`C:\new`,
    "aGVsbG8gd29ybGQ=",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "Aleje Jerozolimskie 1",
    "%E0%A4%A",
  ];
  for (const text of texts)
    expect([redaction.text(text), secrets.redaction.text(text)]).toEqual([text, text]);
  expect(secrets.redaction.json({ a: [1, null, true, "x"] })).toEqual({ a: [1, null, true, "x"] });
});
