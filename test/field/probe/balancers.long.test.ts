import { describe, expect, it } from "vitest";
import { type Fetch, disturb } from "../../models/disturbances.ts";
import { fleetGaps, storeGaps } from "../../models/readings.ts";
import { optionsFor, probe } from "./run.ts";
import { type Subject, modelSubject, seeded } from "./subjects.ts";

/** `BALANCED=100 npx vitest run test/field/probe/balancers.long.test.ts`: the number of runs of each balancer. */
const RUNS = Number(process.env["BALANCED"] ?? 6);

type Route = (number: number, url: URL) => boolean;

/** Changes the server after a random number of requests. */
function byConnection(random: () => number): Route {
  let isFirst = true;
  let left = 0;
  return () => {
    left -= 1;
    if (left < 0) [isFirst, left] = [random() < 0.5, Math.floor(random() * 20)];
    return isFirst;
  };
}

function byPath(random: () => number): Route {
  const chosen = new Map<string, boolean>();
  return (_, { pathname }) => {
    if (!chosen.has(pathname)) chosen.set(pathname, random() < 0.5);
    return chosen.get(pathname) ?? true;
  };
}

/**
 * Balancers in front of two servers, and whether two observations tell the servers apart for certain. Otherwise both
 * may reach the same server by chance.
 */
const BALANCERS: readonly (readonly [name: string, isCertain: boolean, (random: () => number) => Route])[] = [
  ["turns", true, () => (number) => number % 2 === 0],
  ["a random number", false, (random) => () => random() < 0.5],
  ["the connection", false, byConnection],
  ["the path", false, byPath],
];

const GAPS: Readonly<Record<string, readonly string[]>> = { ...storeGaps, ...fleetGaps };

/** Two services that differ in some gaps, and these gaps. */
function differingSubjects(seed: number, count: number, random: () => number) {
  const first = modelSubject(seed, 12);
  const names = Object.keys(GAPS).filter((gap) => !gap.startsWith("limits."));
  const chosen = names.toSorted(() => random() - 0.5).slice(0, count);
  const fixed = chosen.map((gap): [string, string] => {
    const others = (GAPS[gap] ?? []).filter((reading) => reading !== first.truth[gap]);
    return [gap, others[Math.floor(random() * others.length)] ?? ""];
  });
  const second = modelSubject(seed, 12, Object.fromEntries(fixed));
  second.age?.();
  const differing = Object.keys(GAPS).filter((gap) => first.truth[gap] !== second.truth[gap]);
  return { first, second, gaps: new Set<string>(differing) };
}

function fetchOf({ options }: Subject): Fetch {
  return options.fetch ?? globalThis.fetch;
}

const CASES = BALANCERS.flatMap(([name, isCertain, routeOf]) =>
  [1, 2].map((count) => ({ name, isCertain, routeOf, count })),
);

describe("two servers behind a balancer", () => {
  it.each(CASES)(
    "that differ in $count gaps are distinguished, or counted, if it chooses by $name",
    async ({ name, isCertain, routeOf, count }) => {
      const wrong: string[] = [];
      let decided = 0;
      for (let index = 0; index < RUNS; index += 1) {
        const random = seeded((9000 + index) * 13 + count);
        const { first, second, gaps } = differingSubjects(9000 + index, count, random);
        const fetch = disturb(fetchOf(first), { backend: fetchOf(second), route: routeOf(random) });
        const { findings } = await probe({ ...optionsFor(first, "keys"), fetch, maxRequests: 300 });
        const certain = findings.filter(({ verdict }) => verdict === "decided");
        decided += certain.length;
        wrong.push(
          ...certain.filter(({ gap }) => gaps.has(gap)).map(({ gap, reason }) => `${gap}: ${reason}`),
        );
      }
      const counts = `${wrong.length} of ${decided} decided readings are of only one server`;
      process.stdout.write(`${name}, ${count} differing, ${RUNS} runs: ${counts}\n`);
      expect(wrong.length).toBeLessThanOrEqual(isCertain ? 0 : RUNS * count);
    },
    1_200_000,
  );
});
