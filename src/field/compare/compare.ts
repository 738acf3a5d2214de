import { scopes } from "../../../generated/fleet.operations.ts";
import { type ExportedState, type ReferenceServerOptions, createReferenceServer } from "../../mock/index.ts";
import type { Difference } from "./difference.ts";
import { compareFleet } from "./fleet-requests.ts";
import { StateReader } from "./read-state.ts";
import { omitUndefined } from "../../wire/names.ts";
import { RunEnded } from "../sender/failures.ts";
import { type Access, Service, type SendOptions, ServiceError } from "./service.ts";
import { serverWithRows } from "./server.ts";
import { MAX_DIFFERENCES, Session } from "./session.ts";
import { MAX_STORES, compareStore } from "./store-requests.ts";

/** The options of `compare`. */
export interface CompareOptions extends Access {
  /** The readings of the mock: a readings file, or an object of gaps and readings. */
  readonly readings: NonNullable<ReferenceServerOptions["readings"]>;
  /** The state of the mock, in place of the data that the service shows. */
  readonly state?: ExportedState | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: SendOptions["fetch"];
  /** Requests per second. Default: 5. */
  readonly rate?: number;
  /** Default: 1 000. */
  readonly maxRequests?: number;
  /** Names of further properties that the service may return, or `*` for all. */
  readonly allow?: readonly string[];
}

/** The differences between the service and the mock. */
export interface CompareReport {
  readonly differences: readonly (Difference & { readonly count: number })[];
  /** The number of requests sent to the service. */
  readonly requests: number;
  /** The number of requests that were sent to both. */
  readonly compared: number;
  /** The data that could not be read or compared completely. */
  readonly incomplete: readonly string[];
  /** The reason that the service could not be reached any more. The differences up to then are reported. */
  readonly unavailable?: string;
}

/**
 * Reads the data of a service, starts a mock with the same data and the given readings, and sends the same GETs to
 * both. Sends GETs only.
 *
 * @throws {ServiceError} if the service cannot be reached or its data cannot be read
 */
export async function compare(options: CompareOptions): Promise<CompareReport> {
  const { storeUrl, fleetUrl, rate = 5, maxRequests = 1_000 } = options;
  const service = new Service(options, { fetch: options.fetch, rate, maxRequests });
  const reader = new StateReader(service, givenReadings(options));
  try {
    if (storeUrl !== undefined) await reader.readStores(MAX_STORES);
    if (fleetUrl !== undefined) await reader.readFleet();
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    throw new ServiceError(
      `the data of the service could not be read with ${service.sent} requests; ${service.ended}`,
    );
  }
  const { mock, omitted } = mockOf(reader, options);
  const session = new Session(service, mock);
  const incomplete = [...reader.incomplete, ...reader.state.store.omitted, ...omitted];
  let unavailable: string | undefined;
  try {
    if (storeUrl !== undefined) await compareStore(session, reader.state.store);
    if (fleetUrl !== undefined) await compareFleet(session, reader.state.fleet);
  } catch (error) {
    if (error instanceof ServiceError) unavailable = error.message;
    else if (!(error instanceof RunEnded)) throw error;
    incomplete.push(`the comparison, after ${service.sent} requests; ${unavailable ?? service.ended}`);
  }
  incomplete.push(...session.failed);
  if (session.isCut) incomplete.push(`the differences, after ${MAX_DIFFERENCES}`);
  return {
    differences: session.differences().filter((difference) => !isAllowed(difference, options.allow ?? [])),
    requests: service.sent,
    compared: session.requests,
    incomplete: [...new Set(incomplete)],
    ...omitUndefined({ unavailable }),
  };
}

/** Whether a difference is an allowed property. The mock may also have it where only other responses of the service do. */
function isAllowed({ aspect, place, mock }: Difference, names: readonly string[]): boolean {
  const name = place.slice(place.lastIndexOf("/") + 1);
  return aspect === "properties" && (names.includes(name) || (names.includes("*") && mock === "nothing"));
}

function givenReadings({ readings }: Pick<CompareOptions, "readings">): Readonly<Record<string, unknown>> {
  return { ...("version" in readings ? readings.readings : readings) };
}

/** The mock must not limit the rate of requests, because limits are not compared. */
function withoutRates(readings: CompareOptions["readings"]): CompareOptions["readings"] {
  if ("version" in readings) return { ...readings, readings: withoutRateGaps(readings.readings) };
  return withoutRateGaps(readings);
}

function withoutRateGaps<Given extends object>(readings: Given): Given {
  const entries = Object.entries(readings).filter(([gap]) => !/^limits\.\w+-rate$/.test(gap));
  return Object.fromEntries(entries) as Given; // every reading is optional
}

/** Creates a server with the data of the service. It handles requests in this process. */
function mockOf(
  { state }: StateReader,
  { readings, state: given }: CompareOptions,
): { mock: Service; omitted: readonly string[] } {
  const key = `ref_${"0a".repeat(32)}`;
  const keys = [{ key, scopes: [...scopes] }];
  const base = { readings: withoutRates(readings), now: "system" as const };
  const { store, fleet } = state.seed(givenReadings({ readings }));
  const { ref, omitted } =
    given === undefined
      ? serverWithRows({ ...base, store, fleet: { ...fleet, keys } })
      : { ref: createReferenceServer({ ...base, state: given, fleet: { keys } }), omitted: [] };
  const access = { storeUrl: ref.storeUrl, token: ref.token, fleetUrl: ref.fleetUrl, key };
  const mock = new Service(access, {
    fetch: (input, init) => ref.fetch(input, init),
    rate: Infinity,
    maxRequests: Infinity,
  });
  return { mock, omitted };
}
