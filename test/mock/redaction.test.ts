import { expect, test } from "vitest";
import { bearerToken } from "../../src/wire/credentials.ts";
import { redactHeaders, redaction, redactorOf } from "../../src/mock/http/redaction.ts";
import { keys, quotes, shows, tokens } from "../secrets/forms.ts";

test.each([...tokens, ...keys])("%s is redacted in the forms of URLs, JSON and base64", (secret) => {
  const redact = redaction(redactorOf([secret]), undefined);
  for (const quote of Object.values(quotes))
    expect(shows(redact(`/v1/${quote(secret)}?x`), secret)).toBe(false);
});

test("a secret in a request is redacted even if the server does not know it", () => {
  const redact = redaction(redactorOf([]), "unknown-secret");
  expect(redact("/v1/unknown-secret")).toBe("/v1/[redacted]");
});

test("a secret is redacted in the name of a header", () => {
  const redact = redaction(redactorOf(["unknown-words"]), undefined);
  expect(redactHeaders({ "x-unknown-words": "1" }, redact)).toEqual({ "x-[redacted]": "1" });
});

test("a short secret that the server does not know is not redacted", () => {
  expect(redaction(redactorOf([]), "token")("the title of token")).toBe("the title of token");
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
