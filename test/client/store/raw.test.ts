import { describe, expect, it } from "vitest";
import {
  ConnectionError,
  InvalidRequestError,
  UnexpectedResponseError,
} from "../../../src/client/store/index.ts";
import { respondWith, socketServer } from "../core/socket-server.ts";
import { json } from "../core/stub-fetch.ts";
import { socketClient } from "./socket-client.ts";
import { store, stubClient, token } from "./stub-client.ts";
import { raw } from "../../../src/client/raw/index.ts";

const byId = (externalId: string) => ({ params: { path: { externalId } } });
const route = "/v1/stores/{externalId}";

describe("the raw client", () => {
  it("sends over the same transport: token, base URL, queries, bodies", async () => {
    const { client, sent } = stubClient(() => json(store));
    const read = await raw(client).GET("/v1/stores", { params: { query: { limit: 5 } } });
    expect(read.data).toEqual(store);
    await raw(client).PUT(route, { ...byId("a/b"), body: { name: "x", storeType: null } });
    expect(sent).toMatchObject([
      { method: "GET", path: "/base/v1/stores", query: { limit: "5" }, body: undefined },
      { method: "PUT", path: "/base/v1/stores/a%2Fb", body: { name: "x", storeType: null } },
    ]);
    for (const { headers } of sent) expect(headers.authorization).toBe(`Bearer ${token}`);
  });

  // documented (store 7) or not
  it.each([400, 401, 404, 503, 409, 418, 500])("returns the error %i as it came", async (status) => {
    const body = { error: { code: "not_configured", message: "no" } };
    const { client } = stubClient(() => json(body, { status }), { retry: 0 });
    const { error, data, response } = await raw(client).GET(route, byId("S"));
    expect({ error, data, status: response.status }).toEqual({ error: body, data: undefined, status });
  });

  it("returns a documented error whose body is not JSON as text, without the token", async () => {
    const { client } = stubClient(() => new Response(`<b>${token}</b>`, { status: 404 }));
    expect((await raw(client).GET(route, byId("S"))).error).toBe("<b>[redacted]</b>");
  });

  it("shows middleware a documented error whose body is not JSON as text", async () => {
    const { client } = stubClient(() => new Response("<b>no</b>", { status: 404 }));
    const seen: string[] = [];
    raw(client).use({
      async onResponse({ response }) {
        seen.push(await response.clone().text());
      },
    });
    await raw(client).GET(route, byId("S"));
    expect(seen).toEqual(["<b>no</b>"]);
  });

  it("throws what middleware throws", async () => {
    const { client, sent } = stubClient();
    raw(client).use({
      onRequest() {
        throw new Error("mine");
      },
    });
    await expect(raw(client).GET(route, byId("S"))).rejects.toThrow(/^mine$/);
    expect(sent).toEqual([]);
  });

  it("calls hooks without an operation for an undocumented route", async () => {
    const operations: string[] = [];
    const { client } = stubClient(undefined, {
      hooks: { onRequest: ({ operation }) => void operations.push(operation) },
    });
    await raw(client).GET("/v1/nothing" as "/v1/stores");
    await raw(client).GET("/v1/stores");
    expect(operations).toEqual(["", "listStores"]);
  });

  it("throws for invalid HTTP responses and for responses that openapi-fetch cannot parse", async () => {
    const html = stubClient(() => new Response("<html>"));
    await expect(raw(html.client).GET(route, byId("S"))).rejects.toBeInstanceOf(SyntaxError);
    const long = stubClient(() => json(store), { maxResponseBytes: 5 });
    await expect(raw(long.client).GET(route, byId("S"))).rejects.toBeInstanceOf(UnexpectedResponseError);
    const lost = stubClient(() => Promise.reject(new TypeError("lost")), { retry: 0 });
    await expect(raw(lost.client).GET(route, byId("S"))).rejects.toBeInstanceOf(ConnectionError);
  });

  it.each<[string, object]>([
    ["no path IDs", { body: {} }],
    ["a body with NaN", { ...byId("S"), body: { rate: Number.NaN } }],
    ["a body with undefined in a list", { ...byId("S"), body: { list: [undefined] } }],
  ])("rejects a request with %s before sending", async (_, request) => {
    const { client, sent } = stubClient();
    await expect(raw(client).PUT(route, request as never)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(sent).toEqual([]);
  });

  it("is retried, and ends with its signal's reason", async () => {
    const { url, requests } = await socketServer((request, response, index) =>
      index === 0
        ? request.socket.resetAndDestroy()
        : respondWith(200, JSON.stringify(store))(request, response, index),
    );
    const client = socketClient(url);
    expect((await raw(client).GET(route, byId("S"))).data).toEqual(store);
    expect(requests).toHaveLength(2);
    const signal = AbortSignal.abort("enough");
    await expect(raw(client).GET(route, { ...byId("S"), signal })).rejects.toBe("enough");
  });
});
