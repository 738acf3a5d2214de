import { always, limit, respond, second } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { copyProtocols, copyStores, copyVehicles } from "../tasks/copies.ts";
import { changeStores } from "../tasks/writes.ts";
import { reportDamages } from "../tasks/fleet-writes.ts";

const READS = [copyStores, copyVehicles];

function wait(status: number, retryAfter: string) {
  return { status, headers: { "retry-after": retryAfter } };
}

export const limitRows: ScenarioRows = {
  "wait-a-second": {
    tasks: [...READS, changeStores, reportDamages],
    why: "The service limits the rate of requests and says how long to wait.",
    cause: "retry-after-ignored",
    faults: [limit(1, second)],
    isSolvable: true,
  },
  "no-retry-after": {
    tasks: READS,
    why: "The service limits the rate of requests and does not say how long.",
    cause: "read-not-retried",
    faults: [respond({ status: 429 }, second)],
    isSolvable: true,
  },
  "wait-an-hour": {
    tasks: [...READS, reportDamages],
    why: "The quota of the day is used up: the service says to come back in an hour.",
    cause: "retry-after-ignored",
    faults: [respond(wait(429, "3600"), { ...always, from: 2 })],
  },
  maintenance: {
    tasks: [...READS, changeStores],
    why: "The service is down for maintenance and says to come back in an hour.",
    cause: "retry-after-ignored",
    faults: [respond(wait(503, "3600"), { ...always, from: 2 })],
  },
  "strange-retry-after": {
    tasks: [copyStores],
    why: "Retry-After is not a number and not a date.",
    cause: "retry-after-ignored",
    faults: [respond(wait(429, "soon"), second)],
    isSolvable: true,
  },
  "wait-again-and-again": {
    tasks: [copyStores, copyProtocols],
    why: "The service limits the rate of requests, and every second request is one too many.",
    cause: "retry-after-ignored",
    faults: [respond(wait(429, "1"), { from: 2 }), respond(wait(429, "1"), { from: 3 })],
    isSolvable: true,
  },
  outage: {
    tasks: [...READS, changeStores],
    why: "The service fails with 500 from the second request on, and does not come back.",
    cause: "read-not-checked",
    faults: [respond({ status: 500 }, { ...always, from: 2 })],
  },
  "short-outage": {
    tasks: READS,
    why: "Two requests in a row fail with 503.",
    cause: "read-not-retried",
    faults: [respond({ status: 503 }, { from: 2, times: 2 })],
    isSolvable: true,
  },
  "not-configured": {
    tasks: [copyStores],
    why: "The operator of the service has not configured a token: 503 until somebody acts.",
    cause: "read-not-checked",
    faults: [
      respond({ status: 503, body: { error: { code: "not_configured", message: "no token" } } }, always),
    ],
  },
};
