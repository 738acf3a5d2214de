/** Decides which of several ways a history goes: all of them one after the other, or a random one. */
import type { Random } from "../../models/random.ts";

/** The kinds of departures from the ordinary course. */
export type Departure = "reading" | "fault" | "change" | "program";

export interface Choices {
  /** Returns a number below `count`. */
  choose(count: number): number;
  /** As `choose`, but every number except 0 is a departure, and counts against the bound. */
  depart(kind: Departure, count: number): number;
  /** The departures that are still allowed. */
  readonly left: number;
  /** No other history has made the choices so far. */
  readonly isNew: boolean;
  /** The choices are random ones. */
  readonly isRandom: boolean;
}

/** The most departures of one history: of each kind, and in all. */
export type Bound = Readonly<Record<Departure | "all", number>>;

/** One fault or change together with one more departure, for each unit of `bound`. */
export function boundOf(bound: number): Bound {
  return { reading: 1, program: bound, fault: bound, change: bound, all: bound + 1 };
}

abstract class BoundedChoices implements Choices {
  readonly #bound: Bound;
  #used: Record<Departure | "all", number> = noDepartures();

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  get left(): number {
    return this.#bound.all - this.#used.all;
  }

  abstract choose(count: number): number;

  abstract readonly isNew: boolean;
  abstract readonly isRandom: boolean;

  depart(kind: Departure, count: number): number {
    if (this.left <= 0 || this.#used[kind] >= this.#bound[kind]) return 0;
    const chosen = this.pick(kind, count);
    if (chosen === 0) return 0;
    this.#used[kind] += 1;
    this.#used.all += 1;
    return chosen;
  }

  protected pick(_: Departure, count: number): number {
    return this.choose(count);
  }

  protected restart(): void {
    this.#used = noDepartures();
  }
}

function noDepartures(): Record<Departure | "all", number> {
  return { reading: 0, fault: 0, change: 0, program: 0, all: 0 };
}

/** Enumerates all choices depth first: a history is run again with the choices before the last one that can differ. */
export class DepthFirst extends BoundedChoices {
  readonly isRandom = false;
  readonly #path: { chosen: number; readonly count: number }[] = [];
  #depth = 0;

  get isNew(): boolean {
    return this.#depth >= this.#path.length;
  }

  choose(count: number): number {
    if (count <= 1) return 0;
    const known = this.#path[this.#depth];
    this.#depth += 1;
    if (known !== undefined) return known.chosen;
    this.#path.push({ chosen: 0, count });
    return 0;
  }

  /** Goes back to the last choice that has another value. Returns false if every choice has had all its values. */
  advance(): boolean {
    this.#path.length = this.#depth; // a history that ended early asked no further
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      if (last.chosen + 1 < last.count) {
        last.chosen += 1;
        this.#depth = 0;
        this.restart();
        return true;
      }
      this.#path.pop();
    }
    return false;
  }
}

/** Random choices. A request is seldom a departure: in some histories the first ones are, in others a later one. The first choice is given. */
export class Sampled extends BoundedChoices {
  readonly isNew = true;
  readonly isRandom = true;
  readonly #random: Random;
  /** The probability that a request is not a departure. */
  readonly #patience: number;
  #first: number | undefined;

  constructor(bound: Bound, random: Random, first: number) {
    super(bound);
    this.#random = random;
    this.#patience = random.pick([0.5, 0.75, 0.9]);
    this.#first = first;
  }

  choose(count: number): number {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first % count;
    return this.#random.integer(0, count - 1);
  }

  protected override pick(kind: Departure, count: number): number {
    return this.#random.chance(kind === "program" ? 0.5 : this.#patience) ? 0 : this.choose(count);
  }
}
