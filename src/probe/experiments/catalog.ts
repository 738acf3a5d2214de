import type { Experiment } from "../experiment.ts";
import * as details from "./fleet/details.ts";
import * as keys from "./fleet/keys.ts";
import * as lists from "./fleet/lists.ts";
import * as requests from "./fleet/requests.ts";
import * as errors from "./store/errors.ts";
import * as instants from "./store/instants.ts";
import * as expectations from "./store/expectations.ts";
import * as rates from "./store/fill-rates.ts";
import * as photoStatus from "./store/photo-status.ts";
import * as photos from "./store/photos.ts";
import * as protocols from "./store/protocols.ts";
import * as ranges from "./store/ranges.ts";
import * as expositionWrites from "./store/exposition-writes.ts";
import * as listWrites from "./store/list-writes.ts";
import * as storeWrites from "./store/writes.ts";
import * as fleetWrites from "./fleet/writes.ts";
import * as stores from "./store/stores.ts";

/** Returns the experiments that a module exports. */
function experimentsIn(module: object): Experiment[] {
  return Object.values(module).filter(
    (value: unknown): value is Experiment =>
      typeof value === "object" && value !== null && "observe" in value,
  );
}

/** Every experiment; at most one for each gap. */
export const experiments: readonly Experiment[] = [
  stores,
  errors,
  protocols,
  ranges,
  photos,
  photoStatus,
  rates,
  expectations,
  instants,
  requests,
  lists,
  details,
  keys,
  storeWrites,
  listWrites,
  expositionWrites,
  fleetWrites,
].flatMap(experimentsIn);
