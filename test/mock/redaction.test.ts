import { expect, test } from "vitest";
import { knownSecrets, redact } from "../../src/mock/kernel/redaction.ts";
import { formsOf, found, keys, tokens } from "../faults/planted.ts";

/** HTML is nothing that comes in a request. */
const isHtml = (form: string): boolean => /&(#x|amp|lt|gt|quot)/.test(form);

test.each([...tokens, ...keys])("%s is taken out in the forms of addresses, JSON and base64", (secret) => {
  const known = knownSecrets([secret]);
  for (const form of formsOf(secret).filter((one) => !isHtml(one)))
    expect(found(redact(`/v1/${form}?x`, known), secret)).toEqual([]);
});

test("a short one is a word like others", () => {
  expect(redact("the title of token", knownSecrets(["token"]))).toBe("the title of token");
});
