import type { JsonObject as FleetObject, Scope } from "../../generated/fleet.ts";
import type {
  ContactInput,
  ExpectationInput,
  ExpositionInput,
  ExpositionType,
  JsonObject,
  OpeningTime,
  StoreUpsert,
} from "../../generated/store.ts";
import type { Moment } from "./kernel/clock.ts";
import type { ReadingsOption } from "./kernel/readings.ts";
import type { Shapes } from "./seed/shapes.ts";

/** A contact to begin with; its ID and time are made up where they are missing. */
export interface ContactSeed extends ContactInput {
  contactId?: string;
  createdAt?: string;
}

/** An expectation to begin with; all but its display is made up where it is missing. */
export interface ExpectationSeed extends Partial<ExpectationInput> {
  displayType: ExpositionType;
  expectationId?: string;
  updatedAt?: string;
}

/** An exposition to begin with; all but its type is made up where it is missing. */
export interface ExpositionSeed extends Partial<ExpositionInput> {
  expositionType: ExpositionType;
}

/** A store to begin with. What is left out is made up; lists that are left out are empty. */
export interface StoreSeed extends Omit<StoreUpsert, "openingTimes"> {
  externalId: string;
  storeId?: string;
  openingTimes?: OpeningTime[];
  contacts?: ContactSeed[];
  expectations?: ExpectationSeed[];
  expositions?: ExpositionSeed[];
  /** `protocolId`, `status` and `createdAt` are made up where they are missing, unless a shape is given. */
  protocols?: JsonObject[];
  /** `photoId`, `status` and `createdAt` are made up where they are missing. */
  photos?: JsonObject[];
}

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it one of the sandbox. */
export interface FleetKeySeed {
  key: string;
  scopes: Scope[];
  /** ISO 8601; the key is refused from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/** What the store API begins with. */
export interface StoreOptions {
  /** `null`: no token is configured, and every answer is 503. Left out: a seeded one. */
  token?: string | null;
  /** How many stores there are (250), or which. Their IDs are `S-1`, `S-2`, … */
  stores?: number | StoreSeed[];
  /** How many protocols each store has; left out, three to six. */
  protocolsPerStore?: number;
}

/** What the fleet API begins with; a number, or rows of the caller's own. Sandbox and production begin alike and live apart. */
export interface FleetOptions {
  /** Left out: a production key with every scope, and one of the sandbox. */
  keys?: FleetKeySeed[];
  vehicles?: number | FleetObject[];
  vehicleGroups?: number | FleetObject[];
  vehicleFields?: number | FleetObject[];
  inspections?: number | FleetObject[];
  inspectionTemplates?: number | FleetObject[];
  damages?: number | FleetObject[];
  driverAssignments?: number | FleetObject[];
}

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
