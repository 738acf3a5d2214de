import type { FleetOptions } from "./apis/fleet/options.ts";
import type { StoreOptions } from "./apis/store/options.ts";
import type { ExportedState } from "./exported-state.ts";
import type { Moment } from "./server/clock.ts";
import type { RateLimits } from "./server/rate-limiter.ts";
import type { Readings } from "../../generated/gaps.ts";
import type { ReadingsFile } from "../wire/readings-file.ts";
import type { ReadingsOption } from "./server/readings.ts";
import type { TimersOption } from "./server/timers.ts";
import type { Shapes } from "./seed/shapes.ts";

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
  /** Standard Schemas that the given seed rows must match. */
  shapes?: Shapes;
  /**
   * The number of requests that the journal keeps (`limit`, 10 000), and the bytes that they take (`maxBytes`, 8
   * MiB). If they exceed the bytes, the bodies of the oldest responses are released first, then the oldest
   * requests; a single body that is too large is left out.
   */
  journal?: { limit?: number; maxBytes?: number };
}
