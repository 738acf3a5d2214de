import { describe, expect, it } from "vitest";
import {
  ConfigurationError,
  FleetClient,
  InvalidRequestError,
  ShelfleetError,
  StoreClient,
} from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { json } from "../core/stub-fetch.ts";
import { stubClient } from "./stub-client.ts";

const rejection = (call: PromiseLike<unknown>): Promise<ShelfleetError> =>
  Promise.resolve(call).then(
    () => {
      throw new Error("the call succeeded");
    },
    (error: unknown) => error as ShelfleetError, // checked by the tests
  );

const fleetOf = (fetch: () => Promise<Response>): FleetClient =>
  new FleetClient({
    baseUrl: "https://fleet.example/api/third-party/v1",
    key: `k_${"0".repeat(64)}`,
    fetch,
    timeout: 200,
    retry: 0,
  });

const advice =
  "the service may have processed the request: read the resource, or find a created one, for example with `ensure`, " +
  "before you send it again";
const never = (): Promise<never> => new Promise(() => {});
const reset = (): Promise<never> => Promise.reject(new TypeError("socket hang up"));
const refused = (): Promise<never> =>
  Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
const respond =
  (status: number, headers: HeadersInit = {}) =>
  async () =>
    json({}, { status, headers });

describe("an error of a read", () => {
  it.each<[string, () => Promise<Response>, boolean]>([
    ["a reset", reset, true],
    ["a timeout", never, true],
    ["408", respond(408), true],
    ["429", respond(429), true],
    ["500", respond(500), true],
    ["503", respond(503), true],
    ["400", respond(400), false],
    ["404", respond(404), false],
    ["a response that is not JSON", async () => new Response("<html>"), false],
  ])("is retryable after %s: %s", async (_, fetch, retryable) => {
    const error = await rejection(fleetOf(fetch).vehicles.get("11111111-1111-1111-1111-111111111111"));
    expect(error).toBeInstanceOf(ShelfleetError);
    expect(error.retryable).toBe(retryable);
    expect(error.message).not.toContain(advice);
  });
});

describe("an error of a write that may have been processed", () => {
  it.each<[string, () => Promise<Response>, boolean, boolean]>([
    ["a reset", reset, false, true],
    ["a timeout", never, false, true],
    ["500", respond(500), false, true],
    ["504", respond(504), false, true],
    ["no connection", refused, false, false],
    ["429", respond(429), true, false],
    ["501", respond(501), false, false],
    ["400", respond(400), false, false],
    ["202", respond(202), false, true],
    ["204", async () => new Response(null, { status: 204 }), false, true],
    ["201 without a body", async () => new Response("", { status: 201 }), false, true],
    ["201 without data", respond(201), false, true],
    ["200 with a page of HTML", async () => new Response("<html>"), false, true],
    ["a redirect to what was created", respond(303, { location: "/elsewhere" }), false, true],
    ["a redirect of the request", respond(307, { location: "/elsewhere" }), false, false],
    ["304", async () => new Response(null, { status: 304 }), false, false],
  ])("names what to do after %s", async (_, fetch, retryable, isLost) => {
    const error = await rejection(fleetOf(fetch).vehicles.create({ plateNumber: "A" }));
    expect(error.retryable).toBe(retryable);
    expect(error.message.includes(advice)).toBe(isLost);
  });
});

describe("an error before a request", () => {
  it("is not retryable if the request is invalid", async () => {
    const { client } = stubClient();
    const error = await rejection(client.stores.get(""));
    expect([error instanceof InvalidRequestError, error.retryable]).toEqual([true, false]);
    expect(Object.keys(error)).not.toContain("retryable");
  });

  it("is retryable if the total deadline passed in a queue", async () => {
    const fleet = fleetOf(never).withOptions({ limiter: { acquire: never }, totalTimeout: 10 });
    const error = await rejection(fleet.vehicles.create({ plateNumber: "A" }));
    expect([error.name, error.retryable]).toEqual(["TimeoutError", true]);
    expect(error.message).not.toContain(advice);
  });

  it.each([
    [{ timeOut: 1 }, 'Did you mean "timeout"?'],
    [{ baseURL: 1 }, 'Did you mean "baseUrl"?'],
    [{ url: 1 }, 'Did you mean "baseUrl"?'],
    [{ apiToken: 1 }, 'Did you mean "token"?'],
    [{ retries: 1 }, 'Did you mean "retry"?'],
    [{ hook: 1 }, 'Did you mean "hooks"?'],
  ])("asks for the option that was meant: %j", (options, question) => {
    const make = () => new StoreClient({ baseUrl: "https://x.example", token: "some-token", ...options });
    expect(make).toThrow(question);
  });

  it("asks for the key of the fleet client, and for nothing far from all options", () => {
    const make = (options: object) => () => new FleetClient(options as never);
    expect(make({ apiKey: "x" })).toThrow('Did you mean "key"?');
    expect(make({ colour: "x" })).not.toThrow("Did you mean");
    expect(make({ colour: "x" })).toThrow(ConfigurationError);
  });
});

describe("an exception in a function of a test", () => {
  it.each(["when", "change"] as const)("reaches the caller at once: %s", async (place) => {
    const ref = createReferenceServer();
    const fail = (): never => {
      throw new Error("the test is wrong");
    };
    if (place === "when") ref.on("getStore", { when: fail }).once({ status: 404 });
    else ref.on("getStore").change(fail);
    const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
    const error = await rejection(store.stores.get("S-1"));
    expect(error).toMatchObject({ status: 501, attempts: 1, retryable: false });
    expect(error.message).toContain("the test is wrong");
  });
});
