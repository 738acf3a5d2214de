import type { Reporter, TestModule } from "vitest/node";
import type { Measured } from "./measure.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What a parser was fed with, and what it took. */
    measured?: Measured;
  }
}

/** Prints what each parser was fed with. */
export class FuzzReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let total = 0;
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const { measured } = test.meta();
      if (measured === undefined) continue;
      const { inputs, refused, seconds, slowest, megabytes } = measured;
      total += inputs;
      process.stdout.write(
        `${test.name}: ${inputs} inputs, ${refused} refused, ${seconds.toFixed(1)} s, ` +
          `slowest ${slowest.toFixed(1)} ms, ${megabytes.toFixed(1)} MB kept\n`,
      );
    }
    process.stdout.write(`${total} inputs in all\n`);
  }
}
