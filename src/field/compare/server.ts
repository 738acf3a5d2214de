import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../mock/index.ts";

import { omitUndefined } from "../../wire/names.ts";
import type { RecordedResponses } from "./recorded-responses.ts";
import type { SeedOptions } from "./state.ts";

/** A server, and the rows that it rejected. */
export interface SeededServer {
  readonly ref: ReferenceServer;
  /** The reason for each row. */
  readonly omitted: readonly string[];
}

/** The largest number of rejected rows; with more of them the data belong to another API. */
const MAX_OMITTED = 200;

/** The place that an error about a row names, such as `fleet.vehicles[3]` or `store.stores[0].contacts[1]`. */
const ROW =
  /^(store|fleet)\.(\w+)\[(\d+)\](?:\.(contacts|expectations|expositions|protocols|photos)\[(\d+)\])?/;

/**
 * Creates a server from the rows of a service, without those that violate the contract.
 *
 * @throws what `createReferenceServer` throws for other options
 */
export function serverWithRows(options: ReferenceServerOptions): SeededServer {
  const omitted: string[] = [];
  let left = options;
  for (;;) {
    try {
      return { ref: createReferenceServer(left), omitted };
    } catch (error) {
      const { message } = error as Error; // invalid options are an Error
      const without = withoutRow(left, message);
      if (without === undefined || omitted.length >= MAX_OMITTED) throw error;
      omitted.push(message);
      left = without;
    }
  }
}

/** The readings, rows and responses of a recorded service. */
export interface Recording {
  readonly readings: NonNullable<ReferenceServerOptions["readings"]>;
  readonly seed: SeedOptions;
  readonly responses: RecordedResponses;
}

/**
 * Creates a server with the readings and rows of a service. It returns the recorded responses until something changes its own
 * ones, such as a write or an option.
 */
export function createTwin(
  { readings, seed, responses }: Recording,
  given: ReferenceServerOptions,
): SeededServer {
  const options = {
    ...given,
    now: given.now ?? "system", // like the service whose rows it has
    readings: given.readings ?? readings,
    store: { ...seed.store, ...given.store },
    fleet: { ...seed.fleet, ...given.fleet },
  };
  const twin = serverWithRows({ ...options, change: (...response) => replay(...response) });
  // the same times are invented from the same start
  const start = { ...omitUndefined({ seed: given.seed }), now: new Date(twin.ref.clock.start) };
  const limits = { perSecond: Number.MAX_SAFE_INTEGER }; // only the twin limits the rate
  const untouched = serverWithRows({ ...start, readings, ...seed, limits }).ref;
  const isAltered =
    given.readings !== undefined || hasNameOf(seed.store, given.store) || hasNameOf(seed.fleet, given.fleet);
  const replay = responses.replay(untouched, isAltered);
  return twin;
}

function hasNameOf(seeds: object, given: object = {}): boolean {
  return Object.keys(given).some((name) => Object.hasOwn(seeds, name));
}

function withoutRow(options: ReferenceServerOptions, message: string): ReferenceServerOptions | undefined {
  const [, api, list = "", rowIndex, inner, innerIndex] = ROW.exec(message) ?? [];
  if (api === undefined || list === "keys") return undefined;
  const lists = { ...options[api as "store" | "fleet"] } as Record<string, unknown>; // the names in the pattern
  const rows = lists[list];
  if (!Array.isArray(rows)) return undefined;
  lists[list] = rows.flatMap((row: Record<string, unknown>, index) => {
    if (index !== Number(rowIndex)) return [row];
    const own = inner === undefined ? undefined : row[inner];
    if (inner === undefined || !Array.isArray(own)) return [];
    return [{ ...row, [inner]: own.filter((_, innerAt) => innerAt !== Number(innerIndex)) }];
  });
  return { ...options, [api]: lists };
}
