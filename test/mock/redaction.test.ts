import { expect, test } from "vitest";
import { bearerToken } from "../../src/wire/credentials.ts";
import { redactHeaders, redaction, redactorOf } from "../../src/mock/http/redaction.ts";
import { formsOf, findSecret, keys, tokens } from "../faults/planted.ts";

/** Requests do not contain HTML. */
const isHtml = (form: string): boolean => /&(#x|amp|lt|gt|quot)/.test(form);

test.each([...tokens, ...keys])("%s is redacted in the forms of URLs, JSON and base64", (secret) => {
  const redact = redaction(redactorOf([secret]), undefined);
  for (const form of formsOf(secret).filter((one) => !isHtml(one)))
    expect(findSecret(redact(`/v1/${form}?x`), secret)).toEqual([]);
});

test("a secret in a request is redacted even if the server does not know it", () => {
  const redact = redaction(redactorOf([]), "unknown-secret");
  expect(redact("/v1/unknown-secret")).toBe("/v1/[redacted]");
});

test("a secret is redacted in the name of a header", () => {
  const redact = redaction(redactorOf(["unknown-secret"]), undefined);
  expect(redactHeaders({ "x-unknown-secret": "1" }, redact)).toEqual({ "x-[redacted]": "1" });
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
