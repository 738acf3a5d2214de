import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import {
  ConnectionError,
  InvalidRequestError,
  type Transport,
  UnexpectedResponseError,
} from "../../../src/client/store/index.ts";
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

  it.each(["..", ".", "%2e%2E", ".%2e"])(
    "rejects the ID %s, which would lead to another path",
    async (id) => {
      const { client, sent } = stubClient();
      const options = { method: "PUT", body: "{}" };
      const message = "must not have a dot segment, because the path would be a different one";
      for (const path of [`stores/${id}/contacts`, `stores/${id}`, `stores/${id}?a=b`, `stores\\${id}`])
        await expect(client.fetch(`${base}/v1/${path}`, options)).rejects.toMatchObject({
          issues: [{ path: "url", message }],
        });
      expect(sent).toEqual([]);
      await client.fetch(`${base}/v1/stores/a${id}?next=/../b#/../c`);
      expect(sent).toHaveLength(1);
    },
  );

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

  it("returns bytes that are not text unchanged", async () => {
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

  it("takes the token out of the body of a response with status 400", async () => {
    const { client } = stubClient(() => new Response(token, { status: 400 }));
    expect(await (await client.fetch(`${base}/v1/a`)).text()).toBe("[redacted]");
  });

  it("does not change a successful response that contains the token", async () => {
    const headers = { "x-echo": token, "set-cookie": "a=b" };
    const { client } = stubClient(() => new Response(token, { headers }));
    const response = await client.fetch(`${base}/v1/a`);
    expect(await response.text()).toBe(token);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });

  it("rejects a URL that the platform rejects with a TypeError without the token", async () => {
    const { client, sent } = stubClient();
    const error = await client.fetch(`nowhere ${token}`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).not.toHaveProperty("cause");
    expect(String(error)).toContain("nowhere [redacted]");
    expect(sent).toEqual([]);
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

  it("rejects like the methods if there is no response, or one that is too long", async () => {
    const lost = stubClient(() => Promise.reject(new TypeError("lost")), { retry: 0 });
    await expect(lost.client.fetch(`${base}/v1/a`)).rejects.toBeInstanceOf(ConnectionError);
    const long = stubClient(() => new Response("123456"), { maxResponseBytes: 5 });
    await expect(long.client.fetch(`${base}/v1/a`)).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: "GET /v1/a: 200 with a body over 5 bytes (maxResponseBytes)",
    });
    const unavailable = () => new Response("123456", { status: 503 });
    const down = stubClient(unavailable, { maxResponseBytes: 5, retry: 0 });
    await expect(down.client.fetch(`${base}/v1/a`)).rejects.toMatchObject({ status: 503, retryable: true });
    await expect(down.client.fetch(`${base}/v1/a`, { method: "POST" })).rejects.toMatchObject({
      retryable: false,
    });
    const lostWrite = stubClient(() => new Response("123456", { status: 500 }), { maxResponseBytes: 5 });
    await expect(lostWrite.client.fetch(`${base}/v1/a`, { method: "POST" })).rejects.toThrow(
      "500 with a body over 5 bytes (maxResponseBytes) (the service may have processed the request",
    );
    const redirect = stubClient(() => new Response(null, { status: 307, headers: { location: "/x" } }));
    expect((await redirect.client.fetch(`${base}/v1/a`, { method: "PUT" })).status).toBe(307);
    expect(UnexpectedResponseError.name).toBe("UnexpectedResponseError");
  });

  it.each([204, 205, 304])("drops the body of a response with status %i", async (status) => {
    const { client } = stubClient(undefined, { fetch: undefined, transport: transportOf(status, "body") });
    const response = await client.fetch(`${base}/v1/a`);
    expect([response.status, await response.text()]).toEqual([status, ""]);
  });

  it.each([199, 600])("rejects status %i, which a Response cannot have", async (status) => {
    const { client } = stubClient(undefined, { fetch: undefined, transport: transportOf(status), retry: 0 });
    await expect(client.fetch(`${base}/v1/a`)).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: `GET /v1/a: ${status} is not a usable response`,
    });
  });

  it("ends with its signal's reason before the body of the request is read", async () => {
    const { client, sent } = stubClient();
    const init = () => ({ method: "POST", body: failingStream("unread"), duplex: "half" });
    const signal = AbortSignal.abort("mine");
    await expect(client.fetch(`${base}/v1/a`, { ...init(), signal })).rejects.toBe("mine");
    const controller = new AbortController();
    const response = client.fetch(`${base}/v1/a`, { ...init(), signal: controller.signal });
    controller.abort("later");
    await expect(response).rejects.toBe("later");
    expect(sent).toEqual([]);
  });

  it("rejects with the error of the request's body", async () => {
    const { client, sent } = stubClient();
    const init = { method: "POST", body: failingStream("broken"), duplex: "half" };
    await expect(client.fetch(`${base}/v1/a`, init)).rejects.toBe("broken");
    expect(sent).toEqual([]);
  });

  it("leaves no listener on the signal", async () => {
    const { client, sent } = stubClient();
    const { signal } = new AbortController();
    await client.fetch(`${base}/v1/a`, { method: "PUT", body: '{"a":1}', signal });
    expect(sent[0]).toMatchObject({ method: "PUT", body: { a: 1 } });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each([null, 0, "", "mine"])("ends with its signal's reason: %j", async (reason) => {
    const { client, sent } = stubClient();
    const signal = AbortSignal.abort(reason);
    await expect(client.fetch(`${base}/v1/a`, { signal })).rejects.toBe(reason);
    await expect(client.fetch(new Request(`${base}/v1/a`, { signal }))).rejects.toBe(reason);
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

describe("client.fetch, by the rules of the operations,", () => {
  it.each([
    `${base}/v1/stores/S/expositions`,
    `${base}/v1/stores/S/expositions/`,
    `${base}/v1//stores/S/expositions`,
    `${base}/v1/stores/S/exposition%73`,
    `${base}/v1/stores/S/expositions/?a=1`,
  ])("does not send an upsert of expositions again after a lost response: %s", async (url) => {
    const { client, sent } = stubClient(() => Promise.reject(new TypeError("reset")));
    const body = '{"expositions":[{"label":"Rack"}]}';
    await expect(client.fetch(url, { method: "PUT", body })).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["GET", 2],
    ["HEAD", 2],
    ["OPTIONS", 2],
    ["PUT", 2],
    ["DELETE", 2],
    ["POST", 1],
    ["PATCH", 1],
  ])("sends a %s of an unknown route %i times if responses are lost", async (method, count) => {
    const { client, sent } = stubClient(() => Promise.reject(new TypeError("reset")), {
      retry: { limit: 1, maxDelay: 1 },
    });
    await expect(client.fetch(`${base}/v1/a`, { method })).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(count);
  });

  it("sends malformed percent-encoding unchanged, as the ID of the path", async () => {
    const operations: string[] = [];
    const { client, sent } = stubClient(() => json({}, { status: 500 }), {
      retry: { limit: 1, maxDelay: 1 },
      hooks: { onRequest: ({ operation }) => void operations.push(operation) },
    });
    const url = `${base}/v1/stores/%ff%zz`;
    await client.fetch(url, { method: "PUT", body: '{"name":"One","externalId":"%ff%zz"}' });
    expect(sent.map((request) => request.url)).toEqual([url, url]); // the same ID in the body: the PUT is idempotent
    expect(operations).toEqual(["putStore", "putStore"]);
  });

  it("finds the ID of a path that has an empty segment", async () => {
    const { client, sent } = stubClient(() => json({}, { status: 500 }), {
      retry: { limit: 1, maxDelay: 1 },
    });
    const put = (url: string) =>
      client.fetch(url, { method: "PUT", body: '{"name":"One","externalId":"S 1"}' });
    await put(`${base}/v1//stores/S%201`);
    expect(sent).toHaveLength(2); // the ID in the body is the one in the path: the PUT is idempotent
    await put(`${base}/v1//stores/S%202`);
    expect(sent).toHaveLength(3);
  });

  it("rejects a body that is not UTF-8, and sends nothing", async () => {
    const { client, sent } = stubClient();
    const failure = client.fetch(`${base}/v1/a`, { method: "PUT", body: new Uint8Array([0, 255]) });
    await expect(failure).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(failure).rejects.toMatchObject({
      message: "PUT /v1/a: not sent: the body: must be UTF-8 text",
      issues: [{ path: "", message: "must be UTF-8 text" }],
    });
    expect(sent).toEqual([]);
  });

  it("sends a byte order mark as it is given", async () => {
    const { fetch, bodies } = bodyRecorder();
    const { client } = stubClient(undefined, { fetch });
    await client.fetch(`${base}/v1/a`, { method: "PUT", body: "\uFEFF{}" });
    expect(bodies).toEqual(["\uFEFF{}"]);
  });

  it.each([
    ["follow", 200, 2],
    ["manual", 302, 1],
  ] as const)("obeys redirect: %s", async (redirect, status, requests) => {
    const { client, sent } = redirectingClient();
    expect(await client.fetch(`${base}/v1/a`, { redirect })).toHaveProperty("status", status);
    expect(sent).toHaveLength(requests);
  });

  it("obeys redirect: error", async () => {
    const { client, sent } = redirectingClient();
    const failure = client.fetch(`${base}/v1/a`, { redirect: "error" });
    await expect(failure).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(failure).rejects.toThrow("302 is a redirect, which is not followed");
    expect(sent).toHaveLength(1);
  });
});

/** A body that cannot be read. */
function failingStream(reason: string): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.error(reason) });
}

/** A transport that returns any status with a body, as HTTP servers that violate the protocol do. */
function transportOf(status: number, body = ""): Transport {
  const bytes = new TextEncoder().encode(body);
  return async () => ({ status, headers: new Headers(), read: async () => ({ bytes, complete: true }) });
}

function redirectingClient() {
  return stubClient((_, index) =>
    index === 0 ? new Response(null, { status: 302, headers: { location: `${base}/v1/b` } }) : json(store),
  );
}

function bodyRecorder() {
  const bodies: unknown[] = [];
  const fetch = (_: string, init: { body?: string }) => {
    bodies.push(init.body);
    return Promise.resolve(json(store));
  };
  return { fetch, bodies };
}
