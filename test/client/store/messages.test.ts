import { describe, expect, it } from "vitest";
import { StoreClient } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient, token } from "./stub-client.ts";

const { setTimeout, clearTimeout, performance, Date, Math } = globalThis;
const platform = { setTimeout, clearTimeout, performance, Date, Math };
const good = { baseUrl: "https://store.example", token };
const duration = "must be a number of ms above 0 and at most 2147483647, or Infinity";
const count = "must be a number of retries: an integer of at least 0";
const delay = "retry.maxDelay must be a number of ms from 0 to 2147483647";
const bytes = "must be a number of bytes: a positive integer";
const unsendable = "must consist of visible ASCII characters, because it is sent in a header";
const options =
  "timeout, totalTimeout, retry, headers, maxResponseBytes, allowInsecure, fetch, transport, hooks, limiter, maxConcurrency, log, validate, runtime, readings, shapes, baseUrl, token, strategies, identify";

describe("a ConfigurationError of a StoreClient says what to do", () => {
  it.each<[object | undefined, string | RegExp]>([
    [undefined, "StoreClient: the options must be an object { baseUrl, token }"],
    [{ token }, "baseUrl must be an absolute URL such as https://api.example.com"],
    [{ ...good, baseUrl: 5 }, "baseUrl must be an absolute URL such as https://api.example.com"],
    [{ ...good, baseUrl: "https://u@store.example" }, "baseUrl must not contain a user name or password"],
    [{ ...good, baseUrl: "https://:p@store.example" }, "baseUrl must not contain a user name or password"],
    [
      { ...good, baseUrl: "https://store.example/a?b" },
      "baseUrl must not contain a query or fragment: https://store.example/a",
    ],
    [
      { ...good, baseUrl: "https://store.example/a#b" },
      "baseUrl must not contain a query or fragment: https://store.example/a",
    ],
    [
      { ...good, baseUrl: "http://store.example/a" },
      "baseUrl must be an https URL (http only for a loopback host, or with allowInsecure: true): http://store.example",
    ],
    [
      { ...good, baseUrl: "ws://store.example", allowInsecure: true },
      "baseUrl must be an https URL (http only for a loopback host, or with allowInsecure: true): ws://store.example",
    ],
    [{ ...good, token: "" }, "the token must be a non-empty string"],
    [{ ...good, token: 5 }, "the token must be a non-empty string"],
    [{ ...good, token: "a b" }, `the token ${unsendable}`],
    [{ ...good, token: "ab\n" }, `the token ${unsendable}`],
    [{ ...good, timeout: 0 }, `timeout ${duration}`],
    [{ ...good, timeout: 2 ** 31 }, `timeout ${duration}`],
    [{ ...good, totalTimeout: "5" }, `totalTimeout ${duration}`],
    [{ ...good, retry: -1 }, `retry ${count}`],
    [{ ...good, retry: { limit: 1.5 } }, `retry ${count}`],
    [{ ...good, retry: { limit: "1" } }, `retry ${count}`],
    [{ ...good, retry: "2" }, "retry must be a number or { limit, maxDelay, budget }"],
    [{ ...good, retry: { maxDelay: -1 } }, delay],
    [{ ...good, retry: { maxDelay: 2 ** 31 } }, delay],
    [{ ...good, retry: { maxDelay: "1" } }, delay],
    [{ ...good, headers: { "a b": "x" } }, 'headers: "a b" is not a valid header name'],
    [{ ...good, headers: { "": "x" } }, 'headers: "" is not a valid header name'],
    [{ ...good, headers: { "a\n": "x" } }, 'headers: "a\\n" is not a valid header name'],
    [{ ...good, headers: { a: 5 } }, "headers: the value of a cannot be sent in a header"],
    [{ ...good, headers: { a: "x\ny" } }, "headers: the value of a cannot be sent in a header"],
    [{ ...good, headers: { a: "ł" } }, "headers: the value of a cannot be sent in a header"],
    [{ ...good, headers: { Authorization: "x" } }, "headers: Authorization is set from the token or key"],
    [{ ...good, headers: new Map() }, "headers must be an object of names and values, or Headers"],
    [{ ...good, headers: null }, "headers must be an object of names and values, or Headers"],
    [{ ...good, maxResponseBytes: 0 }, `maxResponseBytes ${bytes}`],
    [{ ...good, maxResponseBytes: 1.5 }, `maxResponseBytes ${bytes}`],
    [{ ...good, maxResponseBytes: Infinity }, `maxResponseBytes ${bytes}`],
    [
      { ...good, retry: { limits: 1 } },
      'Unknown option of retry "limits". Did you mean "limit"? Expected one of limit, maxDelay, budget',
    ],
    ...[
      5,
      {},
      ...["setTimeout", "clearTimeout", "performance", "Date", "Math"].flatMap((name) => [
        { ...platform, [name]: undefined },
        { ...platform, [name]: {} },
      ]),
    ].map((runtime): [object, string] => [
      { ...good, runtime },
      "runtime must be an object { setTimeout, clearTimeout, performance, Date, Math }",
    ]),
    [{ ...good, strategies: [] }, "strategies must be an object"],
    [{ ...good, transport: "fetch" }, "transport must be a function"],
    [{ ...good, transport: () => {}, fetch: () => {} }, "fetch and transport cannot be given together"],
    [{ ...good, limiter: {} }, "limiter must be an object { acquire, onThrottled }"],
    [
      { ...good, limiter: { acquire: () => {}, onThrottled: 5 } },
      "limiter must be an object { acquire, onThrottled }",
    ],
    [{ ...good, readings: 5 }, "readings must be an object"],
    [
      { ...good, readings: { version: 2, readings: {} } },
      "readings must be a readings file of version 1, with the property `readings`",
    ],
    [
      { ...good, readings: { version: 1, readings: { "photos.page-shape": "none" } } },
      'readings: "photos.page-shape" must be one of items-nextCursor, photos-nextCursor, data-cursor, no-list',
    ],
    [{ ...good, allowInsecure: "yes" }, "allowInsecure must be true or false"],
    [{ ...good, fetch: "fetch" }, "fetch must be a function"],
    [{ ...good, hooks: () => {} }, "hooks must be an object or an array of objects"],
    [{ ...good, hooks: { onRequest: 5 } }, "hooks: onRequest must be a function"],
    [
      { ...good, hooks: { on: () => {} } },
      'Unknown hook "on". Expected one of onCall, onCallEnd, onSend, onRequest, onResponse, onSettled, onRetry, onError, onDrift, onHookError',
    ],
    [{ ...good, validate: "fully" }, 'validate must be "envelope" or "full"'],
    [{ ...good, shapes: 5 }, "shapes must be an object"],
    [
      { ...good, shapes: { store: {} } },
      'Unknown shape "store". Expected one of protocol, protocolImage, photo, storeFillRates, expositionFillRate, fillRates',
    ],
    ...[5, null, {}, { "~standard": 5 }, { "~standard": {} }].map((photo): [object, string] => [
      { ...good, shapes: { photo } },
      "shapes: photo must be a Standard Schema, for example of zod, valibot or arktype",
    ]),
    [{ ...good, identify: "id" }, "identify must be a function"],
    [{ ...good, tiemout: 5 }, `Unknown option "tiemout". Did you mean "timeout"? Expected one of ${options}`],
    [
      { ...good, readings: { "a.b": "c" } },
      'readings: unknown gap "a.b". See the export gaps of shelfleet/gaps',
    ],
    [
      { ...good, strategies: { "protocols.next-page": "guess" } },
      'strategies: "protocols.next-page" must be one of auto, cursor, window, single',
    ],
  ])("%j", (given, message) => {
    expect(() => new StoreClient(given as never)).toThrow(
      expect.objectContaining({ name: "ConfigurationError", message }),
    );
  });
});

