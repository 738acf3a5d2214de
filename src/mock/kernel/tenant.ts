import type { Clock } from "./clock.ts";
import type { FleetData } from "../apis/fleet/data.ts";
import type { FleetKey } from "../apis/fleet/keys.ts";
import type { IdSequence } from "./id-sequence.ts";
import type { Journal } from "./journal.ts";
import type { Overrides } from "./overrides.ts";
import type { MockReadings } from "./readings.ts";
import type { KnownSecret } from "./redaction.ts";
import type { StoreData } from "../apis/store/data.ts";

/** The whole state of one reference server, as the core and the handlers see it. */
export interface Tenant {
  readings: MockReadings;
  readonly clock: Clock;
  readonly ids: IdSequence;
  readonly overrides: Overrides;
  readonly journal: Journal;
  readonly token: string;
  /** Whether the store API has a token configured; without one every answer is 503. */
  readonly isConfigured: boolean;
  /** By the key's own text. */
  readonly keys: ReadonlyMap<string, FleetKey>;
  /** The token and the keys, as `knownSecrets` gives them. */
  readonly secrets: readonly KnownSecret[];
  readonly store: StoreData;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
}
