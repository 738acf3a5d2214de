// The messages of errors, as users read them. To change a sentence is to change one row here.
import { describe, expect, it } from "vitest";
import { nodeTransport as unsupported } from "../../src/client/node-unsupported.ts";
import { nodeTransport } from "../../src/client/node.ts";
import { openTelemetry } from "../../src/client/opentelemetry.ts";
import {
  FleetClient,
  fleetFromEnv,
  logTo,
  ScopeError,
  StoreClient,
  storeFromEnv,
  tokenBucket,
} from "../../src/index.ts";
import { type Answer, rejection, serve, storeRow } from "../sync/service.ts";

const baseUrl = "https://stores.example";
const fleetUrl = "https://fleet.example/api/third-party/v1";
const [key, sandboxKey] = ["acme_", "acme_test_"].map((prefix) => prefix + "0a".repeat(32));

const storeWith = (options: object) => new StoreClient({ baseUrl, token: "token-1", ...options });
const fleetWith = (options: object) => new FleetClient({ baseUrl: fleetUrl, key: key as string, ...options });
const keyed = (options: object) => new FleetClient({ key, ...options } as never);
const get = (options: object) => storeWith({}).stores.get("S-1", options);

/** Returns the message of the error that a call throws or rejects with. */
const messageOf = async (call: () => unknown): Promise<string> =>
  (await rejection((async () => await call())())).message;

