import type { Exchange } from "./exchange.ts";
import type { Experiment, Observation } from "./experiment.ts";
import { Missing, NoEvidence, RunEnded } from "./failures.ts";
import { type OpenGap, readingsOf } from "./gap.ts";
import type { ExperimentTools } from "./experiment-tools.ts";
import { type Evaluation, evaluate } from "./verdict.ts";

/** The value in bits of a second observation if the first leaves one reading. */
const CONFIRMATION = 0.1;

/**
 * The number of times that an experiment starts again after a response that is not evidence. Known GETs are not
 * sent again.
 */
const MAX_RESTARTS = 2;

/** The state of one gap in a run. */
export class Investigation {
  readonly experiment: Experiment;
  readonly observations: Observation[] = [];
  /** The reason that the experiment could not continue. */
  missing: string | undefined;
  isDone = false;
  /** The number of requests since the last observation that excluded a reading. */
  #spent = 0;
  #restarts = 0;
  #running: AsyncGenerator<Observation | undefined, void> | undefined;

  /** Whether the gap is in the report. Other gaps are examined only if an experiment depends on them. */
  readonly isWanted: boolean;

  constructor(experiment: Experiment, isWanted = true) {
    this.experiment = experiment;
    this.isWanted = isWanted;
  }

  get gap(): OpenGap {
    return this.experiment.gap;
  }

  get evaluation(): Evaluation {
    return evaluate(this.gap, this.observations);
  }

  get isSettled(): boolean {
    const { verdict } = this.evaluation;
    return verdict !== "unknown" && (verdict !== "likely" || !this.isWanted);
  }

  /** The bits that the next observation is expected to add, per request that it still needs. */
  get value(): number {
    const isLikely = this.evaluation.verdict === "likely";
    const bits = isLikely ? CONFIRMATION : Math.log2(this.#openReadings);
    const { cost, chance } = this.experiment;
    // requests already sent reduce the remaining cost, until there are more than usual
    const rest = this.#spent < cost ? Math.max(cost - this.#spent, 0.2) : this.#spent + 1;
    return (bits * chance) / rest;
  }

  /** The number of readings that are still possible. */
  get #openReadings(): number {
    const { reading, candidates } = this.evaluation;
    return reading === undefined ? (candidates ?? readingsOf(this.gap)).length : 1;
  }

  add(observation: Observation): void {
    // the same observation would count twice
    const same = this.observations.some(
      ({ source, fits }) => source === observation.source && String(fits) === String(observation.fits),
    );
    if (same) return;
    const before = this.#openReadings;
    this.observations.push(observation);
    // an observation that excludes nothing lowers the expectation for the next one
    if (this.#openReadings < before) this.#spent = 0;
  }

  /** Runs the experiment up to its next observation. */
  async advance(tools: ExperimentTools): Promise<void> {
    this.#running ??= this.experiment.observe(tools);
    const before = tools.budget.total;
    try {
      const { value, done } = await this.#running.next();
      this.#spent += tools.budget.total - before;
      if (value !== undefined) this.add(value);
      if (done === true) this.isDone = true;
    } catch (error) {
      if (!(error instanceof Missing) && !(error instanceof NoEvidence)) throw error;
      this.missing = error.message;
      const canRestart = error instanceof NoEvidence && this.#restarts < MAX_RESTARTS;
      this.isDone = !canRestart;
      this.#restarts += 1;
      this.#running = undefined;
    }
  }

  /** Lets an unfinished experiment restore the data that it changed. */
  async finish(): Promise<void> {
    await this.#running?.return();
  }
}

/** Passes an exchange to every investigation that uses it. */
export function notify(investigations: Iterable<Investigation>, exchange: Exchange): void {
  if (!exchange.isEvidence && exchange.status !== 429) return;
  for (const investigation of investigations) {
    const observation = investigation.experiment.examine(exchange);
    if (observation !== undefined) investigation.add(observation);
  }
}

/** Runs the experiments. The next one is always the one with the largest expected value per request. */
export async function investigate(
  investigations: readonly Investigation[],
  tools: ExperimentTools,
  onStep: (investigation: Investigation) => void,
): Promise<void> {
  const byGap = new Map(investigations.map((investigation) => [investigation.gap, investigation]));
  for (;;) {
    const open = investigations.filter((investigation) => !investigation.isDone && !investigation.isSettled);
    const ready = open.filter(({ experiment }) => experiment.after.every((gap) => isKnown(byGap.get(gap))));
    const [next] = (ready.length > 0 ? ready : open).toSorted((a, b) => b.value - a.value);
    if (next === undefined) return;
    try {
      await next.advance(tools);
    } catch (error) {
      if (error instanceof RunEnded) return;
      throw error;
    } finally {
      if (next.isSettled) await next.finish();
    }
    onStep(next);
  }
}

function isKnown(investigation: Investigation | undefined): boolean {
  return (
    investigation === undefined || investigation.isDone || investigation.evaluation.verdict !== "unknown"
  );
}
