import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Redactor } from "../../../src/wire/secret.ts";
import { byId, createSmallApi, json, route, stubFetch, token } from "./small-api.ts";

describe("the redactor", () => {
  const secret = 'a"b/c+d=e\\f g';
  it.each([
    ["itself", secret],
    ["in a URL", encodeURIComponent(secret)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in base64", btoa(secret)],
  ])("removes a secret %s", (_, form) => {
    const redactor = new Redactor();
    redactor.add(secret);
    expect(redactor.redact(`before ${form} after`)).toMatch(/^before \[redacted\]=* after$/);
  });

  it("removes a short secret only as a whole word", () => {
    const redactor = new Redactor();
    redactor.add("abc");
    expect(redactor.redact("abc abcd xabc 'abc'")).toBe("[redacted] abcd xabc '[redacted]'");
  });
});

describe("a token", () => {
  it.each([
    ["an error body", () => json({ error: { code: "x", message: `bad ${token}` } }, 400)],
    ["a header", () => json({}, 400, { "x-echo": token })],
    ["HTML", () => new Response(`<p>${token}</p>`, { status: 502 })],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: `https://x.example/?t=${token}` } }),
    ],
    ["a body that is not JSON", () => new Response(`oops ${token}`)],
    ["a failure of fetch", () => Promise.reject(new TypeError(`invalid header Bearer ${token}`))],
  ])("that the service or platform quotes in %s is in no part of the error", async (_, respond) => {
    for (const credential of [token, () => token]) {
      const { fetch } = stubFetch(respond);
      const error = await createSmallApi({ fetch, retry: 0 }, { credential })
        .http.GET(route, byId)
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      const shown = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`;
      expect(shown).not.toContain(token);
    }
  });
});