describe("a wrong option, ID or environment variable", () => {
  const url = { SHELFLEET_STORE_URL: baseUrl };

  it.each(
    Object.entries<() => unknown>({
      "the options must be an object": () => new StoreClient(undefined as never),
      'unknown option "timeOut". Expected one of timeout, totalTimeout, retry, headers, maxResponseBytes, maxConcurrency, allowInsecure, fetch, cache, transport, hooks, limiter, log, validate, runtime, shapes, baseUrl, token, photoPage, protocolPages, timePrecision, identify, repeatable':
        () => storeWith({ timeOut: 5 }),
      "timeout must be a number of ms above 0 and at most 2147483647, or Infinity": () =>
        storeWith({ timeout: 0 }),
      "totalTimeout must be a number of ms above 0 and at most 2147483647, or Infinity": () =>
        storeWith({ totalTimeout: "5" }),
      "retry must be a number of retries, or { limit, maxDelay }": () => storeWith({ retry: -1 }),
      "retry: limit must be an integer of at least 0": () => storeWith({ retry: { limit: -1 } }),
      "retry: maxDelay must be a number of ms from 0 to 2147483647": () =>
        storeWith({ retry: { maxDelay: Infinity } }),
      "headers must be an object of names and values, or Headers": () => storeWith({ headers: [] }),
      "headers: authorization is set by the client": () => storeWith({ headers: { Authorization: "x" } }),
      'headers: "a b" or its value cannot be sent': () => storeWith({ headers: { "a b": "x" } }),
      "maxResponseBytes must be an integer of at least 1": () => storeWith({ maxResponseBytes: 0 }),
      "maxConcurrency must be a positive integer, or Infinity": () => storeWith({ maxConcurrency: 0 }),
      "allowInsecure must be true or false": () => storeWith({ allowInsecure: 1 }),
      "fetch must be a function": () => storeWith({ fetch: {} }),
      "transport must be a function": () => storeWith({ transport: {} }),
      "fetch and transport cannot be given together": () => storeWith({ fetch, transport: fetch }),
      "hooks must be an object or an array of objects": () => storeWith({ hooks: [5] }),
      "hooks: onEnd must be a function": () => storeWith({ hooks: { onEnd: 5 } }),
      'hooks: unknown option "onRequests". Expected one of onRequest, onResponse, onRetry, onEnd, onDrift':
        () => storeWith({ hooks: [{ onRequests() {} }] }),
      "limiter must be an object { acquire, onThrottled }": () => storeWith({ limiter: {} }),
      "log must be logTo(console), or logTo with another logger": () => storeWith({ log: console }),
      "validate must be one of envelope, full": () => storeWith({ validate: "all" }),
      "shapes must be an object": () => storeWith({ shapes: 5 }),
      "shapes: photo must be a Standard Schema": () => storeWith({ shapes: { photo: {} } }),
      'shapes: unknown option "photos". Expected one of protocol, protocolImage, photo, storeFillRates, expositionFillRate, fillRates':
        () => storeWith({ shapes: { photos: {} } }),
      "baseUrl must be an http or https URL such as https://api.example.com, without credentials, query and fragment":
        () => storeWith({ baseUrl: "ftp://stores.example" }),
      "baseUrl must be an https URL (http only for a loopback host, or with allowInsecure: true): http://stores.example":
        () => storeWith({ baseUrl: "http://stores.example" }),
      "baseUrl must not end in /v1, which every path has. Write https://stores.example": () =>
        storeWith({ baseUrl: "https://stores.example/v1" }),
      'the token must be a string of visible ASCII characters without spaces or "Bearer"': () =>
        storeWith({ token: "Bearer x" }),
      "photoPage must be { items, cursor }, the names of two properties": () =>
        storeWith({ photoPage: { items: "photos" } }),
      "protocolPages must be one of auto, window": () => storeWith({ protocolPages: "all" }),
      "timePrecision must be one of millisecond, second, minute, day": () =>
        storeWith({ timePrecision: "hour" }),
      "identify must be a function": () => storeWith({ identify: "id" }),
      "repeatable must be an array of putStore, putExpositions": () =>
        storeWith({ repeatable: ["putStore", "getStore"] }),
      "keyPrefix must be a non-empty string": () => fleetWith({ keyPrefix: "" }),
      "apiVersion must be a non-empty string": () => fleetWith({ apiVersion: 5 }),
      "scopes must be an array of vehicles:read, vehicles:write, vehicle-fields:read, vehicle-groups:read, vehicle-groups:write, inspections:read, inspections:write, inspection-templates:read, inspection-templates:write, damages:read, damages:write, driver-assignments:read, driver-assignments:write":
        () => fleetWith({ scopes: ["damages:read", "all"] }),
      'templateFilters: unknown option "name". Expected one of group, title': () =>
        fleetWith({ templateFilters: { name: "title" } }),
      "templateFilters: title must be a non-empty string": () =>
        fleetWith({ templateFilters: { title: "" as never } }),
      "retry: unknown option of 40 characters. Expected one of limit, maxDelay": () =>
        storeWith({ retry: { [`token-${"0".repeat(34)}`]: 1 } }),
      'http: unknown option "parseAs". Expected one of params, body, headers, signal, call': () =>
        storeWith({}).http.GET("/v1/stores", { parseAs: "text" } as never),
      "http: signal must be an AbortSignal": () =>
        storeWith({}).http.GET("/v1/stores", { signal: {} } as never),
      "wholeLists must be true or false": () => fleetWith({ wholeLists: 1 }),
      "repeatable must be an array of updateInspectionTemplate": () =>
        fleetWith({ repeatable: ["updateDamage"] }),
      'shapes: unknown option "vehicles". Expected one of vehicle, vehicleGroup, inspectionSummary, damageSummary, driverAssignment, vehicleInput, vehicleGroupInput, inspectionInput, inspectionTemplateInput, damageInput, driverAssignmentInput':
        () => fleetWith({ shapes: { vehicles: {} } }),
      "baseUrl must end in /api/third-party/v1. Write https://fleet.example/api/third-party/v1": () =>
        fleetWith({ baseUrl: "https://fleet.example/" }),
      "baseUrl must end in /api/third-party/v1. Write https://fleet.example/x/api/third-party/v1": () =>
        fleetWith({ baseUrl: "https://fleet.example/x/api/third-party" }),
      "baseUrl must end in /api/third-party/v1. Write https://a.example/api/third-party/v1": () =>
        fleetWith({ baseUrl: "https://a.example/api/third-party/v2" }),
      "baseUrl must end in /api/third-party/v1. Write https://b.example/api/third-party/v1": () =>
        fleetWith({ baseUrl: "https://b.example/api/third-party/v1/vehicles" }),
      "FleetClient needs either a baseUrl or environments: { production, sandbox }": () => keyed({}),
      'the key must be a string of visible ASCII characters without spaces or "Bearer"': () =>
        fleetWith({ key: "a b" }),
      "the key must have the form <prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits": () =>
        fleetWith({ key: "acme_0a" }),
      "the key must have the form other_ or other_test_ followed by 64 hexadecimal digits": () =>
        fleetWith({ keyPrefix: "other" }),
      "the key is a sandbox key, but environments.sandbox has no URL": () =>
        keyed({ key: sandboxKey, environments: { production: fleetUrl } }),
      "environments.sandbox must end in /api/third-party/v1. Write https://a.example/api/third-party/v1":
        () => keyed({ environments: { sandbox: "https://a.example" } }),
      "call: the options must be an object": () => get(5 as never),
      "GET /v1/stores/{externalId}: not sent: externalId: must be a well-formed string": () =>
        storeWith({}).stores.get("\ud800"),
      "GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate: not sent: expositionId: must be a UUID":
        () => storeWith({}).fillRates.forExposition("S-1", "5", range),
      "call: signal must be an AbortSignal": () => get({ signal: {} }),
      'call: unknown option "retries". Expected one of timeout, totalTimeout, retry, headers, maxResponseBytes, signal':
        () => get({ retries: 1 }),
      "shelfleet/node needs Node.js 22.12 or later; leave out the option transport to use fetch": unsupported,
      "logTo: the level must be one of info, warn, error": () => logTo(console, "all" as never),
      "logTo: the logger must be console, or an object with info, warn and error": () =>
        logTo({ info() {} } as never),
      "tokenBucket: perSecond must be a number above 0": () => tokenBucket({ perSecond: Infinity }),
      "tokenBucket: burst must be an integer of at least 1": () => tokenBucket({ perSecond: 1, burst: 0.5 }),
      'tokenBucket: unknown option "rate". Expected one of perSecond, burst, runtime': () =>
        tokenBucket({ perSecond: 1, rate: 1 } as never),
      'nodeTransport: unknown option "proxi". Expected one of dispatcher, connections, proxy, http2, connect':
        () => nodeTransport({ proxi: "x" } as never),
      "nodeTransport: connections must be an integer of at least 1": () =>
        nodeTransport({ connections: 1.5 }),
      'nodeTransport: proxy must be "env" or a URL with http: or https:': () =>
        nodeTransport({ proxy: "socks+https://x" }),
      "nodeTransport: dispatcher must be a dispatcher of undici": () =>
        nodeTransport({ dispatcher: {} as never }),
      "nodeTransport: http2 must be true or false": () => nodeTransport({ http2: 1 as never }),
      "nodeTransport: connect must be an object": () => nodeTransport({ connect: null as never }),
      "nodeTransport: http2 cannot be combined with dispatcher; pass it to the dispatcher": () =>
        nodeTransport({ dispatcher: { dispatch() {} } as never, http2: true }),
      'openTelemetry: unknown option "tracers". Expected one of propagate': () =>
        openTelemetry({ tracers: 1 } as never),
      "openTelemetry: propagate must be true or false": () => openTelemetry({ propagate: 1 as never }),
      "The environment variable SHELFLEET_STORE_URL is not set": () =>
        storeFromEnv({}, { SHELFLEET_STORE_URL: " " }),
      "Neither of the environment variables SHELFLEET_TOKEN and SHELFLEET_TOKEN_FILE is set": () =>
        storeFromEnv({}, url),
      "SHELFLEET_STORE_URL must not end in /v1, which every path has. Write https://stores.example": () =>
        storeFromEnv({}, { SHELFLEET_STORE_URL: `${baseUrl}/v1` }),
      "SHELFLEET_LOG must be one of info, warn, error": () =>
        storeFromEnv({ token: "a" }, { ...url, SHELFLEET_LOG: "all" }),
      "Neither of the environment variables SHELFLEET_FLEET_URL and SHELFLEET_SANDBOX_URL is set": () =>
        fleetFromEnv({}, { SHELFLEET_KEY: key }),
      "Neither of the environment variables SHELFLEET_KEY and SHELFLEET_KEY_FILE is set": () =>
        fleetFromEnv({}, { SHELFLEET_FLEET_URL: fleetUrl }),
      "SHELFLEET_FLEET_URL must end in /api/third-party/v1. Write https://stores.example/api/third-party/v1":
        () => fleetFromEnv({}, { SHELFLEET_FLEET_URL: baseUrl }),
      "SHELFLEET_SANDBOX_URL must end in /api/third-party/v1. Write https://stores.example/api/third-party/v1":
        () => fleetFromEnv({}, { SHELFLEET_SANDBOX_URL: baseUrl }),
    }),
  )("%s", async (message, call) => {
    expect(await messageOf(call)).toBe(message);
  });
});

