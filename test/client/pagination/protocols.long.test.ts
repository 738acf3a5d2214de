import { afterAll, describe, expect, it } from "vitest";
import { type Program, programNames } from "./programs.ts";
import { casesOf, judge, rows } from "./protocol-cases.ts";
import { Tally } from "./tally.ts";

const tally = new Tally();
afterAll(() => tally.print());

// programs and prefetch rotate over the cases; test/simulation/explore combines them on smaller lists
describe("the protocol list", () => {
  it.each(rows)(
    "delivers every protocol once or ends in an error: %s, instants in %s",
    async (kind, clock) => {
      const problems: string[] = [];
      for (const [at, one] of [...casesOf(kind, clock)].entries()) {
        const program = programNames[at % programNames.length] as Program;
        problems.push(...(await judge(one, program, Math.floor(at / 4) % 4, tally)));
      }
      expect(problems).toEqual([]);
    },
  );
});
