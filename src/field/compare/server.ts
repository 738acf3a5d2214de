import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../mock/index.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import { omitUndefined } from "../../wire/names.ts";
import type { RecordedResponses } from "./recorded-responses.ts";
import type { SeedOptions } from "./state.ts";

/** A server, and the rows that it rejected. */
export interface SeededServer {
  readonly ref: ReferenceServer;
  /** The reason for each row. */
  readonly omitted: readonly string[];
}

/** The largest number of rejected rows of one kind, such as contacts; with more of them all of the kind are left out. */
const MAX_OMITTED = 20;

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
  const counts = new Map<string, number>();
  let left = options;
  for (;;) {
    try {
      return { ref: createReferenceServer(left), omitted };
    } catch (error) {
      const { message } = error as Error; // invalid options are an Error
      const place = placeIn(left, message);
      if (place === undefined) throw error;
      const { kind } = place;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      omitted.push(
        count > MAX_OMITTED ? `all ${kind}, more than ${MAX_OMITTED} of which are invalid` : message,
      );
      left = withoutRows(left, place, count > MAX_OMITTED);
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

/** The place of a row in the options. */
interface RowPlace {
  readonly api: "store" | "fleet";
  readonly list: string;
  readonly index: number;
  /** A list of a store, and the place in it. */
  readonly inner: string | undefined;
  readonly innerIndex: number;
  /** The name of the rows. */
  readonly kind: string;
}

function placeIn(options: ReferenceServerOptions, message: string): RowPlace | undefined {
  const [, api, list = "", index, inner, innerIndex] = ROW.exec(message) ?? [];
  if (api !== "store" && api !== "fleet") return undefined;
  const rows: unknown = (options[api] as Record<string, unknown> | undefined)?.[list]; // a name in the pattern
  if (list === "keys" || !Array.isArray(rows)) return undefined;
  return { api, list, index: Number(index), inner, innerIndex: Number(innerIndex), kind: inner ?? list };
}

/** Leaves out a row, or all of its kind. */
function withoutRows(
  options: ReferenceServerOptions,
  { api, list, index, inner, innerIndex }: RowPlace,
  isAll: boolean,
): ReferenceServerOptions {
  const lists = { ...options[api] } as Record<string, JsonObject[]>; // the list of a place is an array
  const without = (rows: readonly JsonObject[] = [], at: number): JsonObject[] =>
    isAll ? [] : rows.filter((_, place) => place !== at);
  const rows =
    inner === undefined
      ? without(lists[list], index)
      : lists[list]?.map((row, place) =>
          place === index || isAll ? { ...row, [inner]: without(objectsIn(row[inner]), innerIndex) } : row,
        );
  return { ...options, [api]: { ...lists, [list]: rows } };
}