describe("an error response", () => {
  const issues = [1, 2, 3, 4, 5, 6].map((n) => ({ path: `contacts.${n}.name`, message: "is required" }));

  it.each(
    Object.entries<Answer>({
      "GET /v1/stores/{externalId}: 404 not_found: no store": [
        404,
        { error: { code: "not_found", message: "no store" } },
      ],
      "GET /v1/stores/{externalId}: 400 validation_failed: invalid (contacts.1.name: is required; contacts.2.name: is required; contacts.3.name: is required; contacts.4.name: is required; contacts.5.name: is required)":
        [400, { error: { code: "validation_failed", message: "invalid", issues } }],
      "GET /v1/stores/{externalId}: 400 (no code): without a message (invalid)": [
        400,
        { error: { issues: [{ path: "", message: "invalid" }, 5] } },
      ],
      "GET /v1/stores/{externalId}: 503 not_configured: without a message; the operator of the service must set its API token: a retry does not help":
        [503, { error: { code: "not_configured", message: "" } }],
      "GET /v1/stores/{externalId}: 500 (no code): without a message": [500, { error: "oops" }],
      "GET /v1/stores/{externalId}: 502 (no code): without a message": [502],
      [`GET /v1/stores/{externalId}: 500 (no code): ${"x".repeat(1989)}`]: [
        500,
        { error: { message: "x".repeat(3000) } },
      ],
    }),
  )("%s", async (message, answer) => {
    expect(await messageOf(() => serve(() => answer).store.stores.get("S-1"))).toBe(message);
  });

  it.each(
    Object.entries<Answer>({
      "GET /vehicles/{id}: 404 NOT_FOUND: no vehicle": [
        404,
        { errors: [{ code: "NOT_FOUND", message: "no vehicle" }] },
      ],
      "GET /vehicles/{id}: 400 A: a; (no code): b; C: without a message": [
        400,
        { errors: [{ code: "A", message: "a" }, { message: "b" }, { code: "C", message: "" }, {}] },
      ],
      "GET /vehicles/{id}: 400 A: a": [400, { error: { code: "A", message: "a" } }],
      "GET /vehicles/{id}: 400 (no code): oops": [400, { error: "oops" }],
      "GET /vehicles/{id}: 409 (no code): without a message": [409, { errors: [{ code: 5, message: 6 }] }],
      "GET /vehicles/{id}: 422 A: a": [422, { code: "A", message: "a" }],
      "GET /vehicles/{id}: 400 (no code): without a message": [400, [1]],
      "GET /vehicles/{id}: 401 (no code): the key is missing, malformed, expired or revoked": [401],
      "GET /vehicles/{id}: 404 (no code): the resource does not exist": [404],
      "GET /vehicles/{id}: 500 (no code): without a message": [500],
      "GET /vehicles/{id}: 400 E1: x; E2: x; E3: x; E4: x; E5: x": [
        400,
        { errors: [1, 2, 3, 4, 5, 6].map((n) => ({ code: `E${n}`, message: "x" })) },
      ],
      [`GET /vehicles/{id}: 500 (no code): ${"x".repeat(1989)}`]: [
        500,
        { errors: [{ message: "x".repeat(3000) }] },
      ],
    }),
  )("%s", async (message, answer) => {
    expect(await messageOf(() => serve(() => answer).fleet.vehicles.get("1"))).toBe(message);
  });
});

