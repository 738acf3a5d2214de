import { Investigation } from "./investigation.ts";
import { experimentsFor } from "./experiments/catalog.ts";
import { type Consent, type OpenGap, apiOf } from "./gap.ts";
import { type ProbeOptions, allowedBy } from "./options.ts";

/** An experiment of a run with the same options. */
export interface PlannedExperiment {
  readonly gap: OpenGap;
  readonly consent: Consent;
  /** The usual number of requests of its first observation. */
  readonly cost: number;
  readonly needs: string;
}

/** Returns the experiments of a run in the order in which it would begin them. Sends nothing. */
export function planOf(options: ProbeOptions): PlannedExperiment[] {
  const allowed = allowedBy(options);
  const hasFleet = options.fleetUrl !== undefined || options.sandboxUrl !== undefined;
  const isWanted = (gap: OpenGap): boolean => {
    const isThere = apiOf(gap) === "store" ? options.storeUrl !== undefined : hasFleet;
    return isThere && (options.only?.includes(gap) ?? true);
  };
  return experimentsFor(isWanted)
    .filter(({ consent }) => allowed.has(consent))
    .map((experiment) => new Investigation(experiment))
    .toSorted((a, b) => b.value - a.value)
    .map(({ experiment: { gap, consent, cost, needs } }) => ({ gap, consent, cost, needs }));
}
