import { Random } from "./random.ts";

/** The ids of what is made while the server runs: the same requests in the same order get the same ids. */
export class IdSequence {
  readonly #seed: number;
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The next id. */
  uuid(): string {
    return this.next().uuid();
  }

  /** Random numbers for the next thing made. */
  next(): Random {
    this.#count += 1;
    return new Random(this.#seed, "made", this.#count);
  }

  /** How many were given out. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }
}
