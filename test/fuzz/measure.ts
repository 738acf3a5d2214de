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
  /** The longest processor time for one input, in ms. */
  slowest: number;
  /** The growth of the heap in MB. */
  megabytes: number;
}

/** In ms, far above what any input needs. */
const longest = 2000;
const largest = 64;
/** The maximum length of a message, so that it can be read. */
const longestMessage = 8000;

/**
 * Feeds a parser with `count` inputs (times `TURNS`). Only a `ShelfleetError` may be thrown, within bounds of time and
 * memory.
 */
export async function feed(count: number, parse: (mutator: Mutator) => unknown): Promise<Measured> {
  const mutator = new Mutator(seed);
  const inputs = count * repetitions;
  const before = heap();
  const start = performance.now();
  let [refused, slowest] = [0, 0];
  for (let input = 0; input < inputs; input++) {
    const begun = process.cpuUsage();
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
    const { user, system } = process.cpuUsage(begun);
    slowest = Math.max(slowest, (user + system) / 1000);
  }
  const seconds = (performance.now() - start) / 1000;
  return { inputs, refused, seconds, slowest, megabytes: (heap() - before) / 1e6 };
}

/** Whether a parser stayed within bounds. */
export function isBounded({ slowest, megabytes }: Measured): boolean {
  return slowest < longest && megabytes < largest;
}
