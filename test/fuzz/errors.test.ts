import assert from "node:assert/strict";
import { expect, test } from "vitest";

import { DestinationLock } from "../../src/client/core/request/destination.ts";
import { readResponse } from "../../src/client/core/request/response.ts";
import type { BufferedResponse, RequestSpec, Run } from "../../src/client/core/request/run.ts";
import { fleetAdapter } from "../../src/client/fleet/adapter.ts";
import { FleetApiError, ScopeError, StoreApiError } from "../../src/index.ts";
import type { ApiConfig } from "../../src/client/core/request/api.ts";
import { Secret } from "../../src/client/core/request/secret.ts";
import { storeAdapter } from "../../src/client/store/adapter.ts";
import { feed } from "./measure.ts";
import type { Mutator } from "./mutator.ts";

const secret = "fuzz-secret+/=~9";
const holder = new Secret(secret, () => {});
const encoder = new TextEncoder();
const storeBodies = [
  { error: { code: "validation_failed", message: "x", issues: [{ path: "a.b", message: "m", code: "c" }] } },
  { error: { code: "not_configured", message: secret } },
  { error: { message: "x" }, [secret]: [secret] },
];
const fleetBodies = [
  { errors: [{ code: "FORBIDDEN", message: "x", details: { required: ["a:read", "b"], available: ["c"] } }] },
  {
    errors: [
      { code: "NOT_FOUND", message: secret },
      { code: "B", message: "b", details: {} },
    ],
  },
  { code: "X", message: "y" },
  { error: { code: "X", message: "y" } },
];

const statuses = [400, 401, 403, 404, 409, 418, 429, 500, 503, 599];
const headers = new Headers({ "x-echo": secret, "retry-after": "1" });

function rawResponse(mutator: Mutator, bodies: typeof storeBodies | typeof fleetBodies): BufferedResponse {
  const text = mutator.below(20) === 0 ? mutator.noise(300) : mutator.body(bodies);
  const status = mutator.pick(statuses);
  return { status, head: { status, headers }, bytes: encoder.encode(text), complete: true };
}

function configOf(adapter: ApiConfig["adapter"]): Parameters<typeof readResponse>[0] {
  return { adapter, secret: holder, validate: "envelope", loadSchemas: async () => () => [] };
}

/** Turns an error that is thrown synchronously into a rejection. */
async function read(...given: Parameters<typeof readResponse>): Promise<unknown> {
  return readResponse(...given);
}

function runOf(id: string, method: string, route: string): Run {
  const spec: RequestSpec = {
    operation: { id, response: "object" },
    label: `${method} ${route}`,
    method,
    route,
    path: route,
    body: undefined,
    headers: undefined,
    retryClass: "idempotent",
    limits: { timeout: 1, totalTimeout: 1, retries: 0, maxDelay: 0, maxResponseBytes: 1 },
    errorBytes: 1,
    signals: [],
  };
  return {
    spec,
    call: 1,
    end: 0,
    destination: new DestinationLock(),
    url: "http://x/",
    attempts: 1,
    failures: 0,
    refusals: 0,
    refused: undefined,
    obstacle: undefined,
    retryable: false,
    scope: {},
    waited: 0,
    mayHaveExecuted: true,
  };
}

/** Checks the properties that every error has for any body. */
function checkStore(error: unknown): never {
  assert.ok(error instanceof StoreApiError);
  assert.ok(error.code === undefined || typeof error.code === "string");
  for (const { path, message } of error.issues)
    assert.ok(typeof path === "string" && typeof message === "string");
  throw error;
}

function checkFleet(error: unknown): never {
  assert.ok(error instanceof FleetApiError);
  for (const { code, message, details } of error.errors) {
    assert.ok(code === undefined || typeof code === "string");
    assert.ok(message === undefined || typeof message === "string");
    assert.ok(details === undefined || (typeof details === "object" && details !== null));
  }
  assert.equal(error instanceof ScopeError, error.status === 403);
  if (!(error instanceof ScopeError)) throw error;
  for (const list of [error.required, error.available, error.missing, error.anyOf])
    assert.ok(list.every((scope) => typeof scope === "string"));
  assert.ok(error.explanation.length > 0);
  throw error;
}

test("the client reads any error envelope of the store API", async ({ task }) => {
  const run = runOf("getStore", "GET", "/v1/stores/{externalId}");
  task.meta.measured = await feed(20_000, async (mutator) => {
    const response = rawResponse(mutator, storeBodies);
    storeAdapter.isPermanent(response);
    await read(configOf(storeAdapter), response, run).catch(checkStore);
  });
  expect(task.meta.measured.megabytes).toBeLessThan(64);
  expect(task.meta.measured.refused).toBe(task.meta.measured.inputs);
});

test("the client reads any error envelope of the fleet API, scopes included", async ({ task }) => {
  const runs = [
    runOf("getDamage", "GET", "/damages/{id}"),
    runOf("listVehicleFields", "GET", "/vehicle-fields"),
    runOf("listVehicleFieldVehicles", "GET", "/vehicle-fields/{id}/vehicles"),
    runOf("deleteVehicle", "DELETE", "/vehicles/{id}"),
    runOf("", "GET", "/elsewhere"),
    runOf("constructor", "GET", "/elsewhere"),
  ];
  task.meta.measured = await feed(20_000, async (mutator) => {
    const run = mutator.pick(runs);
    await read(configOf(fleetAdapter), rawResponse(mutator, fleetBodies), run).catch(checkFleet);
  });
  expect(task.meta.measured.megabytes).toBeLessThan(64);
  expect(task.meta.measured.refused).toBe(task.meta.measured.inputs);
});
