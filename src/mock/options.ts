import type { FleetOptions } from "./apis/fleet/options.ts";
import type { StoreOptions } from "./apis/store/options.ts";
import type { Moment } from "./kernel/clock.ts";
import type { ReadingsOption } from "./kernel/readings.ts";
import type { Shapes } from "./seed/shapes.ts";

/** What a reference server is made of; each member has a default. */
export interface ReferenceServerOptions {
  /** The same seed gives the same data; 1 where it is left out. */
  seed?: number;
  /**
   * The time of the server's clock, which stands still between advances; `"system"`: it runs. Seeded dates lie in the
   * 28 days before. 2026-01-01T00:00:00Z where it is left out.
   */
  now?: Moment;
  /** What msw intercepts for the store API. */
  storeUrl?: string;
  /** What msw intercepts for production of the fleet API. */
  fleetUrl?: string;
  /** What msw intercepts for the sandbox of the fleet API. */
  sandboxUrl?: string;
  store?: StoreOptions;
  fleet?: FleetOptions;
  /** What the server means where a contract leaves it open. */
  readings?: ReadingsOption;
  /** What the caller's own seeds have to meet, in any Standard Schema. */
  shapes?: Shapes;
  /** `limit`: how many requests the journal keeps, 10 000. */
  journal?: { limit?: number };
}
