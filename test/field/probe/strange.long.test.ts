import { describe, expect, it } from "vitest";
import { optionsFor, probe, wrongIn } from "./run.ts";
import { ALL_STRANGE, readingsBehind } from "./strange-data.ts";
import { modelSubject, seeded } from "./subjects.ts";

/** `STRANGE=8 npx vitest run --config test/long/vitest.config.ts strange`: the number of runs of each service. */
const RUNS = Number(process.env["STRANGE"] ?? 1);
const SEED = Number(process.env["SEED"] ?? 1);

/** The number of requests that decides most of what can be decided. */
const MAX_REQUESTS = 600;

describe("a service behind something that no experiment knows", () => {
  it.each(Object.entries(ALL_STRANGE))(
    "never leads to a wrong decided verdict: %s",
    async (name, strange) => {
      const wrong: string[] = [];
      const tally = { decided: 0, likely: 0 };
      for (let index = 0; index < RUNS; index += 1) {
        const seed = SEED * 1000 + index;
        const subject = modelSubject(seed, [12, 3, 60][index % 3] ?? 12);
        const fetch = strange(subject.options.fetch ?? globalThis.fetch, seeded(seed * 3 + 1));
        const options = { ...optionsFor(subject, "write"), fetch, maxRequests: MAX_REQUESTS };
        const report = await probe(options).catch((error: unknown) => {
          // the service may be away at the beginning
          if ((error as Error).name === "ProbeServiceError") return undefined;
          throw error;
        });
        for (const { verdict } of report?.findings ?? [])
          if (verdict === "decided" || verdict === "likely") tally[verdict] += 1;
        if (report !== undefined) wrong.push(...wrongIn(report, readingsBehind(name, subject.truth)));
      }
      const wrongDecided = wrong.filter((line) => line.includes(" is decided "));
      const wrongLikely = wrong.length - wrongDecided.length;
      const counts = `${wrongDecided.length} of ${tally.decided} decided and ${wrongLikely} of ${tally.likely} likely`;
      process.stdout.write(`${name}: ${counts} readings are wrong\n${wrong.join("\n")}\n`);
      expect(wrongDecided).toEqual([]);
    },
  );
});
