import type { Reporter, TestModule } from "vitest/node";
import type { Measured } from "./measure.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The inputs of a parser and their cost. */
    measured?: Measured;
  }
}

/** Prints the inputs of each parser and their cost. */
export class FuzzReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let total = 0;
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const { measured } = test.meta();
      if (measured === undefined) continue;
      const { inputs, refused, seconds, megabytes } = measured;
      total += inputs;
      process.stdout.write(
        `${test.name}: ${inputs} inputs, ${refused} refused, ${seconds.toFixed(1)} s, ` +
          `${megabytes.toFixed(1)} MB kept\n`,
      );
    }
    process.stdout.write(`${total} inputs in all\n`);
  }
}
