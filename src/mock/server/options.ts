import * as z from "zod/mini";
import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import { parseBaseUrl } from "../../wire/address.ts";
import { isSendableSecret } from "../../wire/secret.ts";
import { namesOf, omitUndefined, tableOf } from "../../wire/names.ts";
import { type FleetOptions, fleetResources } from "../fleet/data.ts";
import type { StoreOptions } from "../store/data.ts";
import type { Moment, TimersOption } from "./clock.ts";
import type { RateLimits } from "./limiter.ts";
import { parse } from "./schemas.ts";
import type { ExportedState } from "./state.ts";
import { mockReadings, type Readings } from "../../../generated/readings.ts";

/** The options of a reference server; each has a default. */
export interface ReferenceServerOptions {
  /** The same seed gives the same data. Default: 1. */
  seed?: number | undefined;
  /**
   * The time of the server's clock, which is fixed between advances; with `"system"` it runs. Seeded dates are in
   * the 28 days before. Default: 2026-01-01T00:00:00Z.
   */
  now?: Moment | undefined;
  /** Base URL of the store API, which msw intercepts. */
  storeUrl?: string | undefined;
  /** Base URL of the fleet API's production, which msw intercepts. */
  fleetUrl?: string | undefined;
  /** Base URL of the fleet API's sandbox, which msw intercepts. */
  sandboxUrl?: string | undefined;
  /**
   * The initial state, as `exportState()` returns it, instead of seed data; `reset()` returns to it. The clock
   * begins at the state's time unless `now` is given.
   */
  state?: ExportedState | undefined;
  store?: StoreOptions | undefined;
  fleet?: FleetOptions | undefined;
  /**
   * The reading of each gap. A gap is a question that a contract leaves open, a reading is one way to resolve it. Gaps that
   * are not named have their default.
   */
  readings?: ReadingsOption | undefined;
  /**
   * Whether each violation of the contract is a 400, also those that are otherwise only in `journal.violations()`: unknown
   * parameters, properties and values at every depth, and references to entities that do not exist. Default: false.
   */
  strict?: boolean | undefined;
  /**
   * The rate limits of each token and key. Limits switch on the reading `too-many-requests` of the gaps
   * `limits.store-rate` and `limits.fleet-rate`, unless `readings` chooses another.
   */
  limits?: RateLimits | undefined;
  /**
   * `"captured"`: delays and limits use the timers that exist when the server is created. `"global"`: they follow fake
   * timers, whenever a test installs them. Default: `"captured"`.
   */
  timers?: TimersOption | undefined;
  /**
   * The number of requests that the journal keeps (`limit`, 10 000), and their bytes (`maxBytes`, 32 MiB). If there is too
   * much, it releases the bodies of the oldest requests, then drops them.
   */
  journal?: { limit?: number | undefined; maxBytes?: number | undefined } | undefined;
}

const count = z.optional(z.int().check(z.gte(0)));
const rows = z.optional(
  z.union(
    [z.int().check(z.gte(0)), z.array(z.unknown())],
    "must be an integer of at least 0, or an array of rows",
  ),
);
const anything = z.optional(z.unknown());

/** A token that a header can contain. */
export const tokenSchema = z
  .string()
  .check(z.refine(isSendableSecret, "must be a string of visible characters that a header can contain"));

/** The properties that other modules check when they read them are unknown here. */
const optionsShape = z.strictObject({
  seed: z.optional(z.int()),
  now: anything,
  storeUrl: anything,
  fleetUrl: anything,
  sandboxUrl: anything,
  state: anything,
  store: z.optional(
    z.strictObject({
      token: z.optional(z.nullable(tokenSchema)),
      stores: rows,
      storesWithoutId: count,
      protocolsPerStore: count,
    }),
  ),
  fleet: z.optional(z.strictObject({ keys: anything, ...tableOf(fleetResources, () => rows) })),
  readings: anything,
  strict: z.optional(z.boolean()),
  limits: anything,
  timers: z.optional(z.enum(["captured", "global"])),
  journal: z.optional(z.strictObject({ limit: count, maxBytes: count })),
});

const optionsSchema = optionsShape.check(
  z.refine(({ state, store = {}, fleet = {} }) => {
    const { token: _token, ...stores } = store;
    const { keys: _keys, ...resources } = fleet;
    return state === undefined || Object.keys(omitUndefined({ ...stores, ...resources })).length === 0;
  }, "must not have seeds of store and fleet together with a state, which has all data"),
);

/** The three base URLs of a reference server. */
export type BaseUrls = Readonly<Record<"storeUrl" | "fleetUrl" | "sandboxUrl", string>>;

const BASE_URLS: BaseUrls = {
  storeUrl: "https://store.reference.test",
  fleetUrl: `https://fleet.reference.test${fleetBasePath}`,
  sandboxUrl: `https://fleet-sandbox.reference.test${fleetBasePath}`,
};

/** Validates the options and returns the base URLs. Throws an error that names an invalid option. */
export function validateOptions(options: ReferenceServerOptions): BaseUrls {
  parse(optionsSchema, options, "options");
  return tableOf(["storeUrl", "fleetUrl", "sandboxUrl"], (name) => {
    const url = parseBaseUrl(options[name] ?? BASE_URLS[name]);
    if (typeof url === "string") throw new Error(`options.${name} ${url}`);
    return url.href.replace(/\/+$/, "");
  });
}

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** The chosen readings; other gaps have their default. */
export type ReadingsOption = { [Gap in MockGap]?: Readings[Gap] | undefined };

/** Whether a reading is in force. */
export type Is = <Gap extends MockGap>(gap: Gap, reading: MockReadings[Gap]) => boolean;

const readingsSchema = z.strictObject(
  tableOf(namesOf(mockReadings), (gap) => z.optional(z.enum(mockReadings[gap]))),
);

/** Returns the readings in force: the chosen readings, then those of `before`, then the defaults. */
export function resolveReadings(chosen: unknown, before: ReadingsOption = {}): MockReadings {
  const given = omitUndefined(parse(readingsSchema, chosen, "readings"));
  return {
    ...tableOf(namesOf(mockReadings), (gap) => mockReadings[gap][0]),
    ...before,
    ...given,
  } as MockReadings; // each gap has one
}