describe("a StoreClient is made with", () => {
  const arktype = Object.assign(() => {}, { "~standard": { version: 1, validate: () => ({ value: 1 }) } });

  it.each<[string, object]>([
    ["the longest waits", { timeout: 2 ** 31 - 1, totalTimeout: Infinity, retry: { maxDelay: 2 ** 31 - 1 } }],
    ["the shortest waits", { timeout: 0.5, totalTimeout: 1, retry: { limit: 0, maxDelay: 0 } }],
    [
      "members left undefined",
      { timeout: undefined, hooks: { onRequest: undefined }, shapes: { photo: undefined } },
    ],
    ["every letter of a header's name", { headers: { "!#$%&'*+-.^_`|~09azAZ": "x" } }],
    ["every letter of a header's value", { headers: { a: "\t ~\u0080\u00ff", b: "" } }],
    ["a schema that is a function", { shapes: { photo: arktype } }],
    ["what is the default", { validate: "envelope", allowInsecure: false, retry: 2 }],
    ["headers that are Headers", { headers: new Headers({ a: "b" }) }],
    ["readings of any gap", { readings: { "protocols.order": "newest-first", "fleet.put": "merge" } }],
    ["a readings file", { readings: { version: 1, readings: { "photos.page-shape": "data-cursor" } } }],
    ["the runtime of the platform", { runtime: globalThis }],
    ["a runtime of exactly the required properties", { runtime: platform }],
    ["a header left undefined", { headers: { a: undefined } }],
    ["no limit of requests in flight", { maxConcurrency: Infinity }],
    ["the largest retry budget", { retry: { budget: 1 } }],
    ["choices left undefined", { readings: { "photos.page-shape": undefined }, strategies: {} }],
  ])("%s", (_, more) => {
    expect(() => new StoreClient({ ...good, ...more })).not.toThrow();
  });
});

