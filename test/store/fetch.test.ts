import { describe, expect, it } from "vitest";
import { ConnectionError, InvalidRequestError, UnexpectedResponseError } from "../../src/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";

const base = "https://store.example/base";

describe("client.fetch", () => {
  it("sends to URLs below the base, with the token and the client's headers", async () => {
    const { client, sent } = stubClient(() => json(store), { headers: { "x-own": "1" } });
    const inputs = [`${base}/v1/a?b=%20c`, new URL(`${base}/v1/a`), new Request(`${base}/v1/a`)];
    for (const input of inputs) expect(await (await client.fetch(input)).json()).toEqual(store);
    expect(sent.map(({ url }) => url)).toEqual([`${base}/v1/a?b=%20c`, `${base}/v1/a`, `${base}/v1/a`]);
    for (const { headers } of sent)
      expect(headers).toMatchObject({ authorization: `Bearer ${token}`, "x-own": "1" });
  });

  it("sends method, body and headers as they are given", async () => {
    const { client, sent } = stubClient(() => json(store));
    const headers = { "content-type": "application/merge-patch+json", "x-own": "2" };
    await client.fetch(`${base}/v1/a`, { method: "PATCH", headers, body: '{"a":1}' });
    expect(sent[0]).toMatchObject({ method: "PATCH", headers, body: { a: 1 } });
  });

  it.each([
    "https://store.example.evil.example/base/v1/stores",
    "https://store.example:444/base/v1/stores",
    "http://store.example/base/v1/stores",
    "https://store.example/v1/stores",
    "https://store.example/base",
    "https://store.example/basement/v1/stores",
    "https://store.example/base/../v1/stores",
    "https://store.example/base/%2e%2e/v1/stores",
    "https://store.example\\@evil.example/base/v1/stores",
    "https://evil.example/base/v1/stores",
    "data:text/plain,x",
  ])("rejects %s, which is not below the base", async (url) => {
    const { client, sent } = stubClient();
    await expect(client.fetch(url)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(sent).toEqual([]);
  });

  it("resolves for every HTTP status", async () => {
    for (const status of [200, 204, 304, 400, 401, 404, 418, 500, 599]) {
      const body = status === 204 || status === 304 ? null : "text";
      const { client } = stubClient(() => new Response(body, { status }), { retry: 0 });
      const response = await client.fetch(`${base}/v1/stores/S`);
      expect([response.status, response.url, await response.text()]).toEqual([
        status,
        `${base}/v1/stores/S`,
        body ?? "",
      ]);
    }
  });

  it("client.fetch returns bytes that are not text unchanged", async () => {
    const bytes = new Uint8Array([0, 255, 254, 128]);
    const { client } = stubClient(() => new Response(bytes));
    expect(new Uint8Array(await (await client.fetch(`${base}/v1/a`)).arrayBuffer())).toEqual(bytes);
  });

  it("takes the token out of the bodies and headers of errors", async () => {
    const headers = { "x-echo": token, "set-cookie": "a=b" };
    const { client } = stubClient(() => new Response(`<b>${token}</b>`, { status: 404, headers }));
    const response = await client.fetch(`${base}/v1/a`);
    expect(await response.text()).toBe("<b>[redacted]</b>");
    expect(Object.fromEntries(response.headers)).toMatchObject({ "x-echo": "[redacted]" });
    expect(response.headers.has("set-cookie")).toBe(false);
  });

  it("retries what may be sent twice, and names operations of the contract to hooks", async () => {
    const operations: string[] = [];
    const { client, sent } = stubClient(
      (_, index) => (index % 2 === 0 ? json({}, { status: 503 }) : json(store)),
      {
        retry: { limit: 1, maxDelay: 1 },
        hooks: { onRequest: ({ operation, route }) => void operations.push(`${operation} ${route}`) },
      },
    );
    expect((await client.fetch(`${base}/v1/stores/S`)).status).toBe(200);
    expect((await client.fetch(`${base}/v1/other`, { method: "POST", body: '"x"' })).status).toBe(503);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
    expect(operations).toEqual([
      "getStore /v1/stores/{externalId}",
      "getStore /v1/stores/{externalId}",
      " /v1/other",
    ]);
  });

  it("client.fetch rejects like the methods if there is no response, or one that is too long", async () => {
    const lost = stubClient(() => Promise.reject(new TypeError("lost")), { retry: 0 });
    await expect(lost.client.fetch(`${base}/v1/a`)).rejects.toBeInstanceOf(ConnectionError);
    const long = stubClient(() => new Response("123456"), { maxResponseBytes: 5 });
    await expect(long.client.fetch(`${base}/v1/a`)).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: "GET /v1/a: 200 with a body over 5 bytes (maxResponseBytes)",
    });
    const redirect = stubClient(() => new Response(null, { status: 307, headers: { location: "/x" } }));
    expect((await redirect.client.fetch(`${base}/v1/a`, { method: "PUT" })).status).toBe(307);
    expect(UnexpectedResponseError.name).toBe("UnexpectedResponseError");
  });

  it.each([null, 0, "", "mine"])("ends with its signal's reason: %j", async (reason) => {
    const { client, sent } = stubClient();
    await expect(client.fetch(`${base}/v1/a`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it("does not send an Authorization of the caller", async () => {
    const { client, sent } = stubClient();
    const headers = { authorization: "Bearer mine" };
    await expect(client.fetch(`${base}/v1/a`, { headers })).rejects.toMatchObject({
      name: "ConfigurationError",
      message: "headers: Authorization is set from the token or key",
    });
    expect(sent).toEqual([]);
  });
});
