/** Writes a random scenario for a seed. The same seed gives the same scenario. */
import { createRandom, type Random } from "../models/random.ts";
import { fleetGaps, storeGaps } from "../models/readings.ts";
import { fleetStep } from "./generate-fleet.ts";
import { storeStep } from "./generate-store.ts";
import type { ApiName, Change, ClientSetup, Fault, Scenario, Step, World } from "./scenario.ts";

/** The arguments for generating the steps of a scenario. */
export interface Draft {
  readonly random: Random;
  readonly world: World;
  readonly readings: Readonly<Record<string, string>>;
  readonly configuredGaps: readonly string[];
}

export function generate(seed: number): Scenario {
  const random = createRandom(seed);
  const api: ApiName = random.chance(0.5) ? "store" : "fleet";
  const readings = chooseReadings(random, api);
  const world = chooseWorld(random);
  const client = chooseClient(random, api);
  const draft: Draft = { random, world, readings, configuredGaps: client.configuredGaps };
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const programs = Array.from({ length: count }, () => chooseProgram(draft, api));
  const noise = random.pick([0, 0, 0.05, 0.15, 0.4]);
  const faults: Record<number, Fault> = {};
  const changes: Record<number, Change> = {};
  const changing = random.pick([0, 0, 0.1, 0.3, 0.5]);
  for (let number = 1; number <= 60; number += 1) {
    if (random.chance(noise)) faults[number] = chooseFault(random, client);
    if (random.chance(changing)) changes[number] = chooseChange(random, api, client);
  }
  return { api, seed, readings, world, client, faults, changes, programs };
}

function chooseReadings(random: Random, api: ApiName): Record<string, string> {
  const table: Readonly<Record<string, readonly string[]>> = api === "store" ? storeGaps : fleetGaps;
  const chosen: Record<string, string> = {};
  // many readings end a history early: some of the gaps keep the default
  for (const [gap, choices] of Object.entries(table)) {
    const reading = random.pick(choices);
    if (random.chance(choices.length > 2 ? 0.8 : 0.6) && reading !== choices[0]) chosen[gap] = reading;
  }
  // nothing shows a null cursor before a store without external ID with which the next page begins (row L-17)
  if (chosen["stores.null-cursor"] === "null-early") delete chosen["stores.cursor-start"];
  return chosen;
}

function chooseWorld(random: Random): World {
  return {
    entities: random.pick([0, 1, 2, 3, 5, 8, 12, 13]),
    unnamed: random.pick([0, 0, 1, 2, 4]),
    protocols: random.pick([0, 1, 3, 6, 9, 14]),
    spacing: random.pick([0, 0.4, 1, 1, 1.5, 2, 1000, 3_600_000]),
    pairs: random.chance(0.2),
  };
}

const gapsOfClients = {
  store: ["photos.page-shape", "expositions.matching", "stores.body-external-id", "expositions.unknown-id"],
  fleet: [
    "templates.group-filter",
    "templates.title-filter",
    "lists.undocumented",
    "lists.undocumented",
    "templates.version-after-put",
  ],
} as const;

function chooseClient(random: Random, api: ApiName): ClientSetup {
  const isConfigured = random.chance(0.7);
  const configuredGaps = gapsOfClients[api].filter(() => isConfigured || random.chance(0.3));
  const maybe = <T extends object>(probability: number, value: T): T | object =>
    random.chance(probability) ? value : {};
  return {
    via: random.chance(0.75) ? "transport" : "fetch",
    configuredGaps: [...new Set(configuredGaps)],
    token: random.chance(0.6) ? "fixed" : random.pick([0, 5, 60]),
    ...maybe(0.1, { ignoresAbort: true }),
    ...maybe(0.4, { strategy: random.pick(["cursor", "window", "single"] as const) }),
    ...maybe(0.2, { identify: true }),
    ...maybe(0.4, { timeout: random.pick([25, 60, 300, 5000]) }),
    ...maybe(0.2, { totalTimeout: random.pick([100, 500, 3000]) }),
    ...maybe(0.5, { retries: random.pick([0, 1, 4]) }),
    ...maybe(0.3, { maxDelay: random.pick([0, 500, 2500]) }),
    ...maybe(0.05, { maxResponseBytes: random.pick([100, 3000]) }),
    ...maybe(0.25, { limiter: random.pick([1, 15, 120]) }),
    ...maybe(0.3, { bucket: true }),
    ...maybe(0.15, { maxConcurrency: random.pick([1, 2]) }),
    ...maybe(0.3, { hooks: random.pick(["watch", "watch", "throw", "reject"] as const) }),
    ...maybe(0.5, { apiVersion: random.chance(0.7) ? "v1" : "v2" }),
    ...maybe(0.15, { readOnly: true }),
    ...maybe(0.15, { validate: true }),
  };
}

function chooseProgram(draft: Draft, api: ApiName): Step[] {
  const { random } = draft;
  const make = api === "store" ? storeStep : fleetStep;
  return Array.from({ length: random.integer(1, 4) }, () => {
    const step = make(draft);
    const wait = random.chance(0.2) ? { wait: random.integer(0, 40) } : {};
    const abort = random.chance(0.08) ? { abort: random.integer(0, 120) } : {};
    return { ...step, ...wait, ...abort };
  });
}

const kinds = [
  "reset",
  "lose",
  "cut",
  "short",
  "stall-body",
  "html",
  "repeat",
  "mixed",
  "echo",
  "stall",
  "slow",
  "redirect",
  "status",
  "status",
  "status",
] as const;

function chooseFault(random: Random, { timeout = 30_000 }: ClientSetup): Fault {
  const kind = random.pick(kinds);
  if (kind === "stall") return { kind, acts: random.chance(0.5) };
  if (kind === "slow") return { kind, ms: random.pick([10, 100, timeout, timeout + 50]) };
  if (kind === "redirect")
    return { kind, status: random.pick([301, 302, 307, 308]), foreign: random.chance(0.5) };
  return kind === "status" ? chooseStatus(random) : { kind };
}

function chooseStatus(random: Random): Fault {
  const status = random.pick([429, 503, 503, 500, 502, 504, 408]);
  const seconds = random.pick([0, 0, 1, 2, 40]);
  const hasRetryAfter = random.chance(status === 429 ? 0.6 : 0.4);
  const retryAfter = hasRetryAfter ? { retryAfter: { seconds, date: random.chance(0.2) } } : {};
  // a service that responds with 429 has not processed the request. gaps errors.store-not-processed, errors.fleet-not-processed
  return { kind: "status", status, acts: status !== 429 && random.chance(0.5), ...retryAfter };
}

function chooseChange(random: Random, api: ApiName, { token }: ClientSetup): Change {
  if (token !== "fixed" && random.chance(0.6)) return { kind: "revoke" };
  const lists =
    api === "store" ? ["stores", "protocols"] : ["vehicles", "inspections", "inspection-templates"];
  const kind = random.pick(["add", "remove", "remove", "swap"] as const);
  return { kind, list: random.pick(lists), place: random.chance(0.75) ? "request" : random.next() };
}
