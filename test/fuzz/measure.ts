import assert from "node:assert/strict";
import { ShelfleetError } from "../../src/index.ts";
import { heap } from "../proof/heap.ts";
import { seed, repetitions } from "../proof/run.ts";
import { Mutator } from "./mutator.ts";

/** The cost of the inputs of a parser. */
export interface Measured {
  inputs: number;
  /** The number of inputs that ended in a `ShelfleetError`. */
  refused: number;
  seconds: number;
  /** The growth of the heap in MB. */
  megabytes: number;
}

/** The maximum length of a message, so that it can be read. */
const longestMessage = 8000;

/**
 * Feeds a parser with `count` inputs (times `TURNS`). Only a `ShelfleetError` may be thrown, with a message
 * that can be read.
 */
export async function feed(count: number, parse: (mutator: Mutator) => unknown): Promise<Measured> {
  const mutator = new Mutator(seed);
  const inputs = count * repetitions;
  const before = heap();
  const start = performance.now();
  let refused = 0;
  for (let input = 0; input < inputs; input++) {
    try {
      const result = parse(mutator);
      if (result instanceof Promise) await result;
    } catch (error) {
      refused += 1;
      assert.ok(
        error instanceof ShelfleetError,
        new Error(`input ${input} of SEED=${seed}`, { cause: error }),
      );
      assert.ok(
        error.message.length < longestMessage,
        `input ${input} of SEED=${seed}: a message that is too long`,
      );
    }
  }
  const seconds = (performance.now() - start) / 1000;
  return { inputs, refused, seconds, megabytes: (heap() - before) / 1e6 };
}
