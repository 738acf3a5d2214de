import type { Experiment } from "./experiment.ts";
import { readingsOf } from "./gap.ts";
import { type Evaluation, type Observation, evaluate } from "./verdict.ts";

/**
 * Evaluates the observations of an experiment. Until each part of the question was observed, they count as one: what was
 * not asked may have another reading.
 */
export function evaluateParts(
  { gap, everyEntity, parts }: Experiment,
  observations: readonly Observation[],
): Evaluation {
  const found = evaluate(gap, observations, everyEntity);
  const count = readingsOf(gap).length;
  const asked = new Set(observations.filter(({ fits }) => fits.length < count).map(({ subject }) => subject));
  const open = parts.filter((part) => !asked.has(part));
  if (found.reading === undefined || open.length === 0) return found;
  const reason = `${found.reason} Not observed: ${open.join(", ")}.`;
  return { ...found, verdict: "likely", confirmations: 1, reason };
}

/** Whether the service responds in two ways to one question; the parts of one service may differ. */
export function contradictsItself(
  { gap, everyEntity, parts }: Experiment,
  observations: readonly Observation[],
): boolean {
  const groups = Map.groupBy(observations, ({ subject }) => (parts.length > 0 ? subject : ""));
  return [...groups.values()].some((group) => evaluate(gap, group, everyEntity).verdict === "fragile");
}
