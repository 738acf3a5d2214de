import type { Exchange } from "./exchange.ts";
import type { Experiment, Judgment } from "./experiment.ts";
import { isSameOutline } from "./excerpt.ts";
import { NoEvidence } from "../sender/failures.ts";
import { Inconsistent, Missing } from "./failures.ts";
import { type OpenGap, readingsOf } from "./gap.ts";
import {
  type ExperimentTools,
  type KnownGap,
  type RunTools,
  readingIn,
  servicesOf,
} from "./experiment-tools.ts";
import { Observations } from "./observations.ts";
import type { WriteWatcher } from "./service.ts";
import { CONFIRMATIONS, type Evaluation, type Turn, isOdd } from "./verdict.ts";

/** The rounds that read everything again. The later ones only send the decisive requests again. */
export const FRESH_ROUNDS = 2;

/** An experiment with a higher cost usually finds nothing. */
const MAX_COST = 5;

/**
 * The number of times that an experiment starts again after a response that is not evidence. Known GETs are not
 * sent again.
 */
const MAX_RESTARTS = 2;

/** The state of one gap in a run. */
export class Investigation implements KnownGap, WriteWatcher {
  readonly experiment: Experiment;
  /** The observations, whose own evaluation knows no premises and failed controls. */
  readonly #observations: Observations;
  /** The reason that the experiment could not continue. */
  missing: string | undefined;
  isDone = false;
  /** The control that failed after the last observation. */
  #failed: string | undefined;
  #isInconsistent = false;
  #round = 1;
  /** The gaps whose readings the experiment took for granted. */
  readonly #premises = new Set<KnownGap>();
  /** The number of independent observations that this round added. */
  #added = 0;
  /** The number of requests since the last observation that excluded a reading. */
  #spent = 0;
  /** The number of requests of the first round. */
  #cost = 0;
  #restarts = 0;
  #running: AsyncGenerator<Judgment | undefined, void> | undefined;
  /** The turns of the decisive requests since the last observation, and of those of the first observation. */
  #decisive: Turn[] = [];
  #first: readonly Turn[] = [];

  constructor(experiment: Experiment) {
    this.experiment = experiment;
    this.#observations = new Observations(experiment);
  }

  get gap(): OpenGap {
    return this.experiment.gap;
  }

