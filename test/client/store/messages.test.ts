import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { anyBody, range, stubClient } from "./stub-client.ts";

describe("a call is rejected", () => {
  it.each(["constructor", "toString", "__proto__", "...", "a..b"])(
    "the id %j is sent as part of the path",
    async (id) => {
      const { client, sent } = stubClient();
      await client.stores.get(id);
      expect(sent[0]?.path).toBe(`/base/v1/stores/${id}`);
    },
  );

  it("with a body that cannot be written", async () => {
    const { client, sent } = stubClient();
    const cycle: { openingTimes?: never } = {};
    cycle.openingTimes = cycle as never;
    await expect(client.stores.upsert("S", cycle)).rejects.toMatchObject({
      message: expect.stringMatching(/not sent: the body: cannot be written as JSON: .*circular/) as string,
      issues: [{ path: "" }],
    });
    expect(sent).toEqual([]);
  });
});

describe("a walk is rejected", () => {
  it.each(["limit", "cursor"])("with a bigint as %s", async (name) => {
    const { client, sent } = stubClient();
    await expect(client.stores.list({ [name]: 5n as never })).rejects.toMatchObject({
      issues: [{ path: name }],
    });
    expect(sent).toEqual([]);
  });

  it("in the name of the protocol list as well", async () => {
    const list = stubClient().client.protocols.list("S-1", range);
    await expect(list.pages({ prefetch: -1 }).next()).rejects.toThrow(
      /^GET \/v1\/stores\/\{externalId\}\/protocols: not sent: prefetch: /,
    );
  });
});

describe("the response of a list", () => {
  const lacks = (keys: string): string =>
    `GET /v1/stores: 200 without an array \`items\` and a \`nextCursor\` that is a string or null; the response has ${keys}`;

  it.each<[unknown, string]>([
    [{}, lacks("no properties")],
    [{ items: [] }, lacks("`items`")],
    [{ nextCursor: null }, lacks("`nextCursor`")],
    [{ items: {}, nextCursor: null }, lacks("`items`, `nextCursor`")],
    [{ items: [], nextCursor: 5 }, lacks("`items`, `nextCursor`")],
    [
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, at])),
      lacks(Array.from({ length: 20 }, (_, at) => `\`m${at}\``).join(", ")),
    ],
    [
      { items: [], nextCursor: "" },
      "GET /v1/stores: the server returned an empty string instead of a cursor or null",
    ],
  ])("%j is rejected", async (body, message) => {
    const { client } = stubClient(() => json(body));
    await expect(client.stores.list()).rejects.toMatchObject({ message });
  });

  it("is quoted where it is rejected", async () => {
    const { client } = stubClient(() => json({ rows: [] }));
    await expect(client.stores.list()).rejects.toMatchObject({ status: 200, body: '{"rows":[]}' });
  });
});

describe("a single response is rejected", () => {
  const route = "GET /v1/stores/{externalId}: 200";

  it.each([
    ["", `${route} with an empty body instead of JSON`],
    ["<p>", `${route} with a body that is not JSON: it looks like HTML, from a proxy or a wrong base URL`],
    [" \n<p>", `${route} with a body that is not JSON: it looks like HTML, from a proxy or a wrong base URL`],
    ['{"a":', `${route} with a body that is not JSON: it begins like JSON and may be cut short`],
    [" [1,", `${route} with a body that is not JSON: it begins like JSON and may be cut short`],
    ["a <b> {", `${route} with a body that is not JSON: see the error's body`],
    ["[]", `${route} with JSON that is not an object`],
    ["{}", `${route} without \`storeId\``],
  ])("where it is %j", async (body, message) => {
    const { client } = stubClient(() => new Response(body));
    await expect(client.stores.get("S")).rejects.toMatchObject({ name: "UnexpectedResponseError", message });
  });

  it.each([{ success: false }, { message: "Maintenance" }, { errors: ["x"] }, { data: { storeId: "1" } }])(
    "where a store is %j",
    async (body) => {
      const { client } = stubClient(() => json(body));
      for (const call of [client.stores.get("S"), client.stores.upsert("S", {})])
        await expect(call).rejects.toMatchObject({
          name: "UnexpectedResponseError",
          message: expect.stringContaining("200 without `storeId`") as string,
        });
    },
  );

  it.each([
    [
      { location: "https://other.example/x" },
      "is a redirect to https://other.example/x, which is not followed",
    ],
    [{}, "is a redirect, which is not followed"],
  ])("where it is a redirect of a write with %j", async (headers, message) => {
    const { client } = stubClient(() => new Response("moved", { status: 307, headers }));
    const { location } = headers as { location?: string };
    await expect(client.stores.upsert("S", {})).rejects.toMatchObject({
      message: `PUT /v1/stores/{externalId}: 307 ${message}`,
      status: 307,
      body: "moved",
      location,
    });
  });
});

it("a write whose redirect fetch followed is rejected, and nothing is sent again", async () => {
  const redirected = () => Object.defineProperty(json(anyBody), "redirected", { value: true });
  const { client, sent } = stubClient(redirected);
  await expect(client.stores.upsert("S-1", { name: "New" })).rejects.toMatchObject({
    name: "UnexpectedResponseError",
    message: "PUT /v1/stores/{externalId}: 0 is a redirect, which is not followed",
  });
  expect(sent).toHaveLength(1);
  expect(await client.stores.get("S-1")).toMatchObject({ externalId: "S-1" });
});

describe("the message of a StoreApiError", () => {
  const unconfigured =
    "the service has no API token configured: its operator must set one, and a retry does not help";
  const unknown = "without a body that the contract describes";

  it.each<[number, unknown, string]>([
    [400, {}, `400 (no code): ${unknown}`],
    [400, { error: { code: "other", message: "" } }, `400 other: ${unknown}`],
    [400, { error: { code: "toString" } }, `400 toString: ${unknown}`],
    [400, { error: { message: "m" } }, "400 (no code): m"],
    [400, { error: { code: "validation_failed" } }, "400 validation_failed: see .issues"],
    [401, { error: { code: "unauthorized" } }, "401 unauthorized: the token is missing or wrong"],
    [
      404,
      { error: { code: "not_found" } },
      "404 not_found: the store, protocol or exposition does not exist",
    ],
    [503, { error: { code: "not_configured" } }, `503 not_configured: ${unconfigured}`],
    [503, { error: { code: "not_configured", message: "m" } }, `503 not_configured: m; ${unconfigured}`],
    [
      400,
      {
        error: {
          code: "a",
          message: "m",
          issues: "abcdef".split("").map((path) => ({ path, message: "n" })),
        },
      },
      "400 a: m (a: n; b: n; c: n; d: n; e: n)",
    ],
  ])("with status %i and body %j", async (status, body, message) => {
    const { client } = stubClient(() => json(body, { status }), { retry: 0 });
    await expect(client.stores.get("S")).rejects.toMatchObject({
      message: `GET /v1/stores/{externalId}: ${message}`,
    });
  });

  it("has no issues if the body has no valid issues", async () => {
    const issues = [
      { path: "a" },
      { message: "b" },
      { path: 5, message: "c" },
      { path: "d", message: 5 },
      "e",
    ];
    for (const given of [issues, "text", undefined]) {
      const { client } = stubClient(() => json({ error: { code: "a", issues: given } }, { status: 400 }));
      await expect(client.stores.get("S")).rejects.toMatchObject({ issues: [] });
    }
  });
});
