import { afterAll, describe, expect, it } from "vitest";
import { programNames } from "../client/pagination/programs.ts";
import { casesOf, judge, type rows } from "../client/pagination/protocol-cases.ts";
import { Tally } from "../client/pagination/tally.ts";

/** Whether every protocol of this kind has an ID, or `identify` returns one. */
export function hasId(kind: string): boolean {
  return ["protocolId", "id", "identify", "one ID for all"].includes(kind);
}

/** Walks the protocols of some rows under every program and prefetch. Two files share the rows, one for each core. */
export function testProtocolWalks(chosen: typeof rows): void {
  const tally = new Tally();
  afterAll(() => tally.print());

  describe("the protocol list, under every program and prefetch,", () => {
    it.each(chosen)(
      "delivers every protocol once or ends in an error: %s, instants in %s",
      async (kind, clock) => {
        const problems: string[] = [];
        for (const one of casesOf(kind, clock))
          for (const program of programNames)
            for (let ahead = 0; ahead < 4; ahead += 1)
              problems.push(...(await judge(one, program, ahead, tally)));
        expect(problems).toEqual([]);
      },
    );
  });
}