  /** A finding is at most as certain as the readings that it depends on. */
  get evaluation(): Evaluation {
    const own = this.#observations.evaluation;
    if (own.reading === undefined) return own;
    const changed = this.#observations.contradiction;
    if (changed !== undefined)
      return {
        verdict: "fragile",
        reason: `${own.reason} Another response to the same request does not show it.`,
        evidence: [...new Set([...own.evidence, ...changed])].toSorted((a, b) => a - b),
      };
    if (own.verdict === "likely" && this.#failed !== undefined)
      return { verdict: "unknown", reason: `Not confirmed: ${this.#failed}.`, evidence: own.evidence };
    const premises = [...this.#premises].map(({ gap, evaluation }) => ({ gap, verdict: evaluation.verdict }));
    const lost = premises.find(({ verdict }) => verdict !== "decided" && verdict !== "likely");
    if (lost !== undefined)
      return {
        verdict: "unknown",
        reason: `Depends on ${lost.gap}, which is not known.`,
        evidence: own.evidence,
      };
    const isSure = premises.every(({ verdict }) => verdict === "decided");
    return own.verdict === "decided" && !isSure ? { ...own, verdict: "likely" } : own;
  }

  /** Whether this round has what it looks for: as many independent observations as its number. */
  get isSettled(): boolean {
    const { verdict, confirmations = 0 } = this.#observations.evaluation;
    if (verdict === "likely") return confirmations >= this.#round;
    return verdict !== "unknown";
  }

  /** Whether a further round can add an independent observation. */
  get canConfirm(): boolean {
    const { verdict, confirmations = 0 } = this.evaluation;
    if (verdict !== "likely") return false;
    // a round that had enough observations from the start did not ask
    return this.#round < FRESH_ROUNDS || (confirmations > 1 && (this.#added > 0 || this.isSettled));
  }

  /** Whether the service responded in two ways to one question, as several servers behind one address do. */
  get isContradictory(): boolean {
    if (this.#isInconsistent || this.experiment.mayVary) return this.#isInconsistent;
    return this.#observations.isContradictory;
  }

  /** Whether the service did something that no reading describes. */
  get isUndescribed(): boolean {
    const { verdict, candidates, evidence } = this.#observations.evaluation;
    return verdict === "unknown" && candidates === undefined && evidence.length > 0;
  }

  /** Expected information in bits for each remaining request. The highest runs next. */
  get value(): number {
    if (this.#round > 1) return 1 / Math.max(this.#cost, 1);
    const { chance } = this.experiment;
    // what the first observation needed is known for the next one
    const cost = this.experiment.cost / (1 + this.#observations.count);
    // requests already sent reduce the remaining cost, until there are more than usual
    const remaining = this.#spent < cost ? Math.max(cost - this.#spent, 0.2) : this.#spent + 1;
    return chance / remaining;
  }

  /** The approximate number of requests that the experiment still needs to find a reading. */
  get costToFind(): number {
    const isOpen = this.evaluation.verdict === "unknown" && !this.isDone;
    return isOpen ? 3 * Math.min(this.experiment.cost, MAX_COST) : 0;
  }

  /** The approximate number of requests that the experiment still needs to decide what it found. */
  get costToDecide(): number {
    const isPending = this.#observations.evaluation.verdict === "likely" && !this.isDone && !this.isSettled;
    if (!this.canConfirm && !isPending) return 0;
    const again = this.#round <= FRESH_ROUNDS ? Math.max(this.#cost, this.experiment.cost) : 0;
    return again + (CONFIRMATIONS - Math.max(this.#round, FRESH_ROUNDS)) * this.costOfRound;
  }

  /** The approximate number of requests of one of the later rounds. */
  get costOfRound(): number {
    return Math.max(this.#observations.requests.size / Math.max(this.#observations.count, 1), 1);
  }

  /** The number of readings that are still possible. */
  get #openReadings(): number {
    const { reading, candidates } = this.evaluation;
    return reading === undefined ? (candidates ?? readingsOf(this.gap)).length : 1;
  }

  /** Drops what follows from exchanges that prove nothing, and lets the experiment begin again. */
  retract(numbers: ReadonlySet<number>): void {
    if (!this.#observations.retract(numbers)) return;
    this.missing ??= "a service that still does what it did";
    this.isDone = this.#restarts >= MAX_RESTARTS;
    this.#restarts += 1;
  }

  /** Examines a response to any request. */
  examine(exchange: Exchange): void {
    const outcome = this.experiment.examine(exchange);
    if (outcome !== undefined) this.add(outcome);
    this.#observations.addResponse(exchange, outcome);
  }

  add(outcome: Judgment): void {
    const before = this.#openReadings;
    if (!this.#observations.add(outcome)) return;
    this.#added += 1;
    // an observation that excludes nothing lowers the expectation for the next one
    if (this.#openReadings < before) this.#spent = 0;
  }

  /** Runs the experiment up to its next observation. */
  async advance(tools: RunTools, once: ExperimentTools["once"]): Promise<void> {
    if (this.#running === undefined && this.#round > FRESH_ROUNDS)
      for (const service of servicesOf(tools)) service.forget(this.#observations.requests);
    this.#running ??= this.experiment.observe(this.#toolsFrom(tools, once));
    for (const service of [tools.store, tools.sandbox]) if (service !== undefined) service.watcher = this;
    const before = tools.budget.total;
    try {
      const { value, done } = await this.#running.next();
      if (value !== undefined) this.#addObserved(value);
      if (done === true) this.isDone = true;
    } catch (error) {
      if (!(error instanceof Missing) && !(error instanceof NoEvidence)) throw error;
      if (error instanceof Inconsistent) {
        this.#failed = error.message;
        this.#isInconsistent = true;
      }
      this.missing ??= error.message;
      const canRestart = error instanceof NoEvidence && this.#restarts < MAX_RESTARTS;
      this.isDone = !canRestart;
      this.#restarts += 1;
      this.#running = undefined;
      this.#decisive = [];
      // a response that is not evidence says nothing about the experiment
      this.#spent = before - tools.budget.total;
    } finally {
      this.#spent += tools.budget.total - before;
      if (this.#round === 1) this.#cost += tools.budget.total - before;
    }
  }

  #addObserved(outcome: Judgment): void {
    const decisive = this.#decisive;
    this.#decisive = [];
    this.#failed = "failed" in outcome ? outcome.failed : undefined;
    if ("failed" in outcome)
      this.missing = `an entity and a time for which this control holds: ${outcome.failed}`;
    const isAsked = !("failed" in outcome) && decisive.length > 0;
    this.add(isAsked ? { ...outcome, decisive } : outcome);
    if (isAsked && this.#first.length === 0) this.#first = decisive;
  }

  #toolsFrom(tools: RunTools, once: ExperimentTools["once"]): ExperimentTools {
    return {
      ...tools,
      once,
      round: this.#round,
      isSeen: (subject) => this.#round <= FRESH_ROUNDS && this.#observations.has(subject),
      premise: (gap) => {
        const found = tools.find(gap);
        if (found === undefined) return undefined;
        this.#premises.add(found);
        return readingIn(found, gap);
      },
      ask: async (service, path, query = {}, options = {}) => {
        const isRepeat = this.#round > 1 && this.#round <= FRESH_ROUNDS;
        const exchange = await service.get(path, query, { fresh: isRepeat, ...options });
        const first = this.#first[this.#decisive.length];
        const isSame = first !== undefined && !isOdd(exchange.n - first.n);
        // another part may differ, so that only two equal requests show two servers
        const isPart = this.experiment.parts.length > 0;
        const isDouble = isRepeat && (isPart || isSame || first?.failures !== exchange.failures);
        if (!isDouble) {
          this.afterWrite(exchange);
          return exchange;
        }
        const again = await service.get(path, query, { ...options, fresh: true });
        if (again.status !== exchange.status || !isSameOutline(again.json, exchange.json))
          throw new Inconsistent(`two equal requests for ${path} got different responses`);
        this.afterWrite(again, again.n === exchange.n + 1);
        return again;
      },
    };
  }

  afterWrite({ n, failures, connection }: Exchange, isDouble = false): void {
    this.#decisive.push({ n, failures, connection, isDouble });
  }

  /** Begins a round that confirms what the last one found. */
  async beginRound(): Promise<void> {
    await this.finish();
    this.#round += 1;
    this.#added = 0;
    this.#decisive = [];
    this.isDone = false;
    this.#running = undefined;
    this.#restarts = 0;
  }

  /** Lets an unfinished experiment restore the data that it changed. */
  async finish(): Promise<void> {
    await this.#running?.return();
  }
}
