import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { bearerToken } from "../../src/wire/credentials.ts";
import { redactHeaders, redaction, redactorOf, unknownSecrets } from "../../src/mock/http/redaction.ts";
import { keys, tokens } from "../secrets/forms.ts";

test.each([...tokens, ...keys])("%s is redacted in the forms of URLs, JSON and base64", (secret) => {
  const redact = redaction(redactorOf([secret]), []);
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), btoa(secret)];
  for (const form of forms) expect(redact(`/v1/${form}?x`)).toMatch(/^\/v1\/\[redacted\]=*\?x$/);
});

test.each([
  ["authorization", "Bearer unknown-words"],
  ["authorization", "unknown-words"],
  ["authorization", `Basic ${btoa("user:unknown-words")}`],
  ["cookie", "session=unknown-words"],
  ["x-auth-token", "unknown-words"],
])("a secret in a request is redacted even if the server does not know it: %s %s", async (name, value) => {
  const ref = createReferenceServer();
  const target = `${ref.storeUrl}/v1/stores/unknown-words?cursor=unknown-words`;
  const body = JSON.stringify({ storeName: "unknown-words" });
  const headers = { [name]: value, "content-type": "application/json" };
  await (await ref.fetch(target, { method: "PUT", headers, body })).text();
  const [entry] = ref.journal.all();
  expect(entry?.path).toBe("/v1/stores/[redacted]");
  expect(JSON.stringify(entry)).not.toContain("unknown-words");
});

test("a secret is redacted in the name of a header", () => {
  const redact = redaction(redactorOf(["unknown-words"]), []);
  expect(redactHeaders({ "x-unknown-words": "1" }, redact)).toEqual({ "x-[redacted]": "1" });
});

test("a short secret that the server does not know is not redacted", () => {
  const presented = unknownSecrets({ authorization: "Bearer token" }, new Set());
  expect(redaction(redactorOf([]), presented)("the title of token")).toBe("the title of token");
});

test.each([
  [undefined, undefined],
  ["Bearer abc", "abc"],
  ["bearer   abc ", "abc"],
  ["Basic abc", undefined],
  ["Bearer", undefined],
  ["Bearer a b", undefined],
])("the token is read from the header %j", (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