describe("a call is rejected", () => {
  it.each([
    [
      { signals: [] },
      'Unknown call option "signals". Did you mean "signal"? Expected one of signal, timeout, totalTimeout, retry, headers, maxResponseBytes',
    ],
    [{ signal: {} }, "signal must be an AbortSignal"],
    [{ signal: { aborted: false } }, "signal must be an AbortSignal"],
    [{ signal: 5 }, "signal must be an AbortSignal"],
    [5, "the call options must be an object"],
  ])("with the options %j", async (callOptions, message) => {
    const { client, sent } = stubClient();
    await expect(client.stores.get("S", callOptions as never)).rejects.toMatchObject({
      name: "ConfigurationError",
      message,
    });
    expect(sent).toEqual([]);
  });

  const dots = "must not be a dot segment, because the path would be a different one";
  it.each([
    ["", "must not be empty, because the path would be a different one"],
    [".", dots],
    ["..", dots],
    ["\ud800", "must not contain a lone surrogate, which has no percent-encoded form"],
    [5, "must be a string"],
  ])("with the id %j", async (id, problem) => {
    const { client } = stubClient();
    await expect(client.stores.get(id as never)).rejects.toThrow(
      `GET /v1/stores/{externalId}: not sent: externalId: ${problem}`,
    );
  });

  it.each(["constructor", "toString", "__proto__", "...", "a..b"])(
    "the id %j is sent as part of the path",
    async (id) => {
      const { client, sent } = stubClient();
      await client.stores.get(id);
      expect(sent[0]?.path).toBe(`/base/v1/stores/${id}`);
    },
  );

  it("with a path ID that is not a UUID", async () => {
    const { client } = stubClient();
    await expect(client.fillRates.forExposition("S", "E", range)).rejects.toMatchObject({
      issues: [{ path: "expositionId", message: "must be a UUID" }],
    });
  });

  it("with a body that cannot be written", async () => {
    const { client, sent } = stubClient();
    const cycle: { openingTimes?: never } = {};
    cycle.openingTimes = cycle as never;
    await expect(client.stores.upsert("S", cycle)).rejects.toThrow(
      /not sent: the body: cannot be written as JSON: .*circular/,
    );
    expect(sent).toEqual([]);
  });
});

describe("a walk is rejected", () => {
  it.each([-1, 0.5, "2", Number.NaN])("with %j pages ahead, or so many items", async (wrong) => {
    const { client } = stubClient();
    const list = client.stores.list();
    const few = wrong as number; // what a caller without a compiler might hand in
    expect(() => list.pages({ prefetch: few })).toThrow(/^GET \/v1\/stores: not sent: prefetch: /);
    await expect(list.take(few)).rejects.toThrow(/^GET \/v1\/stores: not sent: count: /);
  });

  it("in the name of the protocol list as well", () => {
    const list = stubClient().client.protocols.list("S-1", range);
    expect(() => list.pages({ prefetch: -1 })).toThrow(
      /^GET \/v1\/stores\/\{externalId\}\/protocols: not sent: prefetch: /,
    );
  });

  it("with an invalid resume token", async () => {
    const { client } = stubClient();
    for (const resume of ["", "x", "[]", "null", "{}", '{"cursor":5}'])
      await expect(client.stores.list({ resume })).rejects.toThrow(
        "GET /v1/stores: not sent: resume: must be the `resume` of a page of this list",
      );
  });
});

describe("the response of a list", () => {
  const lacks = (keys: string): string =>
    `GET /v1/stores: 200 without an array \`items\` and a \`nextCursor\` that is a string or null; the response has ${keys}`;

  it.each<[unknown, string]>([
    [{}, lacks("no properties")],
    [{ items: [] }, lacks("`items`")],
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
    ["{}", `${route} does not fit the contract: the body: is an empty object`],
  ])("where it is %j", async (body, message) => {
    const { client } = stubClient(() => new Response(body));
    await expect(client.stores.get("S")).rejects.toMatchObject({ name: "UnexpectedResponseError", message });
  });

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
