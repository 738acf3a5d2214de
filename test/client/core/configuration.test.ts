import { describe, expect, it } from "vitest";
import { FleetClient, scopes, StoreClient } from "../../../src/index.ts";
import { json, stubFetch } from "./stub-fetch.ts";
import { key, testKey } from "../fleet/stub-client.ts";
import { store, stubClient, token } from "../store/stub-client.ts";

const { setTimeout, clearTimeout, performance, Date, Math } = globalThis;
const platform = { setTimeout, clearTimeout, performance, Date, Math };
const production = "https://fleet.example/api/third-party/v1";
const sandbox = "https://sandbox.example/api/third-party/v1";

const clients = {
  StoreClient: {
    good: { baseUrl: "https://store.example", token },
    make: (options: unknown) => new StoreClient(options as never),
    ownOptions: "baseUrl, token, strategies, identify",
    shapes: "protocol, protocolImage, photo, storeFillRates, expositionFillRate, fillRates",
    shape: "photo",
  },
  FleetClient: {
    good: { baseUrl: production, key },
    make: (options: unknown) => new FleetClient(options as never),
    ownOptions: "baseUrl, environments, key, keyPrefix, apiVersion, scopes",
    shapes:
      "vehicle, vehicleGroup, inspectionSummary, damageSummary, driverAssignment, vehicleInput, vehicleGroupInput, inspectionInput, inspectionTemplateInput, damageInput, driverAssignmentInput",
    shape: "vehicle",
  },
} as const;

type ClientName = keyof typeof clients;

/** A message, and the options with each of which it is thrown. */
type Row = [message: string, ...options: object[]];

const unsendable = "must consist of visible ASCII characters, because it is sent in a header";
const duration = "must be a number of ms above 0 and at most 2147483647, or Infinity";
const notHeaders = "headers must be an object of names and values, or Headers";
const notUrl = "must be an http or https URL such as https://api.example.com";
const insecure = "must be an https URL (http only for a loopback host, or with allowInsecure: true)";
const limiter = "limiter must be an object { acquire, onThrottled }";
const otherParts = "baseUrl must not contain credentials, a query or a fragment";