describe("a ScopeError", () => {
  const refuse = (details: object | undefined, more: object[] = []) =>
    serve(() => [403, { errors: [...more, { code: "FORBIDDEN", message: "no", details }] }]).fleet;
  const lacks = (required: string[], ...available: string[]) => refuse({ required, available });

  it.each(
    Object.entries<() => PromiseLike<unknown>>({
      "The contract's scope table requires vehicles:read. Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicles:read as well.":
        () => lacks(["vehicles:read"]).vehicles.get("1"),
      "The contract's scope table requires vehicles:read. Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicles:read and damages:read as well.":
        () =>
          lacks(["vehicles:read", "damages:read"], "vehicles:write", "damages:write", "a").vehicles.get("1"),
      "The contract's scope table requires vehicle-fields:read, its text also names vehicles:read or vehicles:write. Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicle-fields:read, vehicles:read or vehicles:write as well.":
        () => lacks(["vehicle-fields:read", "vehicles:read", "vehicles:write"]).vehicleFields.list(),
      "The contract's scope table requires vehicle-fields:read, its text also names vehicles:read or vehicles:write. Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicle-fields:read as well.":
        () => lacks(["vehicle-fields:read", "vehicles:read"], "vehicles:read").vehicleFields.list(),
      "The contract's scope table requires inspection-templates:read, its text also names inspections:read; which of them suffices is not stated (gap scopes.list-templates). Scopes are fixed when a key is created: ask a company administrator for a new key that has inspection-templates:read and inspections:read as well.":
        () => lacks(["inspection-templates:read", "inspections:read"]).inspectionTemplates.list(),
      "The contract's scope table requires vehicle-fields:read, its text also names vehicles:read or vehicles:write; which of them suffices is not stated (gap scopes.field-vehicles). Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicle-fields:read as well.":
        () => lacks(["vehicle-fields:read"]).vehicleFields.listVehicles("1"),
      "The contract's scope table requires damages:read, its text also names vehicles:read; which of them suffices is not stated (gap scopes.get-damage). Scopes are fixed when a key is created: ask a company administrator for a new key that has damages:read as well.":
        () => lacks(["damages:read"]).damages.get("1"),
      "The contract's scope table requires vehicles:write. Scopes are fixed when a key is created: ask a company administrator for a new key that has vehicles:write as well.":
        () => refuse(undefined).vehicles.delete("1"),
      "The contract's scope table requires vehicles:read. The key has every scope that the server requires: ask the operator of the service for the reason.":
        () => lacks(["vehicles:read"], "vehicles:read").vehicles.get("1"),
      "The contract's scope table requires vehicles:read. Scopes are fixed when a key is created: ask a company administrator for a new key that has x:read as well.":
        () => refuse({}, [{ details: { required: ["x:read", 5], available: "all" } }]).vehicles.list(),
      [`The contract's scope table requires vehicles:read. Scopes are fixed when a key is created: ask a company administrator for a new key that has a\\u000ab as well.`]:
        () => lacks(["a\nb"]).vehicles.get("1"),
    }),
  )("%s", async (explanation, call) => {
    const error = await rejection(call());
    expect(error).toBeInstanceOf(ScopeError);
    expect(error).toMatchObject({ explanation });
  });

  it.each<[string, string[], () => PromiseLike<unknown>]>([
    [
      "the text accepts each",
      ["vehicle-fields:read", "vehicles:read"],
      () => lacks(["vehicle-fields:read", "vehicles:read"]).vehicleFields.list(),
    ],
    [
      "it is not stated",
      ["damages:read", "vehicles:read"],
      () => lacks(["damages:read", "vehicles:read"]).damages.get("1"),
    ],
    [
      "the key has the other",
      [],
      () => lacks(["damages:read", "vehicles:read"], "damages:read").damages.get("1"),
    ],
    ["both are needed", [], () => lacks(["vehicles:read", "a"]).vehicles.get("1")],
  ])("has the scopes one of which may suffice: %s", async (_, anyOf, call) => {
    expect(await rejection(call())).toMatchObject({ anyOf });
  });

  it.each(
    Object.entries<() => PromiseLike<unknown>>({
      "GET /vehicles/{id}: 403 FORBIDDEN: no (missing vehicles:read)": () =>
        lacks(["vehicles:read"]).vehicles.get("1"),
      "GET /vehicles/{id}: 403 FORBIDDEN: no (missing s0, s1, s2, s3, s4, s5, s6, s7, s8)": () =>
        lacks(Array.from({ length: 25 }, (_, n) => `s${n}`)).vehicles.get("1"),
      "GET /vehicle-fields: 403 FORBIDDEN: no (missing vehicles:read, vehicles:write)": () =>
        lacks(
          ["vehicle-fields:read", "vehicles:read", "vehicles:write"],
          "vehicle-fields:read",
        ).vehicleFields.list(),
      "GET /vehicle-fields: 403 FORBIDDEN: no (missing vehicle-fields:read or vehicles:read)": () =>
        lacks(["vehicle-fields:read", "vehicles:read"]).vehicleFields.list(),
      "GET /vehicles: 403 FORBIDDEN: no": () => lacks(["vehicles:read"], "vehicles:read").vehicles.list(),
    }),
  )("%s", async (message, call) => {
    expect(await messageOf(call)).toBe(message);
  });
});

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
type Clients = ReturnType<typeof serve>;
type Call = (clients: Clients) => PromiseLike<unknown>;

