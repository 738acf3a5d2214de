import type { Middleware } from "openapi-fetch";
import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { anyData, key, rejection, stubClient } from "./stub-client.ts";
import { raw } from "../../../src/client/raw/index.ts";

const byId = { params: { path: { id: "v-1" } } };

describe("the raw client", () => {
  it("has every method of openapi-fetch", () => {
    expect(Object.keys(raw(stubClient().client)).toSorted()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "OPTIONS",
      "PATCH",
      "POST",
      "PUT",
      "TRACE",
      "eject",
      "request",
      "use",
    ]);
  });

  it("returns no data for an empty response", async () => {
    const { client } = stubClient(() => new Response(null, { status: 204, headers: { "x-id": "1" } }));
    const { data, error, response } = await raw(client).DELETE("/vehicles/{id}", byId);
    expect({ data, error, status: response.status, id: response.headers.get("x-id") }).toEqual({
      data: undefined,
      error: undefined,
      status: 204,
      id: "1",
    });
  });

  it("returns the status and the headers of the response", async () => {
    const { client } = stubClient(() => json(anyData, { status: 201, headers: { "x-id": "1" } }));
    const { data, response } = await raw(client).GET("/vehicles/{id}", byId);
    expect({ data, status: response.status, id: response.headers.get("x-id") }).toEqual({
      data: anyData,
      status: 201,
      id: "1",
    });
  });

  it("returns an error without cookies and without the key", async () => {
    const headers = { "x-id": key, "set-cookie": "a=b" };
    const { client } = stubClient(() => json({ errors: [{ message: key }] }, { status: 403, headers }));
    const { error, response } = await raw(client).GET("/vehicles/{id}", byId);
    expect(error).toEqual({ errors: [{ message: "[redacted]" }] });
    expect(Object.fromEntries(response.headers)).toMatchObject({ "x-id": "[redacted]" });
    expect(response.headers.has("set-cookie")).toBe(false);
  });

  it("returns an error without a body", async () => {
    const { client } = stubClient(() => new Response("", { status: 404, headers: { "x-id": "1" } }));
    const { data, response } = await raw(client).GET("/vehicles/{id}", byId);
    expect([data, response.status, response.headers.get("x-id")]).toEqual([undefined, 404, "1"]);
  });

  it("adds and removes middleware", async () => {
    const { client, sent } = stubClient();
    const reported: unknown[] = [];
    const middleware: Middleware = {
      onRequest: ({ request }) => request.headers.set("x-own", "1"),
      onResponse: ({ response }) => void reported.push(response.status),
    };
    raw(client).use(middleware);
    await raw(client).GET("/vehicles/{id}", byId);
    raw(client).eject(middleware);
    await raw(client).GET("/vehicles/{id}", byId);
    expect(sent.map(({ headers }) => headers["x-own"])).toEqual(["1", undefined]);
    expect(reported).toEqual([200]);
  });

  it("lets middleware replace an error", async () => {
    const { client } = stubClient(() => Promise.reject(new Error("lost")), { retry: 0 });
    const other = new Error("other");
    raw(client).use({ onError: ({ error }) => (error instanceof ConnectionError ? other : undefined) });
    await expect(raw(client).GET("/vehicles")).rejects.toBe(other);
  });

  it("works with and without options", async () => {
    const { client, sent } = stubClient();
    await raw(client).GET("/vehicles");
    await raw(client).GET("/vehicles", undefined);
    await raw(client).request("get", "/vehicles");
    await raw(client).GET("/vehicles", { params: { query: { page: 2 } } });
    expect(sent.map(({ query }) => query)).toEqual([{}, {}, {}, { page: "2" }]);
  });

  it("rejects an ID that would lead to another path, and names the ID", async () => {
    const { client } = stubClient();
    await expect(raw(client).GET("/vehicles/{id}", { params: { path: { id: ".." } } })).rejects.toThrow(
      /^\/vehicles\/\{id\}: not sent: id: must not be a dot segment, because the path would be a different one$/,
    );
  });

  it("sends requests to undocumented operations, and a write only once", async () => {
    const { client, sent } = stubClient(() => json({}, { status: 500 }), {
      retry: { limit: 1, maxDelay: 1 },
    });
    const typeless = raw(client) as unknown as Record<
      string,
      (path: string, init?: object) => Promise<unknown>
    >;
    await typeless.GET?.("/things/{id}", { params: { path: { id: "a/b" } } });
    await typeless.POST?.("/things", { body: { a: 1 } });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/third-party/v1/things/a%2Fb",
      "GET /api/third-party/v1/things/a%2Fb",
      "POST /api/third-party/v1/things",
    ]);
  });
});

it("a DELETE that failed after a lost response mentions the deletion only after a 404", async () => {
  for (const [status, words] of [
    [
      404,
      "404 (no code): the resource does not exist (sent 2 times; an earlier attempt, whose response was lost, may have deleted it)",
    ],
    [400, "400 (no code): without a body that the contract describes"],
  ] as const) {
    const { client } = stubClient((_, index) => json({}, { status: index === 0 ? 500 : status }), {
      retry: { maxDelay: 1 },
    });
    expect(await rejection(client.vehicles.delete("v-1"))).toMatchObject({
      message: `DELETE /vehicles/{id}: ${words}`,
    });
  }
});

it("unknown readings are rejected with the place that lists the known ones", () => {
  expect(() => stubClient(undefined, { readings: { "a.b": "c" } as never })).toThrow(
    'readings: unknown gap "a.b". See the export gaps of shelfleet/gaps',
  );
});