/** Options that both clients reject. */
const wrong = ({ ownOptions, shapes, shape }: (typeof clients)[ClientName]): Row[] => [
  [`baseUrl ${notUrl}`, ...[5, { href: ["https://x.example"] }, "x.example"].map((baseUrl) => ({ baseUrl }))],
  [`baseUrl ${notUrl}`, { baseUrl: `https://user:${token}@x.example` }],
  [otherParts, { baseUrl: "https://u@x.example" }, { baseUrl: "https://:p@x.example" }],
  [otherParts, { baseUrl: "https://x.example?a=tok" }, { baseUrl: `https://x.example#${token}` }],
  ...["http://x.example", "http://127.0.0.1.example", "http://notlocalhost"].map(
    (baseUrl): Row => [`baseUrl ${insecure}: ${baseUrl}`, { baseUrl }],
  ),
  [`baseUrl ${notUrl}`, { baseUrl: "ftp://localhost" }, { baseUrl: "ws://x.example", allowInsecure: true }],
  [`timeout ${duration}`, { timeout: 0 }, { timeout: 2 ** 31 }, { timeout: "5" }],
  [`totalTimeout ${duration}`, { totalTimeout: "5" }, { totalTimeout: -1 }],
  [
    "retry must be a number of retries: an integer of at least 0",
    ...[-1, Number.NaN, { limit: 1.5 }, { limit: "1" }].map((retry) => ({ retry })),
  ],
  ["retry must be a number or { limit, maxDelay, budget }", { retry: "2" }],
  [
    "retry.maxDelay must be a number of ms from 0 to 2147483647",
    ...[-1, 2 ** 31, "1"].map((maxDelay) => ({ retry: { maxDelay } })),
  ],
  [
    "retry.budget must be a number from 0 to 1: the retries that each call adds to the budget",
    ...[-0.1, 1.1, Number.NaN, "1"].map((budget) => ({ retry: { budget } })),
  ],
  [
    'Unknown option of retry "limits". Did you mean "limit"? Expected one of limit, maxDelay, budget',
    { retry: { limits: 1 } },
  ],
  [
    "maxConcurrency must be a positive integer, or Infinity",
    ...[0, -1, 1.5, "2", Number.NaN].map((maxConcurrency) => ({ maxConcurrency })),
  ],
  ...["a b", "", "a\n"].map(
    (name): Row => [
      `headers: ${JSON.stringify(name)} is not a valid header name`,
      { headers: { [name]: "x" } },
    ],
  ),
  [
    "headers: the value of a cannot be sent in a header",
    ...[5, `x\n${token}`, "ł"].map((a) => ({ headers: { a } })),
  ],
  [
    "headers: Authorization is set from the token or key",
    { headers: { Authorization: token } },
    { headers: { AUTHORIZATION: key } },
  ],
  [notHeaders, ...[new Map(), null, [["a", "b"]]].map((headers) => ({ headers }))],
  [
    "maxResponseBytes must be a number of bytes: a positive integer",
    ...[0, 1.5, Infinity].map((maxResponseBytes) => ({ maxResponseBytes })),
  ],
  [
    "runtime must be an object { setTimeout, clearTimeout, performance, Date, Math }",
    ...[
      5,
      {},
      ...Object.keys(platform).flatMap((name) => [
        { ...platform, [name]: undefined },
        { ...platform, [name]: {} },
      ]),
    ].map((runtime) => ({ runtime })),
  ],
  ["transport must be a function", { transport: "fetch" }],
  ["fetch must be a function", { fetch: "fetch" }],
  ["fetch and transport cannot be given together", { transport: () => {}, fetch: () => {} }],
  [limiter, { limiter: {} }, { limiter: { acquire: () => {}, onThrottled: 5 } }],
  ["readings must be an object", { readings: 5 }],
  [
    "readings must be a readings file of version 1, with the property `readings`",
    { readings: { version: 2, readings: {} } },
  ],
  ['readings: unknown gap "a.b". See the export gaps of shelfleet/gaps', { readings: { "a.b": "c" } }],
  ["allowInsecure must be true or false", { allowInsecure: "yes" }],
  ["hooks must be an object or an array of objects", { hooks: () => {} }],
  ["hooks: onRequest must be a function", { hooks: { onRequest: 5 } }, { hooks: { onRequest: true } }],
  [
    'Unknown hook "onRequests". Did you mean "onRequest"? Expected one of onCall, onCallEnd, onSend, onRequest, onResponse, onSettled, onRetry, onError, onDrift, onHookError',
    { hooks: { onRequests: () => {} } },
  ],
  ['validate must be "envelope" or "full"', { validate: "fully" }],
  ["shapes must be an object", { shapes: 5 }],
  [`Unknown shape "store". Expected one of ${shapes}`, { shapes: { store: {} } }],
  [
    `shapes: ${shape} must be a Standard Schema, for example of zod, valibot or arktype`,
    ...[5, null, {}, { parse: () => 1 }, { "~standard": 5 }, { "~standard": {} }].map((schema) => ({
      shapes: { [shape]: schema },
    })),
  ],
  ...[
    ["tiemout", 'Did you mean "timeout"? '],
    ["signal", ""],
  ].map(
    ([name = "", proposal]): Row => [
      `Unknown option "${name}". ${proposal}Expected one of timeout, totalTimeout, retry, headers, maxResponseBytes, allowInsecure, fetch, transport, hooks, limiter, maxConcurrency, log, validate, runtime, readings, shapes, ${ownOptions}`,
      { [name]: 5 },
    ],
  ),
];

const keyForm = (prefix: string): string =>
  `the key must have the form ${prefix}_ or ${prefix}_test_ followed by 64 hexadecimal digits`;