const read: Call = ({ store }) => store.stores.get("S-1");
const write: Call = ({ store }) => store.stores.upsert("S-1", { name: "A" });
const contacts: Call = ({ store }) => store.contacts.get("S-1");
const detail: Call = ({ store }) => store.protocols.get("S-1", "P-1");
const rates: Call = ({ store }) => store.fillRates.forStore("S-1", range);
const vehicle: Call = ({ fleet }) => fleet.vehicles.get("1");
const remove: Call = ({ fleet }) => fleet.vehicles.delete("1");
const html = "<!doctype html>";

/** A response whose body is a text. */
const text =
  (body: string | Uint8Array<ArrayBuffer>, status = 200, headers = {}) =>
  async () =>
    new Response(body, { status, headers });
const readFrom =
  (fetch: () => Promise<unknown>, options: object = {}): Call =>
  ({ makeStore }) =>
    makeStore({ fetch, ...options }).stores.get("S-1");

describe("a response against the contract", () => {
  it.each(
    Object.entries<[Call, Answer?]>({
      "200 without `storeId`": [read, [200, { message: "maintenance" }]],
      "200 without the array `items`": [contacts, [200, { items: {} }]],
      "200 without the array `images`": [detail, [200, { images: {} }]],
      "200 without the `data` of an envelope { data, meta }": [vehicle, [200, { data: [] }]],
      "201 without the `data` of an envelope { data, meta } (R)": [remove, [201, { meta: {} }]],
      "200 with an error in its body": [read, [200, { storeId: "1", error: { code: "a" } }]],
      "201 with an error in its body": [contacts, [201, { items: [], error: "a" }]],
      "200 with JSON that is not an object": [read, [200, []]],
      "202 is not a status of the contract": [read, [202, { storeId: "1" }]],
      "299 is not a status of the contract (L)": [write, [299, { storeId: "1" }]],
      "300 is a redirect to another place, which is not followed": [read, [300, {}]],
      "399 is a redirect to /v1/stores/S-1, which is not followed": [
        read,
        [399, {}, { location: "/v1/stores/S-1" }],
      ],
      "302 is a redirect to https://a.example/b, which is not followed": [
        read,
        [302, {}, { location: "https://u:p@a.example/b" }],
      ],
      "302 is a redirect to https://a.example/c/v1/stores/S-1, which is not followed: set baseUrl to https://a.example/c":
        [read, [302, {}, { location: "https://a.example/c/v1/stores/S-1" }]],
      "304 Not Modified, which has no content: a conditional header or a cache caused it": [read, [304]],
      "200 with an empty body instead of JSON": [readFrom(text(" \n"))],
      "200 with a body that is not UTF-8": [readFrom(text(Uint8Array.of(0x22, 0xe9, 0x22)))],
      "200 with a body that is not JSON: it looks like HTML, from a proxy or a wrong base URL": [
        readFrom(text(`\n${html}`)),
      ],
      "200 with a body that is not JSON: it begins like JSON and may be cut short": [
        readFrom(text(' {"a":')),
      ],
      "200 with a body that is not JSON: see the error's body": [readFrom(text("see <here> or [there]"))],
      "200 with a body over 1 bytes (maxResponseBytes)": [readFrom(text("{}"), { maxResponseBytes: 1 })],
      "200 does not fit the contract: id: is not the requested one": [
        ({ makeFleet }) => makeFleet({ validate: "full" }).damages.get("1"),
        [200, { data: { id: "2" }, meta: { version: "v1" } }],
      ],
      "200 does not fit the contract: name: must be a string": [
        ({ makeStore }) => makeStore({ validate: "full" }).stores.get("S-1"),
        [200, storeRow(1, { externalId: "S-1", name: 5 })],
      ],
      "500 (no code): without a message (it looks like HTML, from a proxy or a wrong base URL)": [
        readFrom(text(` ${html}`, 500)),
      ],
      "501 (no code): without a message": [readFrom(text("a <b>", 501))],
      "502 (no code): without a message (it looks like HTML, from a proxy or a wrong base URL)": [
        ({ makeFleet }) => makeFleet({ fetch: text(html, 502) }).vehicles.get("1"),
      ],
      "429 (no code): without a message (it looks like HTML, from a proxy or a wrong base URL; Retry-After is 61 s, longer than retry.maxDelay (30000 ms))":
        [readFrom(text(html, 429, { "retry-after": "61" }), { retry: 1 })],
    }),
  )("%s", async (message, [call, answer = [200]]) => {
    const words = message.replace(" (L)", ` (${lostWrite})`).replace(" (R)", ` (${repeatableWrite})`);
    expect((await messageOf(() => call(serve(() => answer)))).replace(/^.*?: /, "")).toBe(words);
  });

  it.each<[string, Call, object]>([
    [
      "a store with properties that are named like errors",
      read,
      { storeId: "1", errors: ["a"], error: "a", success: false },
    ],
    ["a protocol with them", detail, { images: [], errors: ["a"], error: "a" }],
    ["fill rates with errors", rates, { groups: [], errors: ["a"] }],
    ["fill rates with a failure among others", rates, { success: false, groups: [] }],
    ["fill rates with an error of their own", rates, { error: 0.02, rate: 0.7 }],
    ["fill rates with a message", rates, { errorMessage: "none", errorType: 5 }],
    ["fill rates with a type", rates, { errorType: "none" }],
    ["fill rates with an empty error", rates, { error: {}, errors: [] }],
  ])("is not %s", async (_, call, body) => {
    expect(await call(serve(() => [200, body]))).toEqual(body);
  });
});

