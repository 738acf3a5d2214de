/** Makes the clients of a history: their transport, limiter, hooks and tokens as the scenario says. */
import type { Limiter } from "../../src/client/core/options/limiter.ts";
import { tokenBucket } from "../../src/client/core/options/token-bucket.ts";
import type { SecretContext } from "../../src/client/core/request/secret.ts";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { createRandom } from "../models/random.ts";
import { type VirtualClock, VirtualRuntime } from "./clock.ts";
import { type EventWatch, hooksOf } from "./hooks.ts";
import type { Director } from "./director.ts";
import type { Network } from "./network.ts";
import { foreignOrigin, type Observer, origins } from "./observer.ts";
import type { ClientSetup, Scenario } from "./scenario.ts";
import type { SecretWatch } from "./secrets.ts";
import type { RowCounts } from "./rules.ts";
import type { Service } from "./service.ts";

/** The objects that the parts of a history share. */
export interface SimulatedWorld {
  readonly scenario: Scenario;
  readonly clock: VirtualClock;
  readonly service: Service;
  readonly observer: Observer;
  readonly network: Network;
  readonly secrets: SecretWatch;
  readonly director: Director;
  readonly runtimes: VirtualRuntime[];
  /** The signals that programs gave to the client. */
  readonly signals: AbortSignal[];
  /** The watches of the events of each client. */
  readonly watches: EventWatch[];
  /** Operations of numbered lists whose drift was reported. */
  readonly drifted: Set<string>;
  /** Counts of the rules of `rows.ts`. */
  readonly counts: RowCounts;
  /** Waits of the program's own limiter and token function. */
  readonly limiter: Limiter | undefined;
}

/** An error of the program's own, which a client has to hand on as it is. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/** @param baseUrl another one than that of the service */
export function createClient(world: SimulatedWorld, baseUrl?: string): StoreClient | FleetClient {
  const { scenario, clock } = world;
  const { api, client, seed } = scenario;
  const random = createRandom(seed + world.runtimes.length);
  const runtime = new VirtualRuntime(clock, random.next);
  world.runtimes.push(runtime);
  const readings = configuredReadings(world);
  const common = { ...limitsOf(client), ...sendingOf(world), ...shapesOf(scenario), runtime, readings };
  const token = tokenOf(world);
  if (api === "fleet") {
    const { apiVersion } = client;
    const environments = { sandbox: origins.fleet, production: `${foreignOrigin}/api/third-party/v1` };
    const place = client.token === "switched" ? { environments } : { baseUrl: baseUrl ?? origins.fleet };
    return new FleetClient({ ...common, ...place, apiVersion, key: token });
  }
  const strategies = client.strategy === undefined ? {} : { "protocols.next-page": client.strategy };
  const identify = client.identify === true ? { identify: identifyItem } : {};
  return new StoreClient({ ...common, ...identify, strategies, baseUrl: baseUrl ?? origins.store, token });
}

/** The ID of an item, or its content. */
function identifyItem(item: Readonly<Record<string, unknown>>): string {
  const { photoId, storeId, protocolId, id } = item;
  return JSON.stringify(photoId ?? storeId ?? protocolId ?? id ?? item);
}

/** The function of one list or pull that returns the ID of an item. */
export function identifyingQuery({ scenario: { client } }: SimulatedWorld): object {
  return client.identify === "query" ? { identify: identifyItem } : {};
}

const shape = {
  copy: { validate: (value: object) => ({ value: { ...value } }) },
  promise: { validate: async (value: object) => ({ value: { ...value } }) },
} as const;

/** Shapes that change nothing. */
function shapesOf({ api, client }: Scenario): object {
  if (client.shapes === undefined) return {};
  const copying = { "~standard": { version: 1, vendor: "simulation", ...shape[client.shapes] } };
  return { shapes: api === "store" ? { protocol: copying, photo: copying } : { vehicle: copying } };
}

function limitsOf(client: ClientSetup): object {
  const { timeout, totalTimeout, retries, maxDelay, maxResponseBytes, validate } = client;
  const { maxConcurrency } = client;
  return {
    timeout,
    totalTimeout,
    maxResponseBytes,
    maxConcurrency,
    retry: { limit: retries, maxDelay },
    validate: validate === true ? "full" : undefined,
  };
}

