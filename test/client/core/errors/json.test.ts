import { describe, expect, it, vi } from "vitest";
import * as basicErrors from "../../../../src/client/core/errors/errors.ts";
import * as responseErrors from "../../../../src/client/core/errors/response-errors.ts";
import { requestIdOf } from "../../../../src/client/core/errors/request-id.ts";
import { FleetClient } from "../../../../src/client/fleet/index.ts";
import { FleetApiError, ScopeError } from "../../../../src/client/fleet/errors.ts";
import { StoreApiError } from "../../../../src/client/store/errors.ts";
import { json } from "../stub-fetch.ts";
import { stubClient } from "../../store/stub-client.ts";

const errors = { ...basicErrors, ...responseErrors };

const request = {
  method: "GET",
  route: "/v1/stores/{externalId}",
  url: "https://store.example/base/v1/stores/S",
};
const ofResponse = {
  ...request,
  headers: { "content-type": "application/json", "x-request-id": "r-1" },
  requestId: "r-1",
  attempts: 1,
};

async function serializeError(respond: () => Promise<Response>, timeout = 1000): Promise<unknown> {
  const { client } = stubClient(respond, { retry: 0, timeout });
  const error: unknown = await client.stores.get("S").catch((reason: unknown) => reason);
  return JSON.parse(JSON.stringify(error));
}

describe("JSON.stringify writes", () => {
  it("an error of the API, without its body", async () => {
    const body = { error: { code: "not_found", message: "no", issues: [{ path: "a", message: "b" }] } };
    const headers = { "x-request-id": "r-1" };
    expect(await serializeError(async () => json(body, { status: 404, headers }))).toEqual({
      ...ofResponse,
      name: "StoreApiError",
      message: "GET /v1/stores/{externalId}: 404 not_found: no (a: b)",
      status: 404,
      retryable: false,
      code: "not_found",
      issues: [{ path: "a", message: "b" }],
    });
  });

  it("a response that was not expected, without its body", async () => {
    const headers = { "x-request-id": "r-1", "content-type": "application/json" };
    expect(await serializeError(async () => new Response("<p>", { headers }))).toEqual({
      ...ofResponse,
      name: "UnexpectedResponseError",
      message:
        "GET /v1/stores/{externalId}: 200 with a body that is not JSON: it looks like HTML, from a proxy or a wrong base URL",
      status: 200,
      issues: [],
    });
  });

  it("a failure without a response", async () => {
    const { method, route } = request;
    expect(await serializeError(() => Promise.reject(new TypeError("lost")))).toMatchObject({
      name: "ConnectionError",
      message: "GET /v1/stores/{externalId}: no complete response: lost",
      method,
      route,
      attempts: 1,
    });
    expect(await serializeError(() => new Promise(() => {}), 5)).toEqual({
      name: "TimeoutError",
      message: "GET /v1/stores/{externalId}: no complete response within 5 ms (timeout)",
      method,
      route,
      attempts: 1,
      kind: "attempt",
      retryable: true,
      after: 5,
    });
  });
});

describe("`instanceof` holds across two copies of the package", () => {
  it("for each class and the classes above it, and for no other", async () => {
    vi.resetModules();
    const other = {
      ...(await import("../../../../src/client/core/errors/errors.ts")),
      ...(await import("../../../../src/client/core/errors/response-errors.ts")),
    };
    const fleet = await import("../../../../src/client/fleet/errors.ts");
    const storeErrors = await import("../../../../src/client/store/errors.ts");
    expect(other.ShelfleetError).not.toBe(errors.ShelfleetError);
    const details = { status: 403, ...request, headers: new Headers(), body: "", attempts: 1 };
    const refusal = { required: [], available: [], missing: [], anyOf: [], explanation: "" };
    const made: [Error, ...(abstract new (...given: never) => unknown)[]][] = [
      [new other.ConfigurationError("x"), errors.ConfigurationError],
      [new other.InvalidRequestError("x", []), errors.InvalidRequestError],
      [new other.ConnectionError("x"), errors.ConnectionError],
      [new other.TimeoutError("x", "total", 1), errors.TimeoutError],
      [new other.PaginationError("x", "y", {}), errors.PaginationError],
      [new other.UnexpectedResponseError("x", { ...details, body: "" }), errors.UnexpectedResponseError],
      [new other.ApiError("x", details), errors.ApiError],
      [new storeErrors.StoreApiError(details), StoreApiError, errors.ApiError],
      [new fleet.FleetApiError(details), FleetApiError, errors.ApiError],
      [new fleet.ScopeError(details, refusal), ScopeError, FleetApiError, errors.ApiError],
    ];
    const classes = [...new Set(made.flatMap(([, ...kinds]) => kinds))];
    for (const [error, ...kinds] of made) {
      expect(error).toBeInstanceOf(errors.ShelfleetError);
      expect(classes.filter((kind) => error instanceof kind)).toEqual(
        classes.filter((kind) => kinds.includes(kind)),
      );
    }
  });

  it("errors have values for the properties that a call sets later", () => {
    const unknown = { method: "", route: "", attempts: 1 };
    expect(new errors.ConnectionError("x")).toMatchObject(unknown);
    expect(new errors.TimeoutError("x", "total", 1)).toMatchObject(unknown);
    const details = { status: 200, ...request, headers: new Headers(), body: "", attempts: 1 };
    expect(new errors.UnexpectedResponseError("x", details).issues).toEqual([]);
  });

  it("the request ID is the first header with a value", () => {
    const headers = new Headers({ "x-request-id": "", "request-id": "r-2", "cf-ray": "r-3" });
    expect(requestIdOf(headers)).toBe("r-2");
    expect(requestIdOf(new Headers({ "cf-ray": "" }))).toBeUndefined();
  });

  it("every class is marked with its name, so that other versions of the package recognize it", () => {
    const mark = Symbol.for("shelfleet.error");
    const exported = { ...errors, StoreApiError, FleetApiError, ScopeError };
    const kinds = Object.entries(exported).filter(
      ([, kind]) => typeof kind === "function" && kind.prototype instanceof Error,
    );
    expect(kinds.length).toBeGreaterThan(9);
    expect(kinds.map(([, kind]): unknown => Reflect.get(kind as object, mark))).toEqual(
      kinds.map(([name]) => name),
    );
  });

  it("for no value that is something else", () => {
    for (const value of [null, undefined, "x", {}, new Error("x"), { constructor: 5 }, FleetClient])
      expect(value instanceof errors.ShelfleetError).toBe(false);
  });

  it("for a class of the user's own", () => {
    class Own extends errors.ShelfleetError {}
    expect(new Own("x")).toBeInstanceOf(Own);
    expect(new Own("x")).toBeInstanceOf(errors.ShelfleetError);
    expect(new errors.ShelfleetError("x") instanceof Own).toBe(false);
  });
});
