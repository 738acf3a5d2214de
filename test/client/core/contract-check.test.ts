import { instantRule } from "../../../src/wire/instant.ts";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { rejection } from "../../sync/service.ts";
import { byId, createSmallApi, json, route, store, stubFetch } from "./small-api.ts";

const list = "/v1/stores/{externalId}/protocols";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

function api() {
  const { fetch, requests } = stubFetch(() => json({ ...store, items: [], nextCursor: null }));
  return { ...createSmallApi({ fetch }), requests };
}

it("a route that the contract does not name is refused with those that it names", async () => {
  const { http, requests } = api();
  await expect(http.GET("/v1/store/{externalId}" as typeof route, byId)).rejects.toMatchObject({
    name: "InvalidRequestError",
    message: expect.stringMatching(
      /^GET \/v1\/store\/{externalId}: not sent: route: is not in the contract\. Expected one of GET \/v1\/stores, /,
    ) as unknown,
  });
  expect(requests).toEqual([]);
});

const valueRule =
  "must be a well-formed string, a finite number, a boolean, a Date, or a non-empty array of non-empty strings without commas";

describe("a query", () => {
  const send = async (query: object) => {
    const { http, requests } = api();
    await http.GET(list, {
      params: { path: { externalId: "S-1" }, query: { ...range, ...query } },
    });
    return new URL(requests[0]?.url ?? "").searchParams;
  };

  it("has instants in UTC, whatever form and realm they have", async () => {
    const foreign = runInNewContext("new Date(0)") as Date;
    const sent = await send({ from: foreign, to: "2026-02-01T02:00:00+02:00" });
    expect(Object.fromEntries(sent)).toEqual({
      from: "1970-01-01T00:00:00.000Z",
      to: "2026-02-01T00:00:00.000Z",
    });
  });

  it("has numbers as they are, and leaves undefined out", async () => {
    expect((await send({ limit: 20, status: undefined })).toString()).toContain("limit=20");
  });

  it("sends extra parameters unchanged", async () => {
    const sent = await send({ extra: { "a b": "c&d", n: 1, none: undefined } });
    expect([...sent].slice(2)).toEqual([
      ["a b", "c&d"],
      ["n", "1"],
    ]);
  });

  it.each<[object, string]>([
    [{ limit: 0 }, "limit: must be at least 1"],
    [{ limit: 101 }, "limit: must be at most 100"],
    [{ limit: 1.5 }, "limit: must be an integer"],
    [{ limit: Number.NaN }, `limit: ${valueRule}`],
    [{ limit: null }, `limit: ${valueRule}`],
    [{ extra: { a: Infinity } }, `a: ${valueRule}`],
    [{ extra: "a=b" }, "extra: must be an object"],
    [{ status: [] }, `status: ${valueRule}`],
    [{ status: ["a", ""] }, `status: ${valueRule}`],
    [{ status: ["a", 5] }, `status: ${valueRule}`],
    [{ status: ["a", "b,c"] }, `status: ${valueRule}`],
    [{ status: "\ud800" }, `status: ${valueRule}`],
    [{ status: new Map() }, `status: ${valueRule}`],
    [
      { status: "done" },
      "status: must be one of awaiting_submission, awaiting_processing, processing, completed, failed",
    ],
    [{ from: "2026-01-01" }, `from: ${instantRule}`],
    [{ from: "2026-01-01T00:00:00" }, `from: ${instantRule}`],
    [{ from: { toISOString: () => "2026-01-01T00:00:00Z" } }, `from: ${instantRule}`],
    [{ from: new Date(Number.NaN) }, `from: ${instantRule}`],
    [{ to: null }, `to: ${instantRule}`],
    [{ limt: 5 }, "limt: is not a parameter. Expected one of from, to, status, limit"],
  ])("%j is refused before anything is sent", async (query, words) => {
    expect((await rejection(send(query))).message).toBe(`GET ${list}: not sent: ${words}`);
  });
});

describe("a body", () => {
  const send = async (body: unknown) => {
    const { http, requests } = api();
    await http.PUT(route, { ...byId, body: body as object });
    return requests[0]?.body;
  };

  it("is sent as JSON: undefined properties are absent, a Date is a string", async () => {
    expect(await send({ name: "A", regionId: undefined })).toBe('{"name":"A"}');
  });

  it.each<[string, unknown, string]>([
    ["a Map", { name: new Map() }, "name: is a Map, which JSON cannot hold"],
    ["NaN", { x: { y: [Number.NaN] } }, "x.y.0: is NaN, which JSON cannot hold"],
    ["a hole", { x: [undefined] }, "x.0: is an element without a value, which JSON cannot hold"],
    ["no date", { name: new Date(Number.NaN) }, "name: is an invalid date, which JSON cannot hold"],
    ["2^53", { x: 2 ** 53 }, "x: is an integer that JavaScript cannot hold exactly"],
    ["a method", { x: () => {} }, "x: is a function, which JSON cannot hold"],
    ["a wrong type", { name: 5 }, "name: must be a string"],
    [
      "a nested one",
      { openingTimes: [{ weekday: 1, from: "08:00", to: 5 }] },
      "openingTimes.0.to: must be a string",
    ],
    ["no object", 5, "the body: must be an object"],
    ["nothing", undefined, "the body: is required"],
    [
      "a failure",
      { toJSON: () => structuredClone(() => {}) as unknown },
      "the body: cannot be written as JSON: () => {} could not be cloned.",
    ],
  ])("with %s is refused before anything is sent", async (_, body, words) => {
    expect((await rejection(send(body))).message).toBe(`PUT ${route}: not sent: ${words}`);
  });

  it("that refers to itself is refused", async () => {
    const body: { name: string; self?: unknown } = { name: "A" };
    body.self = body;
    await expect(send(body)).rejects.toThrow("cannot be written as JSON");
  });
});
