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
    shape: "photo",
  },
  FleetClient: {
    good: { baseUrl: production, key },
    make: (options: unknown) => new FleetClient(options as never),
    ownOptions: "baseUrl, environments, key, keyPrefix, apiVersion, scopes",
    shape: "vehicle",
  },
} as const;

type ClientName = keyof typeof clients;

/** A message, and the options with each of which it is thrown. */
type Row = [message: string, ...options: object[]];

const duration = "must be a number of ms above 0 and at most 2147483647, or Infinity";
const notHeaders = "headers must be an object of names and values, or Headers";
const notUrl = "must be an http or https URL such as https://api.example.com";
const insecure = "must be an https URL (http only for a loopback host, or with allowInsecure: true)";
const otherParts = "baseUrl must not contain credentials, a query or a fragment";

/** Options that both clients reject, of which `test/simulation/misuses.txt` does not have the outcome. */
const wrong = ({ ownOptions, shape }: (typeof clients)[ClientName]): Row[] => [
  [
    `baseUrl ${notUrl}`,
    { baseUrl: { href: ["https://x.example"] } },
    { baseUrl: `https://user:${token}@x.example` },
    { baseUrl: "ws://x.example", allowInsecure: true },
  ],
  [otherParts, { baseUrl: `https://x.example#${token}` }],
  ...["http://127.0.0.1.example", "http://notlocalhost"].map(
    (baseUrl): Row => [`baseUrl ${insecure}: ${baseUrl}`, { baseUrl }],
  ),
  [`timeout ${duration}`, { timeout: 0 }],
  [
    'Unknown option of retry "limits". Did you mean "limit"? Expected one of limit, maxDelay',
    { retry: { limits: 1 } },
  ],
  ...["", "a\n"].map(
    (name): Row => [
      `headers: ${JSON.stringify(name)} is not a valid header name`,
      { headers: { [name]: "x" } },
    ],
  ),
  [
    "headers: the value of a cannot be sent in a header",
    ...[`x\n${token}`, "ł"].map((a) => ({ headers: { a } })),
  ],
  [
    "headers: Authorization is set from the token or key",
    { headers: { Authorization: token } },
    { headers: { AUTHORIZATION: key } },
  ],
  [notHeaders, { headers: new Map() }],
  [
    "runtime must be an object { setTimeout, clearTimeout, performance, Date, Math }",
    ...Object.keys(platform).flatMap((name) =>
      [undefined, {}].map((part) => ({ runtime: { ...platform, [name]: part } })),
    ),
  ],
  [
    "readings must be a readings file of version 1, with the property `readings`",
    { readings: { version: 2, readings: {} } },
  ],
  [
    'Unknown hook "onRequests". Did you mean "onRequest"? Expected one of onCall, onCallEnd, onSend, onRequest, onResponse, onSettled, onRetry, onError, onDrift, onHookError',
    { hooks: { onRequests: () => {} } },
  ],
  [
    `shapes: ${shape} must be a Standard Schema, for example of zod, valibot or arktype`,
    ...[{ "~standard": 5 }, { "~standard": {} }].map((schema) => ({ shapes: { [shape]: schema } })),
  ],
  ...[
    ["tiemout", 'Did you mean "timeout"? '],
    ["signal", ""],
  ].map(
    ([name = "", proposal]): Row => [
      `Unknown option "${name}". ${proposal}Expected one of ${ownOptions}, timeout, totalTimeout, retry, headers, maxResponseBytes, allowInsecure, fetch, transport, hooks, limiter, maxConcurrency, log, validate, runtime, readings, shapes`,
      { [name]: 5 },
    ],
  ),
];

/** Such options of one of the clients. */
const ownWrong: Record<ClientName, Row[]> = {
  StoreClient: [
    [
      "baseUrl must not end in /v1, which every path has. Write https://store.example",
      { baseUrl: "https://store.example/v1/" },
    ],
    [
      'readings: "photos.page-shape" must be one of items-nextCursor, photos-nextCursor, data-cursor, no-list',
      { readings: { "photos.page-shape": "x" } },
      { readings: { version: 1, readings: { "photos.page-shape": "none" } } },
    ],
  ],
  FleetClient: [
    [
      "FleetClient needs a baseUrl, or environments: { production, sandbox }",
      { baseUrl: undefined, environments: {} },
    ],
    [
      'readings: "lists.undocumented" must be one of paged, whole',
      { readings: { "lists.undocumented": "all" } },
    ],
    ["keyPrefix must be a non-empty string", { keyPrefix: "" }, { keyPrefix: /acme/ }],
    ["headers: the value of X-Service-API-Version cannot be sent in a header", { apiVersion: "v1\nx: y" }],
    [
      `scopes must be an array of ${scopes.join(", ")}`,
      { scopes: "vehicles:read" },
      { scopes: ["vehicles:read", "vehicle:read"] },
      { scopes: ["reports:read"] }, // only planned
      { scopes: [undefined, null] },
    ],
    [
      "the key must have the form acme_ or acme_test_ followed by 64 hexadecimal digits",
      { key: "x", keyPrefix: "acme" },
    ],
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
    [{ headers: { authorization: "x" } }, "headers: Authorization is set from the token or key"],
    [{ signal: { aborted: false } }, signal],
    [{ signal: { addEventListener() {} } }, signal],
    [
      { signals: [] },
      'Unknown call option "signals". Did you mean "signal"? Expected one of signal, timeout, totalTimeout, retry, headers, maxResponseBytes',
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
