import { Random } from "../../wire/random.ts";

/** Generates IDs for new resources: the same requests in the same order get the same IDs. */
export class IdSequence {
  readonly #seed: number;
  #count: number;

  /** `count`: the number of IDs that were generated before. */
  constructor(seed: number, count = 0) {
    this.#seed = seed;
    this.#count = count;
  }

  /** Returns the next ID. */
  uuid(): string {
    return this.next().uuid();
  }

  /** Returns random numbers for the next resource. */
  next(): Random {
    this.#count += 1;
    return new Random(this.#seed, "made", this.#count);
  }

  /** The number of generated IDs. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }
}