const repeatableWrite = "the service may have processed the request: the same call can be made again";
const lostWrite = "the service may have processed the request: read the resource before you send it again";
const failure = (message: string, code?: unknown, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });
const nested = (depth: number): Error =>
  failure(`cause ${depth}`, undefined, depth === 9 ? undefined : nested(depth + 1));
const loop = failure("loop");
loop.cause = loop;

describe("a lost connection", () => {
  it.each(
    Object.entries<unknown>({
      "read ECONNRESET": failure("fetch failed", undefined, failure("read ECONNRESET", "ECONNRESET")),
      "socket hang up (ECONNRESET)": failure("socket hang up", "ECONNRESET"),
      "fetch failed (ENOTFOUND): check the base URL, the certificates and the proxy": failure(
        "fetch failed",
        undefined,
        failure("", "ENOTFOUND"),
      ),
      "connect ECONNREFUSED": failure("fetch failed", undefined, {
        errors: [failure("connect ECONNREFUSED", "ECONNREFUSED"), failure("b")],
      }),
      "a code that is a number": failure("a code that is a number", 23),
      "bad port: check the base URL, the certificates and the proxy": failure(
        "fetch failed",
        undefined,
        failure("bad port"),
      ),
      offline: "offline",
      "the connection was lost": null,
      "Failed to fetch": failure("Failed to fetch", undefined, Response.error()),
      loop,
      "cause 4": nested(0),
    }),
  )("is described as: %s", async (words, reason) => {
    const message = await messageOf(() => readFrom(() => Promise.reject(reason))(serve(() => [200])));
    expect(message).toBe(`GET /v1/stores/{externalId}: no complete response: ${words}`);
  });
});

