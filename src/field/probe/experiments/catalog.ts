import type { Experiment } from "../experiment.ts";
import type { OpenGap } from "../gap.ts";
import * as details from "./fleet/details.ts";
import * as keys from "./fleet/keys.ts";
import * as lists from "./fleet/lists.ts";
import * as requests from "./fleet/requests.ts";
import * as limits from "./limits.ts";
import * as errors from "./store/errors.ts";
import * as bounds from "./store/bounds.ts";
import * as instants from "./store/instants.ts";
import * as expectations from "./store/expectations.ts";
import * as rates from "./store/fill-rates.ts";
import * as photoStatus from "./store/photo-status.ts";
import * as twoStatuses from "./store/two-statuses.ts";
import * as photos from "./store/photos.ts";
import * as protocols from "./store/protocols.ts";
import * as ranges from "./store/ranges.ts";
import * as expositionWrites from "./store/exposition-writes.ts";
import * as listWrites from "./store/list-writes.ts";
import * as storeWrites from "./store/writes.ts";
import * as fleetWrites from "./fleet/writes.ts";
import * as templates from "./fleet/templates.ts";
import * as patches from "./fleet/patches.ts";
import * as nullCursor from "./store/null-cursor.ts";
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
  nullCursor,
  errors,
  limits,
  protocols,
  ranges,
  photos,
  photoStatus,
  twoStatuses,
  rates,
  bounds,
  expectations,
  instants,
  requests,
  lists,
  templates,
  details,
  keys,
  storeWrites,
  listWrites,
  expositionWrites,
  fleetWrites,
  patches,
].flatMap(experimentsIn);

/** Returns the experiments of some gaps, and the experiments that they depend on. */
export function experimentsFor(isWanted: (gap: OpenGap) => boolean): Experiment[] {
  const needed = new Set<OpenGap>();
  const add = ({ gap, after }: Experiment): void => {
    if (needed.has(gap)) return;
    needed.add(gap);
    experiments.filter((other) => after.includes(other.gap)).forEach(add);
  };
  experiments.filter(({ gap }) => isWanted(gap)).forEach(add);
  return experiments.filter(({ gap }) => needed.has(gap));
}
