import { afterAll, describe, expect, it } from "vitest";
import { type Program, programNames } from "./programs.ts";
import { casesOf, judge, rows } from "./protocol-cases.ts";
import { Tally } from "./tally.ts";

const tally = new Tally();
afterAll(() => tally.print());

/** The program and the prefetch of a case: each pair of them, and each with every limit, strategy and kind of ends. */
function turnOf(at: number): [program: Program, ahead: number] {
  const [limit, strategy, end, others] = [at, at >> 2, at >> 4, at >> 6] as const; // each but the last counts to four
  const program = programNames[(limit + strategy + end) % programNames.length] as Program;
  return [program, (strategy + 3 * end + others) % 4];
}

// test/simulation/explore combines all of them on smaller lists
describe("the protocol list", () => {
  it.each(rows)(
    "delivers every protocol once or ends in an error: %s, instants in %s",
    async (kind, clock) => {
      const problems: string[] = [];
      for (const [at, one] of [...casesOf(kind, clock)].entries()) {
        problems.push(...(await judge(one, ...turnOf(at), tally)));
      }
      expect(problems).toEqual([]);
    },
  );
});