describe("JSON.stringify writes", () => {
  const call = {
    retryable: false,
    method: "GET",
    route: "/v1/stores/{externalId}",
    attempts: 1,
    mayHaveBeenProcessed: false,
  };
  const label = "GET /v1/stores/{externalId}:";
  const response = { ...call, url: `${baseUrl}/v1/stores/S-1` };
  const ofFleet = { ...call, route: "/vehicles/{id}", url: `${fleetUrl}/vehicles/1` };
  const created = { ...call, method: "POST", route: "/vehicles", mayHaveBeenProcessed: true };
  const lost = failure("read ECONNRESET", "ECONNRESET");
  const never = { timeout: 5, fetch: () => new Promise(() => {}) };
  const required = ["vehicles:read"];

  it.each<[string, string, object, Call, Answer]>([
    [
      "ConfigurationError",
      'the token must be a string of visible ASCII characters without spaces or "Bearer"',
      { retryable: false },
      async ({ makeStore }) => makeStore({ token: "" }),
      [200],
    ],
    [
      "InvalidRequestError",
      `${label} not sent: externalId: must not be empty, \`.\` or \`..\``,
      { retryable: false, issues: [{ path: "externalId", message: "must not be empty, `.` or `..`" }] },
      ({ store }) => store.stores.get(".."),
      [200],
    ],
    [
      "ConnectionError",
      `${label} no complete response: read ECONNRESET`,
      { ...call, retryable: true },
      read,
      lost,
    ],
    [
      "TimeoutError",
      `POST /vehicles: no complete response within 5 ms (timeout) (${lostWrite})`,
      { ...created, kind: "attempt", after: 5 },
      ({ makeFleet }) => makeFleet(never).vehicles.create({}),
      lost,
    ],
    [
      "StoreApiError",
      `${label} 409 conflict: no (name: taken)`,
      {
        ...response,
        status: 409,
        requestId: "r-1",
        code: "conflict",
        issues: [{ path: "name", message: "taken" }],
      },
      read,
      [
        409,
        {
          error: {
            code: "conflict",
            message: "no",
            issues: [{ path: "name", message: "taken" }, 5, { path: "a" }],
          },
        },
        { "x-request-id": "r-1" },
      ],
    ],
    [
      "FleetApiError",
      "GET /vehicles/{id}: 404 NOT_FOUND: no",
      { ...ofFleet, status: 404, code: "NOT_FOUND", errors: [{ code: "NOT_FOUND", message: "no" }] },
      vehicle,
      [404, { errors: [{ code: "NOT_FOUND", message: "no" }] }],
    ],
    [
      "ScopeError",
      "GET /vehicles/{id}: 403 (no code): no (missing vehicles:read)",
      {
        ...ofFleet,
        status: 403,
        errors: [{ message: "no", details: { required } }],
        required,
        available: [],
        missing: required,
        anyOf: [],
        explanation: expect.stringContaining("vehicles:read as well") as string,
      },
      vehicle,
      [403, { errors: [{ message: "no", details: { required } }] }],
    ],
    [
      "UnexpectedResponseError",
      `${label} 302 is a redirect to https://a.example, which is not followed`,
      { ...response, retryable: true, status: 302, location: "https://a.example", issues: [] },
      read,
      [302, undefined, { location: "https://u:p@a.example" }],
    ],
    [
      "PaginationError",
      "GET /v1/stores/{externalId}/photos: the response is about another list: `externalId` differs from the request",
      {
        retryable: false,
        reason: "the response is about another list: `externalId` differs from the request",
      },
      ({ store }) => store.photos.list("S-1", { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }),
      [200, { externalId: "S-2", items: [], nextCursor: null }],
    ],
    [
      "WriteError",
      "PUT /v1/stores/{externalId}/contacts: was sent, and the service returned other values: items: has 1 elements instead of 0",
      {
        retryable: false,
        reason: "differs",
        issues: [{ path: "items", message: "has 1 elements instead of 0" }],
      },
      ({ store }) => store.contacts.replace("S-1", []),
      [200, { externalId: "S-1", items: [{}] }],
    ],
  ])("a %s", async (name, message, properties, fail, answer) => {
    const error = await rejection((async () => fail(serve(() => answer)))());
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name, message, ...properties });
  });
});

describe("a token function that hangs", () => {
  it.each([
    ["", () => new Promise(() => {})],
    [
      "further ",
      (context: { refused?: string }) => (context.refused === undefined ? "token-1" : new Promise(() => {})),
    ],
  ])("is the reason why no %srequest was sent", async (further, token) => {
    const { makeStore } = serve(() => [401, {}]);
    const message = `no ${further}request was sent: the limiter, a slot of maxConcurrency or the token was awaited within 5 ms (timeout)`;
    const call = makeStore({ token, timeout: 5 }).stores.upsert("S-1", { externalId: "S-2" });
    await expect(call).rejects.toMatchObject({
      message: expect.stringContaining(message) as string,
      retryable: true,
      mayHaveBeenProcessed: false,
    });
  });
});
