import { describe, expect, it } from "vitest";
import { redactValue } from "../../src/mock/scenarios/redact-json.ts";
import { Redactor } from "../../src/mock/scenarios/redaction.ts";
import { quotes, shows, tokens } from "../secrets/forms.ts";

function redact(text: string, ...secrets: string[]): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.keep(secret);
  return redactor.redact(text);
}

describe("a secret is redacted in a text", () => {
  it.each(tokens)("in every form that JSON, URLs, HTML and base64 give it: %s", (token) => {
    for (const quote of Object.values(quotes))
      expect(shows(redact(`before ${quote(token)} after`, token), token)).toBe(false);
  });

  it.each(["a", "ab", "abc", "abcd"])(
    "in the base64 of %s and the secret, as of a header or a line",
    (before) => {
      const [token = ""] = tokens;
      const text = Buffer.from(`${before}${token}\n`).toString("base64");
      expect(redact(text, token)).toMatch(/^.{0,8}\[redacted\].{0,8}$/);
    },
  );

  it.each([
    ["t", "Basic dA== of t", "Basic [redacted]== of [redacted]"],
    ["to", "Basic dG8= of to", "Basic [redacted]= of [redacted]"],
    ["secret7", "secret7 c2VjcmV0Nw xsecret7x", "[redacted] [redacted] xsecret7x"],
  ])("a short secret is redacted as a whole word: %s", (secret, text, expected) => {
    expect(redact(text, secret)).toBe(expected);
  });

  it("a secret of eight characters or more is redacted also within words", () => {
    expect(redact("xsecret88x", "secret88")).toBe("x[redacted]x");
    const line = Buffer.from("a secret88 b").toString("base64");
    expect(redact(line, "secret88")).toMatch(/^.{0,4}\[redacted\].{0,4}$/);
  });

  it("what is around it is kept", () => {
    const secret = "Zk3-tok.4f9A_Xy7";
    const texts = ['{"a":"*","b":1}', "a *, b!", "* , (b)", "%20*%22 b"];
    for (const text of texts)
      expect(redact(text.replace("*", secret), secret)).toBe(text.replace("*", "[redacted]"));
  });

  it("a text without the secret is not changed", () => {
    for (const text of ["", "a text", "%2B", "x".repeat(1000)])
      expect(redact(text, "long-secret")).toBe(text);
    expect(redact("the title of t", "t")).toBe("the title of [redacted]");
    for (const text of ["text", "", " - "]) expect(redact(text, "")).toBe(text);
  });
});

describe("a JSON value", () => {
  const secret = "Zk3-tok.4f9A_Xy7/pq+Lm2=vv";

  it.each(Object.entries(quotes))("is redacted in names, strings and numbers: %s", (_, quote) => {
    const redactor = new Redactor();
    redactor.keep(secret);
    redactor.keep("1234567890");
    const quoted = quote(secret);
    const value = { [quoted]: [quoted, { code: quoted, 1234567890: 1234567890 }], kept: [1, null, true] };
    const redacted = redactValue(value, redactor);
    expect(shows(JSON.stringify(redacted), secret)).toBe(false);
    expect(JSON.stringify(redacted)).not.toContain("1234567890");
    expect(redacted).toMatchObject({ kept: [1, null, true] });
  });
});
