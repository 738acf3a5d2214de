import { Random } from "./random.ts";

/** Generates IDs for new resources: the same requests in the same order get the same IDs. */
export class IdSequence {
  readonly #seed: number;
  /** The number of generated IDs. */
  count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  uuid(): string {
    return this.next().uuid();
  }

  /** Returns random numbers for the next resource. */
  next(): Random {
    this.count += 1;
    return new Random(this.#seed, "made", this.count);
  }
}

/** The 28 days before the server was created that have the seeded dates, in milliseconds. */
export const SEEDED_SPAN = 28 * 86_400_000;
