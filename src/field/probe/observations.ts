import type { Exchange } from "./exchange.ts";
import type { Experiment, Judgment } from "./experiment.ts";
import { readingsOf } from "./gap.ts";
import { contradictsItself, evaluateParts } from "./parts.ts";
import { RepeatedReads } from "./repeated-reads.ts";
import type { Evaluation, Observation } from "./verdict.ts";

/** The number of observations with the same readings that are kept: a log can have thousands. */
const MAX_ALIKE = 200;

/** The observations of one gap, without those that follow from exchanges that prove nothing. */
export class Observations {
  readonly #experiment: Experiment;
  #all: readonly Observation[] = [];
  readonly #reads = new RepeatedReads();
  /** The numbers of the exchanges that prove nothing. */
  readonly #void = new Set<number>();
  #evaluation: Evaluation = { verdict: "unknown", reason: "", evidence: [] };

  constructor(experiment: Experiment) {
    this.#experiment = experiment;
  }

  get evaluation(): Evaluation {
    return this.#evaluation;
  }

  get count(): number {
    return this.#all.length;
  }

  /** Whether the service responds in two ways to one question. */
  get isContradictory(): boolean {
    return contradictsItself(this.#experiment, this.#all);
  }

  /** The numbers of two responses to one read of which only one shows something. */
  get contradiction(): readonly [number, number] | undefined {
    return this.#reads.contradiction(this.#void);
  }

  /** The numbers of the requests that they follow from. */
  get requests(): Set<number> {
    return new Set(this.#all.flatMap(citedBy));
  }

  has(subject: string): boolean {
    return this.#all.some((earlier) => earlier.subject === subject);
  }

  /** Adds an observation; returns whether it is another one than before. */
  add(outcome: Judgment): boolean {
    if ("failed" in outcome || this.#isVoid(outcome)) return false;
    const key = keyOf(outcome);
    // the same observation would count twice, and many alike only take time
    if (this.#all.some((observation) => keyOf(observation) === key)) return false;
    const alike = this.#all.filter((observation) => this.#kindOf(observation) === this.#kindOf(outcome));
    if (alike.length >= MAX_ALIKE) return false;
    this.#set([...this.#all, outcome]);
    return true;
  }

  /** Adds a response to a request, with what it shows. */
  addResponse(exchange: Exchange, outcome: Judgment | undefined): void {
    const all = readingsOf(this.#experiment.gap).length;
    this.#reads.add(exchange, outcome !== undefined && "fits" in outcome && outcome.fits.length < all);
  }

  /** Drops what follows from exchanges that prove nothing; returns whether there is such an observation. */
  retract(numbers: ReadonlySet<number>): boolean {
    for (const n of numbers) this.#void.add(n);
    const left = this.#all.filter((observation) => !this.#isVoid(observation));
    if (left.length === this.#all.length) return false;
    this.#set(left);
    return true;
  }

  #set(observations: readonly Observation[]): void {
    this.#all = observations;
    this.#evaluation = evaluateParts(this.#experiment, observations);
  }

  #isVoid(observation: Observation): boolean {
    return citedBy(observation).some((n) => this.#void.has(n));
  }

  /** Returns what observations that only take time have in common. */
  #kindOf({ fits, subject }: Observation): string {
    return `${fits.join()} ${this.#experiment.parts.includes(subject) ? subject : ""}`;
  }
}

function citedBy({ evidence, decisive }: Observation): number[] {
  return [...evidence, ...decisive.map(({ n }) => n)];
}

function keyOf({ decisive, fits }: Observation): string {
  return `${decisive.map(({ n }) => n).join()} ${fits.join()}`;
}