function sendingOf(world: SimulatedWorld): object {
  const { scenario, network, limiter } = world;
  const by = scenario.client.via === "fetch" ? { fetch: network.fetch } : { transport: network.transport };
  return { ...by, limiter, ...hooksOf(world) };
}

/** The client receives only readings that the service plays. */
function configuredReadings({ scenario, service }: SimulatedWorld): Record<string, string | undefined> {
  const { configuredGaps, rejected, precision } = scenario.client;
  const played = Object.fromEntries(configuredGaps.map((gap) => [gap, service.readings[gap]]));
  const times = precision && { "time-range.precision": precision };
  return { ...played, ...times, ...(rejected && { [`errors.${scenario.api}-not-processed`]: rejected }) };
}

type Token = string | ((context: SecretContext) => Promise<string>);

function tokenOf({ scenario, service, clock, observer }: SimulatedWorld): Token {
  const { token } = scenario.client;
  if (token === "fixed") return service.token;
  let requested = 0;
  let known = "";
  const first = service.token;
  return async ({ refused }) => {
    requested += 1;
    observer.log(`the token function is called${refused === undefined ? "" : " again"}`);
    if (token === "cached") return refused === undefined ? first : service.token;
    if (token === "stuck" && requested === 1) return new Promise(() => {}); // the program never hears from its vault
    if (token === "stuck") return service.token;
    if (token === "leaky" && requested > 1) throw leakingError(known);
    known = service.token;
    if (token === "switched" && requested > 1) return service.token.replace("_test_", "_");
    if (typeof token === "string") return service.token;
    // the token service fails now and then, by the seed
    const isDown = (scenario.seed + requested) % 13 === 0;
    await clock.sleep(token);
    if (isDown) throw new ProgramError("the token service is down");
    return service.token;
  };
}

/** An error of a vault that shows the token in several places. */
function leakingError(token: string): Error {
  const chain = (depth: number): Error =>
    new Error(`vault failed with ${token}`, depth === 0 ? {} : { cause: chain(depth - 1) });
  const more = { name: token, code: `E-${token}`, config: { headers: [{ authorization: token }] } };
  return Object.assign(chain(7), more);
}

/** The limiter of the scenario; counts what it lets pass. */
export function createLimiter(
  { limiter: interval, bucket }: ClientSetup,
  clock: VirtualClock,
  observer: Observer,
  runtimes: VirtualRuntime[],
): Limiter | undefined {
  if (interval === undefined) return undefined;
  const burst = bucket === true ? 2 : 1;
  const limiter: Limiter =
    bucket === true ? createBucket(interval, burst, clock, runtimes) : createQueue(interval, clock);
  const grants: number[] = [];
  return {
    onThrottled: (retryAfter, request) => limiter.onThrottled?.(retryAfter, request),
    acquire: async (request, signal) => {
      if (request.attempt < 1) observer.violate(`the limiter was asked for attempt ${request.attempt}`);
      await limiter.acquire(request, signal);
      observer.granted += 1;
      observer.permits.push(JSON.stringify([request.operation, request.call, request.attempt]));
      grants.push(clock.now);
      const isTooMany = grants.some(
        (at, index) => grants.length - index > burst + (clock.now - at) / interval + 1e-6,
      );
      if (isTooMany) observer.violate(`the limiter let ${grants.length} requests pass too fast`);
    },
  };
}

/** The package's own limiter in virtual time. */
function createBucket(
  interval: number,
  burst: number,
  clock: VirtualClock,
  runtimes: VirtualRuntime[],
): Limiter {
  const runtime = new VirtualRuntime(clock, () => 0);
  runtimes.push(runtime);
  return tokenBucket({ perSecond: 1000 / interval, burst, runtime });
}

/** One request in `interval` ms, in the order of the calls. */
function createQueue(interval: number, clock: VirtualClock): Limiter {
  let free = 0;
  return {
    acquire: (_, signal) =>
      new Promise((resolve, reject) => {
        const at = Math.max(clock.now, free);
        free = at + interval;
        const leave = (): void => {
          clock.cancel(round);
          reject(signal.reason as Error); // as `throwIfAborted` does
        };
        const round = clock.after(at - clock.now, () => {
          signal.removeEventListener("abort", leave);
          resolve();
        });
        signal.addEventListener("abort", leave, { once: true });
      }),
    onThrottled: (retryAfter) => {
      free = Math.max(free, clock.now + (retryAfter ?? interval));
    },
  };
}
