// Kinds 6 and 7: tokens that are made of words, and headers that frame a message.
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

describe("a token of words", () => {
  it.each([
    ["unauthorized", 401],
    ["unauthorized-token", 401],
    ["validation_failed", 400],
    ["validation-token", 400],
    ["not_found", 404],
    ["not-found-token", 404],
    ["not_configured", 503],
    ["my-configured-token", 503],
  ])("(%s) leaves the error code and the paths of issues as they came", async (token, status) => {
    const code = { 400: "validation_failed", 401: "unauthorized", 404: "not_found", 503: "not_configured" }[
      status
    ];
    const issues = [{ path: "validation_failed", message: `token ${token}` }];
    const { makeStore } = serve(() => [status, { error: { code, message: `bad ${token}`, issues } }]);
    const error = await makeStore({ token })
      .stores.get("S-1")
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code,
      issues: [{ path: "validation_failed", message: "token [redacted]" }],
      body: { error: { code, message: "bad [redacted]" } },
    });
  });
});

describe("a header of the caller's own incoming request", () => {
  it.each(["content-length", "Content-Length", "transfer-encoding", "host", "connection", "authorization"])(
    "%s is refused before anything is sent",
    async (name) => {
      const { store, sent, makeStore } = serve(() => [200, storeRow(1)]);
      const headers = { [name]: "5" };
      await expect(store.stores.upsert("S-1", { name: "n" }, { headers })).rejects.toBeInstanceOf(
        ConfigurationError,
      );
      await expect(store.stores.get("S-1", { headers: new Headers(headers) })).rejects.toBeInstanceOf(
        ConfigurationError,
      );
      expect(() => makeStore({ headers })).toThrow(ConfigurationError);
      expect(sent).toEqual([]);
    },
  );
});