/** Options that one of the clients rejects. */
const ownWrong: Record<ClientName, Row[]> = {
  StoreClient: [
    [`baseUrl ${notUrl}`, { baseUrl: undefined }],
    [
      "baseUrl must not end in /v1, which every path has. Write https://store.example",
      { baseUrl: "https://store.example/v1/" },
    ],
    ["the token must be a non-empty string", ...[undefined, "", 5].map((none) => ({ token: none }))],
    [`the token ${unsendable}`, { token: `${token} ${token}` }, { token: "ab\n" }],
    ["strategies must be an object", { strategies: [] }],
    [
      'strategies: "protocols.next-page" must be one of auto, cursor, window, single',
      { strategies: { "protocols.next-page": "guess" } },
    ],
    ["identify must be a function", { identify: "id" }],
    [
      'readings: "photos.page-shape" must be one of items-nextCursor, photos-nextCursor, data-cursor, no-list',
      { readings: { "photos.page-shape": "x" } },
      { readings: { version: 1, readings: { "photos.page-shape": "none" } } },
    ],
  ],
  FleetClient: [
    [
      "FleetClient needs a baseUrl, or environments: { production, sandbox }",
      { baseUrl: undefined },
      { baseUrl: undefined, environments: {} },
    ],
    [
      'readings: "lists.undocumented" must be one of paged, whole',
      { readings: { "lists.undocumented": "all" } },
    ],
    [
      'readings: unknown gap "lists.unshown". It is now "lists.undocumented"',
      { readings: { "lists.unshown": "whole" } },
    ],
    ["keyPrefix must be a non-empty string", { keyPrefix: "" }, { keyPrefix: /acme/ }],
    ["apiVersion must be a non-empty string", { apiVersion: "" }, { apiVersion: 1 }],
    ["headers: the value of X-Service-API-Version cannot be sent in a header", { apiVersion: "v1\nx: y" }],
    [
      `scopes must be an array of ${scopes.join(", ")}`,
      { scopes: "vehicles:read" },
      { scopes: ["vehicles:read", "vehicle:read"] },
      { scopes: ["reports:read"] }, // only planned
      { scopes: [undefined, null] },
    ],
    ["the key must be a non-empty string", { key: "" }],
    [keyForm("<prefix>"), { key: "x" }],
    [keyForm("acme"), { key: "x", keyPrefix: "acme" }],
    [
      "the key is a production key, but environments.production has no URL",
      { baseUrl: undefined, environments: { sandbox } },
    ],
    [
      "the key is a sandbox key, but environments.sandbox has no URL",
      { key: testKey, baseUrl: undefined, environments: { production } },
    ],
    [
      "the key is a sandbox key, but baseUrl is environments.production",
      { key: testKey, baseUrl: `${production}/`, environments: { production, sandbox } },
    ],
    [
      "the key is a production key, but baseUrl is environments.sandbox",
      { baseUrl: `${sandbox}/`, environments: { sandbox } },
      { baseUrl: sandbox, environments: { production, sandbox } },
    ],
    [`environments.production ${notUrl}`, { baseUrl: undefined, environments: { production: "x" } }],
    [`environments.sandbox ${notUrl}`, { environments: { production, sandbox: "x" } }],
    [
      `environments.production ${insecure}: http://fleet.example`,
      { baseUrl: undefined, environments: { production: "http://fleet.example" } },
    ],
  ],
};

const arktype = Object.assign(() => {}, { "~standard": { version: 1, validate: () => ({ value: 1 }) } });

/** Options that both clients accept. */
const right = (shape: string): object[] => [
  { timeout: 2 ** 31 - 1, totalTimeout: Infinity, retry: { maxDelay: 2 ** 31 - 1 } },
  { timeout: 0.5, totalTimeout: 1, retry: { limit: 0, maxDelay: 0 } },
  { timeout: undefined, hooks: { onRequest: undefined }, shapes: { [shape]: undefined } },
  { headers: { "!#$%&'*+-.^_`|~09azAZ": "x" } },
  { headers: { a: "\t ~\u0080\u00ff", b: "", c: undefined } },
  { headers: new Headers({ a: "b" }) },
  { shapes: { [shape]: arktype } },
  { validate: "envelope", allowInsecure: false, retry: 2 },
  { readings: { "protocols.order": "newest-first", "fleet.put": "merge", "photos.page-shape": undefined } },
  { readings: { version: 1, readings: { "photos.page-shape": "data-cursor" } } },
  { runtime: globalThis },
  { runtime: platform },
  { maxConcurrency: Infinity },
  { retry: { budget: 1 } },
];

/** Options that one of the clients accepts. */
const ownRight: Record<ClientName, object[]> = {
  StoreClient: [{ strategies: {} }],
  FleetClient: [
    { scopes: ["vehicles:read", "damages:write"] },
    { scopes: [] },
    { baseUrl: "http://fleet.example/api/third-party/v1", allowInsecure: true },
    { key: testKey, baseUrl: undefined, environments: { sandbox } },
    { baseUrl: undefined, environments: { production, sandbox: production } },
    { environments: { production, sandbox } },
  ],
};

