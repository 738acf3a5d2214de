import { describe, expect, it } from "vitest";
import type { UnexpectedResponseError } from "../../../src/client/errors.ts";
import { storeRow } from "../../sync/service.ts";
import { byId, createSmallApi, json, route, store, stubFetch, token } from "./small-api.ts";

function failWith(response: Response, options = {}) {
  const { fetch } = stubFetch(response);
  return createSmallApi({ fetch, retry: 0, ...options })
    .http.GET(route, byId)
    .catch((error: unknown) => error as Error);
}

describe("a successful response", () => {
  it("that is larger than maxResponseBytes is an error with its beginning", async () => {
    const error = await failWith(json({ ...store, name: "x".repeat(100_000) }), { maxResponseBytes: 9000 });
    expect((error as Error).message).toContain("with a body over 9000 bytes (maxResponseBytes)");
    expect((error as UnexpectedResponseError).body).toHaveLength(1024);
  });

  it.each<[string, object, object]>([
    [
      "a name of another type",
      storeRow(1, { externalId: null, name: 5 }),
      { path: "name", message: "must be a string" },
    ],
    ["another store", storeRow(2), { path: "externalId", message: "is not the requested one" }],
    [
      "an inexact number",
      storeRow(1, { externalId: null, x: [1, 2 ** 53] }),
      { path: "x.1", message: "is an integer that JavaScript cannot hold exactly" },
    ],
  ])('with %s is an error under `validate: "full"`', async (_, body, issue) => {
    expect(await failWith(json(body), { validate: "full" })).toMatchObject({ issues: [issue] });
  });
});

describe("an error response", () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{ "x-request-id": "a", "request-id": "b" }, "a"],
    [{ "x-request-id": "", "request-id": "b", "x-correlation-id": "c" }, "b"],
    [{ "x-correlation-id": "c", "x-amzn-requestid": "d" }, "c"],
    [{ "x-amzn-requestid": "d", "cf-ray": "e" }, "d"],
    [{ "cf-ray": "e" }, "e"],
    [{ "x-id": "f" }, undefined],
  ])("with the headers %j has the request ID %s", async (headers, requestId) => {
    expect(await failWith(json({}, 404, headers))).toMatchObject({ requestId });
  });

  it("that is no JSON has its text without the token, also at its end, and without what is not UTF-8", async () => {
    const text = `${"x".repeat(65_530)}${token}`;
    expect(await failWith(new Response(text, { status: 400 }))).toMatchObject({
      body: `${"x".repeat(65_530)}[redac`,
    });
    const latin1 = new Response(Uint8Array.of(0x61, 0xe9), { status: 400 });
    expect(await failWith(latin1)).toMatchObject({ body: "a\ufffd" });
  });

  it("names 20 issues in its message", async () => {
    const list = Array.from({ length: 22 }, (_, n) => n);
    const { http } = createSmallApi();
    const error = await http
      .PUT(route, { ...byId, body: { x: list.map(() => Number.NaN) } as object })
      .catch((caught: unknown) => caught);
    const words = list.slice(0, 20).map((n) => `x.${n}: is NaN, which JSON cannot hold`);
    expect((error as Error).message).toBe(`PUT ${route}: not sent: ${words.join("; ")} (and 2 more)`);
    expect(error).toHaveProperty("issues.length", 22);
  });

  it("has its headers without cookies", async () => {
    const error = await failWith(json({}, 404, { "x-a": "1", "set-cookie": "session=1" }));
    expect([...(error as UnexpectedResponseError).headers.keys()]).toEqual(["content-type", "x-a"]);
  });
});
