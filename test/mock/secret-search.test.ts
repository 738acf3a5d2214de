import { describe, expect, it } from "vitest";
import { searchSecrets } from "../../src/mock/scenarios/secret-search.ts";
import { keys, quotes, tokens } from "./secret-forms.ts";

describe("a secret is found in a text", () => {
  it.each([...tokens, ...keys])("in every form that JSON, URLs, HTML and base64 give it: %s", (token) => {
    for (const [name, quote] of Object.entries(quotes))
      expect(searchSecrets(["another-secret", token])(`before ${quote(token)} after`), name).toBe(true);
  });

  it.each(["a", "ab", "abc", "abcd"])("in the base64 of %s and the secret", (before) => {
    for (const token of tokens)
      expect(searchSecrets([token])(Buffer.from(`${before}${token}\n`).toString("base64"))).toBe(true);
  });

  it("not if the text has other words", () => {
    for (const text of ["", "a text", "%2B", "x".repeat(1000), "another program, and its secret", "\\u00"])
      expect(searchSecrets(["long-secret-4f9A_Xy7", ...tokens, ...keys])(text)).toBe(false);
    expect(searchSecrets(["t", ""])("the title of t")).toBe(false);
  });
});