describe.each(Object.keys(clients) as ClientName[])("a %s", (name) => {
  const { good, make, shape } = clients[name];
  const rows = [...wrong(clients[name]), ...ownWrong[name]];

  it.each(rows.flatMap(([message, ...all]) => all.map((options) => [options, message] as const)))(
    "is not made with %o: %s",
    (options, message) => {
      // an exact message also shows that it quotes no secret
      expect(() => make({ ...good, ...options })).toThrow(
        expect.objectContaining({ name: "ConfigurationError", message }),
      );
    },
  );

  it.each([undefined, null])("is not made with %s", (options) => {
    const own = name === "StoreClient" ? "token" : "key";
    expect(() => make(options)).toThrow(`${name}: the options must be an object { baseUrl, ${own} }`);
  });

  it.each([...right(shape), ...ownRight[name]])("is made with %o", (options) => {
    expect(() => make({ ...good, ...options })).not.toThrow();
  });
});

describe("a base URL", () => {
  it.each([
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.9.9.9:1/",
    "http://127.10.200.30",
    "http://[::1]:3000",
    "http://a.localhost",
    "http://store.test.localhost",
    "https://store.example/a/b//",
  ])("may be %s", async (baseUrl) => {
    const { client, sent } = stubClient(() => json(store), { baseUrl });
    await client.stores.get("S");
    expect(sent[0]?.url).toBe(`${baseUrl.replace(/\/+$/, "")}/v1/stores/S`);
  });

  it("may be http anywhere where that is allowed", async () => {
    const { client, sent } = stubClient(undefined, { baseUrl: "http://store.example", allowInsecure: true });
    await client.stores.get("S");
    expect(sent).toHaveLength(1);
  });
});

describe("a call", () => {
  const signal = "signal must be an AbortSignal";

  it.each<[unknown, string]>([
    [{ timeout: 0 }, `timeout ${duration}`],
    [{ totalTimeout: Number.NaN }, `totalTimeout ${duration}`],
    [{ retry: -1 }, "retry must be a number of retries: an integer of at least 0"],
    [{ retry: { budget: 0.1 } }, 'Unknown option of retry "budget". Expected one of limit, maxDelay'],
    [{ headers: { authorization: "x" } }, "headers: Authorization is set from the token or key"],
    [{ headers: new Map([["a", "b"]]) }, notHeaders],
    [{ signal: {} }, signal],
    [{ signal: { aborted: false } }, signal],
    [{ signal: 5 }, signal],
    [{ signal: { addEventListener() {} } }, signal],
    [
      { signals: [] },
      'Unknown call option "signals". Did you mean "signal"? Expected one of signal, timeout, totalTimeout, retry, headers, maxResponseBytes',
    ],
    [
      { fetch: globalThis.fetch },
      'Unknown call option "fetch". Expected one of signal, timeout, totalTimeout, retry, headers, maxResponseBytes',
    ],
    [5, "the call options must be an object"],
  ])("is not sent with the options %o", async (options, message) => {
    const { client, sent } = stubClient();
    const error = { name: "ConfigurationError", message };
    await expect(client.stores.get("S", options as never)).rejects.toMatchObject(error);
    await expect(client.stores.list({}, options as never)).rejects.toMatchObject(error);
    expect(sent).toEqual([]);
  });

  it("lays its headers over the client's", async () => {
    const { client, sent } = stubClient(undefined, { headers: { "X-One": "1", "X-Two": "1" } });
    await client.stores.get("S", { headers: { "x-two": "2", "X-Three": "3" } });
    expect(sent[0]?.headers).toMatchObject({ "x-one": "1", "x-two": "2", "x-three": "3" });
  });

  it("looks up the global fetch when it is made, not when the client is", async () => {
    const client = new StoreClient(clients.StoreClient.good);
    const { fetch, sent } = stubFetch(() => json(store));
    const own = globalThis.fetch;
    globalThis.fetch = fetch as typeof globalThis.fetch;
    try {
      await client.stores.get("S");
    } finally {
      globalThis.fetch = own;
    }
    expect(sent).toHaveLength(1);
  });
});
