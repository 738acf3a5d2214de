import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { readAnswer } from "../../src/core/request/response.ts";
import type { Answered, Outgoing } from "../../src/core/request/send.ts";
import { fleetDialect } from "../../src/fleet/dialect.ts";
import { FleetApiError, ScopeError, StoreApiError } from "../../src/index.ts";
import { isNotConfigured, storeDialect } from "../../src/store/dialect.ts";
import { feed, isBounded } from "./measure.ts";
import type { Mutator } from "./mutator.ts";

const secret = "fuzz-secret+/=~9";
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

const responses = [400, 401, 403, 404, 409, 418, 429, 500, 503, 599].map(
  (status) => new Response("", { status, headers: { "x-echo": secret, "retry-after": "1" } }),
);

function answered(mutator: Mutator, bodies: typeof storeBodies | typeof fleetBodies): Answered {
  const text = mutator.below(20) === 0 ? mutator.noise(300) : mutator.body(bodies);
  const response = mutator.pick(responses);
  const { status } = response;
  const answer = { response, status, text, url: "http://x/", attempts: 1, unsure: true, secret };
  return answer;
}

/** A refusal that is thrown at once is a rejection here, like one that comes later. */
async function read(...given: Parameters<typeof readAnswer>): Promise<unknown> {
  return readAnswer(...given);
}

function outgoing(operation: string, method: string, route: string): Outgoing {
  return {
    operation,
    method,
    route,
    path: route,
    body: undefined,
    headers: undefined,
    retryClass: "idempotent",
    limits: { timeout: 1, totalTimeout: 1, retries: 0, maxDelay: 0 },
    signals: [],
  };
}

/** What the tree says of an error has to hold whatever the body was. */
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

test("error envelopes of the store", async ({ task }) => {
  const out = outgoing("getStore", "GET", "/v1/stores/{externalId}");
  task.meta.measured = await feed(200_000, async (mutator) => {
    const answer = answered(mutator, storeBodies);
    isNotConfigured(answer);
    await read(out, answer, storeDialect).catch(checkStore);
  });
  expect(isBounded(task.meta.measured)).toBe(true);
  expect(task.meta.measured.refused).toBe(task.meta.measured.inputs);
});

test("error envelopes of the fleet, those of scopes too", async ({ task }) => {
  const outs = [
    outgoing("getDamage", "GET", "/damages/{id}"),
    outgoing("listVehicleFields", "GET", "/vehicle-fields"),
    outgoing("listVehicleFieldVehicles", "GET", "/vehicle-fields/{id}/vehicles"),
    outgoing("deleteVehicle", "DELETE", "/vehicles/{id}"),
    outgoing("", "GET", "/elsewhere"),
    outgoing("constructor", "GET", "/elsewhere"),
  ];
  task.meta.measured = await feed(200_000, async (mutator) => {
    await read(mutator.pick(outs), answered(mutator, fleetBodies), fleetDialect).catch(checkFleet);
  });
  expect(isBounded(task.meta.measured)).toBe(true);
  expect(task.meta.measured.refused).toBe(task.meta.measured.inputs);
});
