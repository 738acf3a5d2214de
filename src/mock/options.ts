import { fleetBasePath } from "../../generated/fleet.operations.ts";
import type { FleetOptions } from "./apis/fleet/options.ts";
import type { StoreOptions } from "./apis/store/options.ts";
import type { ExportedState } from "./exported-state.ts";
import type { Moment } from "./server/clock.ts";
import type { RateLimits } from "./server/rate-limiter.ts";
import type { Readings } from "../../generated/gaps.ts";
import type { ReadingsFile } from "../wire/readings-file.ts";
import type { ReadingsOption } from "./server/readings.ts";
import type { TimersOption } from "./server/timers.ts";
import type { ResponseChange } from "./testing/rule.ts";
import { knownShapes, type Shapes } from "./seed/seed-plan.ts";
import { countAt } from "./seed/state-checks.ts";
import { fleetResources } from "./apis/fleet/data.ts";
import { parseBaseUrl } from "../wire/base-url.ts";
import { isSendableSecret } from "../wire/header-text.ts";
import { parseInstant } from "../wire/instants.ts";
import { checkNames } from "./testing/checks.ts";

/** The options of a reference server; each has a default. */
export interface ReferenceServerOptions {
  /** The same seed gives the same data. Default: 1. */
  seed?: number;
  /**
   * The time of the server's clock, which is fixed between advances; with `"system"` it runs. Seeded dates are in
   * the 28 days before. Default: 2026-01-01T00:00:00Z.
   */
  now?: Moment;
  /** Base URL of the store API, which msw intercepts. */
  storeUrl?: string;
  /** Base URL of the fleet API's production, which msw intercepts. */
  fleetUrl?: string;
  /** Base URL of the fleet API's sandbox, which msw intercepts. */
  sandboxUrl?: string;
  /**
   * The initial state, as `exportState()` returns it, instead of seed data; `reset()` returns to it. The clock
   * begins at the state's time unless `now` is given.
   */
  state?: ExportedState;
  store?: StoreOptions;
  fleet?: FleetOptions;
  /**
   * The reading of each gap, or a readings file. A gap is a question that a contract leaves open, a reading is one way to
   * resolve it. Gaps that are not named have their default.
   */
  readings?: ReadingsOption | ReadingsFile<Readings>;
  /**
   * Whether each violation of the contract is a 400: also unknown parameters and properties that the readings ignore, and
   * references to entities that do not exist. Default: false.
   */
  strict?: boolean;
  /**
   * The rate limits of each token and key. Limits switch on the reading `too-many-requests` of the gaps
   * `limits.store-rate` and `limits.fleet-rate`, unless `readings` chooses another.
   */
  limits?: RateLimits;
  /**
   * `"captured"`: delays and limits use the timers that exist when the server is created. `"global"`: they follow fake
   * timers, whenever a test installs them. Default: `"captured"`.
   */
  timers?: TimersOption;
  /** Changes each response, before those of `ref.on` do; also after `reset()`. */
  change?: ResponseChange;
  /** Standard Schemas that the given seed rows must match. */
  shapes?: Shapes;
  /**
   * The number of requests that the journal keeps (`limit`, 10 000), and the bytes that they take (`maxBytes`, 8
   * MiB). If they exceed the bytes, the bodies of the oldest responses are released first, then the oldest
   * requests; a single body that is too large is left out.
   */
  journal?: { limit?: number; maxBytes?: number };
}

/** The three base URLs of a reference server. */
export interface MockBaseUrls {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
}

const DEFAULTS: MockBaseUrls = {
  storeUrl: "https://store.reference.test",
  fleetUrl: `https://fleet.reference.test${fleetBasePath}`,
  sandboxUrl: `https://fleet-sandbox.reference.test${fleetBasePath}`,
};

const KNOWN_OPTIONS = {
  options: [
    "seed",
    "now",
    "storeUrl",
    "fleetUrl",
    "sandboxUrl",
    "state",
    "store",
    "fleet",
    "readings",
    "limits",
    "strict",
    "timers",
    "change",
    "shapes",
    "journal",
  ],
  store: ["token", "stores", "storesWithoutId", "protocolsPerStore", "tokenExpiresAt"],
  fleet: ["keys", ...fleetResources],
  journal: ["limit", "maxBytes"],
  shapes: knownShapes,
} as const;

/** Validates the options and returns the base URLs. Throws an error that names an invalid option. */
export function validateOptions(options: ReferenceServerOptions): MockBaseUrls {
  checkNames("options", options, KNOWN_OPTIONS.options);
  for (const part of ["store", "fleet", "journal", "shapes"] as const)
    checkNames(part, options[part] ?? {}, KNOWN_OPTIONS[part]);
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    throw new Error("seed must be an integer");
  if (options.strict !== undefined && typeof options.strict !== "boolean")
    throw new Error("strict must be true or false");
  if (options.change !== undefined && typeof options.change !== "function")
    throw new Error("change must be a function");
  countAt(options.journal?.limit, "journal.limit");
  countAt(options.journal?.maxBytes, "journal.maxBytes");
  countAt(options.store?.storesWithoutId, "store.storesWithoutId");
  countAt(options.store?.protocolsPerStore, "store.protocolsPerStore");
  const { token, tokenExpiresAt } = options.store ?? {};
  if (token !== undefined && token !== null) assertHeaderText("store.token", token);
  checkExpiry(tokenExpiresAt);
  if (options.state !== undefined) checkNoSeeds(options);
  for (const [name, value] of Object.entries({ ...options.fleet, stores: options.store?.stores })) {
    if (name === "keys" || Array.isArray(value)) continue;
    countAt(value, `${name === "stores" ? "store" : "fleet"}.${name}`);
  }
  return {
    storeUrl: checkBaseUrl("storeUrl", options.storeUrl),
    fleetUrl: checkBaseUrl("fleetUrl", options.fleetUrl),
    sandboxUrl: checkBaseUrl("sandboxUrl", options.sandboxUrl),
  };
}

/** A state contains all data, so options of the seed data cannot be given with it. */
function checkNoSeeds({ store = {}, fleet = {} }: ReferenceServerOptions): void {
  for (const [part, given, allowed] of [
    ["store", store, ["token", "tokenExpiresAt"]],
    ["fleet", fleet, ["keys"]],
  ] satisfies [string, object, string[]][]) {
    const [name] =
      Object.entries(given).find(([key, value]) => !allowed.includes(key) && value !== undefined) ?? [];
    if (name !== undefined) throw new Error(`${part}.${name} cannot be given together with a state`);
  }
}

/** Throws for a token that a header cannot contain. The error does not quote it. */
export function assertHeaderText(name: string, token: unknown): void {
  if (typeof token === "string" && isSendableSecret(token)) return;
  const orNull = name === "store.token" ? ", or null" : "";
  throw new Error(`${name} must be a string of visible characters that a header can contain${orNull}`);
}

function checkExpiry(time: unknown): void {
  if (time === undefined || (typeof time === "string" && !Number.isNaN(parseInstant(time)))) return;
  throw new Error("store.tokenExpiresAt must be an ISO 8601 date-time");
}

function checkBaseUrl(name: keyof MockBaseUrls, given = DEFAULTS[name]): string {
  const url = parseBaseUrl(given);
  if (typeof url === "string") throw new Error(`${name} ${url}`);
  return url.href.replace(/\/+$/, "");
}
