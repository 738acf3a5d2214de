import { commandOf, startProgram, stopProgram } from "../mock-programs.ts";
import type { Scenario } from "../scenario.ts";

/** The time in ms from the command to the first response. */
export function prepare(contender: string): Scenario {
  const command = commandOf(contender);
  return {
    async run() {
      const start = performance.now();
      await startProgram(command);
      const ms = performance.now() - start;
      stopProgram();
      return ms;
    },
  };
}
