import { describe, expect, it } from "vitest";
import type { Finding, ProbeReport } from "../../../src/field/probe/report.ts";
import { type Fetch, disturb } from "../../models/disturbances.ts";
import { fleetGaps, storeGaps } from "../../models/readings.ts";
import { optionsFor, probe } from "./run.ts";
import { type Subject, modelSubject, seeded } from "./subjects.ts";

/** `BALANCED=100 npx vitest run test/field/probe/balancers.long.test.ts`: the number of runs of each balancer. */
const RUNS = Number(process.env["BALANCED"] ?? 1);

/** The number of requests that decides what can be decided. */
const MAX_REQUESTS = 1_200;

/** Whether the first of two servers responds. */
type Route = (number: number, url: URL, request: Request) => boolean;

/** Chooses a server for each connection. */
function byConnection(random: () => number): Route {
  let isFirst = random() < 0.5;
  return (_number, _url, { headers }) => {
    const chosen = isFirst;
    if (headers.get("connection") === "close") isFirst = random() < 0.5;
    return chosen;
  };
}

function byPath(random: () => number): Route {
  const chosen = new Map<string, boolean>();
  return (_, { pathname }) => {
    const known = chosen.get(pathname) ?? random() < 0.5;
    chosen.set(pathname, known);
    return known;
  };
}

const BALANCERS: readonly (readonly [name: string, (random: () => number) => Route])[] = [
  ["turns", () => (number) => number % 2 === 0],
  ["a random number", (random) => () => random() < 0.5],
  ["the connection", byConnection],
  ["the path", byPath],
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

const CASES = BALANCERS.flatMap(([name, routeOf]) => [1, 2, 5].map((count) => ({ name, routeOf, count })));

const BASES: Readonly<Record<string, string>> = { store: "https://stores.test" };

/** The servers that handle the requests of a finding. With a balancer by path, a reading is true for some paths. */
function serversOf({ evidence }: Finding, report: ProbeReport, route: Route): Set<boolean> {
  const cited = report.evidence.filter(({ n }) => evidence.includes(n));
  const requests = cited.map(({ as, request }) => {
    const base = BASES[as] ?? "https://fleet.test/api/third-party/v1";
    return new Request(base + (request.split(" ")[1] ?? ""));
  });
  return new Set(requests.map((request) => route(0, new URL(request.url), request)));
}

describe("two servers behind a balancer", () => {
  it.each(CASES)(
    "that differ in $count gaps are never mistaken for one, if it chooses by $name",
    async ({ name, routeOf, count }) => {
      const wrong: string[] = [];
      const tally = { decided: 0, likely: 0, wrongLikely: 0 };
      for (let index = 0; index < RUNS; index += 1) {
        const random = seeded((9000 + index) * 13 + count);
        const { first, second, gaps } = differingSubjects(9000 + index, count, random);
        const route = routeOf(random);
        const fetch = disturb(fetchOf(first), { backend: fetchOf(second), route });
        const report = await probe({ ...optionsFor(first, "keys"), fetch, maxRequests: MAX_REQUESTS });
        for (const finding of report.findings) {
          const { gap, verdict, reading, reason } = finding;
          if (verdict !== "decided" && verdict !== "likely") continue;
          tally[verdict] += 1;
          if (!gaps.has(gap)) continue;
          if (verdict === "likely") tally.wrongLikely += 1;
          const servers = name === "the path" ? serversOf(finding, report, route) : [];
          const isTrue = [...servers].some((isFirst) => (isFirst ? first : second).truth[gap] === reading);
          if (verdict === "decided" && !isTrue) wrong.push(`${gap}: ${reason}`);
        }
      }
      const { decided, likely, wrongLikely } = tally;
      const counts = `${wrong.length} of ${decided} decided and ${wrongLikely} of ${likely} likely`;
      process.stdout.write(`${name}, ${count} differing, ${RUNS} runs: ${counts} readings are wrong\n`);
      expect(wrong).toEqual([]);
    },
    1_200_000,
  );
});
