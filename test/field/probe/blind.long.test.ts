import { describe, expect, it } from "vitest";
import { type ConsentName, foundIn, optionsFor, probe, wrongIn } from "./run.ts";
import { type Met, SETTINGS, type Setting } from "./settings.ts";
import { type Readings, type Subject, modelSubject, referenceSubject } from "./subjects.ts";

/** The maximum of the median number of requests; those that restore data may exceed the budget. */
const MOST = { read: 90, keys: 110, write: 155 } as const;

const SEED = Number(process.env["SEED"] ?? 1);
/** `BLIND=340 npx vitest run test/field/probe/blind.long.test.ts` makes 2 040 runs: 340 for each consent and server. */
const RUNS = Number(process.env["BLIND"] ?? 20);
/** `REQUESTS=600`: another number of requests than the default, with which hardly anything is decided. */
const REQUESTS = process.env["REQUESTS"] === undefined ? undefined : Number(process.env["REQUESTS"]);
const SIZES = [3, 12, 60] as const;

/** The minimum share of observable gaps that few runs with little noise find; many runs find about 0.02 more. */
const MIN_SHARE = { read: 0.92, keys: 0.93, write: 0.89 } as const;

/** The settings in which a run could find what one without a limit of requests finds. */
const UNDISTURBED: ReadonlySet<string> = new Set([
  "no noise",
  "3 % 503",
  "3 % resets",
  "2 % HTML",
  "other properties",
]);

/** The numbers of the results of the runs in one setting. */
interface Tally {
  runs: number;
  refused: number;
  decided: number;
  likely: number;
  found: number;
  observable: number;
  readonly requests: number[];
  readonly wrongDecided: string[];
  readonly wrongLikely: string[];
}

type Make = (seed: number, stores: number, fixed?: Readings) => Subject;

async function runOnce(
  subject: Subject,
  { fetch, truth }: Met,
  consent: ConsentName,
  tally: Tally,
  label: string,
) {
  tally.runs += 1;
  const limit = REQUESTS === undefined ? {} : { maxRequests: REQUESTS };
  const report = await probe({ ...optionsFor(subject, consent), ...limit, fetch }).catch((error: unknown) => {
    // noise may keep a service from responding at all
    if ((error as Error).name === "ProbeServiceError") return undefined;
    throw error;
  });
  if (report === undefined) {
    tally.refused += 1;
    return undefined;
  }
  tally.requests.push(report.requests.total);
  for (const { verdict } of report.findings)
    if (verdict === "decided" || verdict === "likely") tally[verdict] += 1;
  for (const line of wrongIn(report, truth))
    (line.includes(" is decided ") ? tally.wrongDecided : tally.wrongLikely).push(`${label}: ${line}`);
  return foundIn(report, truth);
}

/** The number of requests after which a run only confirms what it found. */
const ENOUGH = 400;

/** The readings that the same experiments find without disturbances and with many requests. */
async function observableIn(subject: Subject, consent: ConsentName): Promise<Set<string>> {
  return foundIn(await probe({ ...optionsFor(subject, consent), maxRequests: ENOUGH }), subject.truth);
}

async function runAll(make: Make, consent: ConsentName): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  for (let index = 0; index < RUNS; index += 1) {
    const seed = SEED * 100_000 + index;
    const [name, setting] = settings[index % settings.length] ?? ["", undefined];
    if (setting === undefined) continue;
    const stores = SIZES[(index + Math.floor(index / settings.length)) % SIZES.length] ?? 12;
    const subject = make(seed, stores);
    const tally = tallies.get(name) ?? emptyTally();
    tallies.set(name, tally);
    const met = setting(subject, seed, (fixed) => make(seed, stores, fixed));
    const found = await runOnce(subject, met, consent, tally, `${name}, seed ${seed}, ${stores} stores`);
    // the goal is about runs without disturbances, which could hide data
    if (found === undefined || !UNDISTURBED.has(name) || REQUESTS !== undefined) continue;
    const observable = await observableIn(make(seed, stores), consent);
    tally.observable += observable.size;
    tally.found += [...observable].filter((gap) => found.has(gap)).length;
  }
  return tallies;
}

function emptyTally(): Tally {
  return {
    runs: 0,
    refused: 0,
    decided: 0,
    likely: 0,
    found: 0,
    observable: 0,
    requests: [],
    wrongDecided: [],
    wrongLikely: [],
  };
}

function shareOf({ found, observable }: Tally): number {
  return found / Math.max(observable, 1);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function lineOf(name: string, tally: Tally): string {
  const { runs, refused, decided, likely, wrongDecided, wrongLikely, requests } = tally;
  const wrong = `${wrongDecided.length} of ${decided} decided and ${wrongLikely.length} of ${likely} likely wrong`;
  return `${name}: ${runs} runs, ${refused} refused, ${wrong}, ${tally.observable === 0 ? "-" : (100 * shareOf(tally)).toFixed(1)} % found, median ${median(requests)} requests`;
}

const SERVERS: readonly (readonly [string, Make])[] = [
  ["a server that shares no code with the project", modelSubject],
  ["the reference server", referenceSubject],
];

describe.each(SERVERS)("a probe that knows nothing about %s", (name, make) => {
  it.each(["read", "keys", "write"] as const)(
    "never decides wrongly with the consent %s",
    async (consent) => {
      const tallies = await runAll(make, consent);
      const all = [...tallies.values()];
      for (const [setting, tally] of tallies)
        process.stdout.write(`${name}, ${consent}, ${lineOf(setting, tally)}\n`);
      expect(all.flatMap(({ wrongDecided }) => wrongDecided)).toEqual([]);
      const wrongLikely = all.flatMap((one) => one.wrongLikely);
      const likely = all.reduce((sum, one) => sum + one.likely, 0);
      process.stdout.write(`${wrongLikely.join("\n")}\n`);
      expect(wrongLikely.length / likely).toBeLessThanOrEqual(0.005);
      if (REQUESTS !== undefined) return;
      expect(median(all.flatMap(({ requests }) => requests))).toBeLessThanOrEqual(MOST[consent]);
      const found = all.reduce((sum, one) => sum + one.found, 0);
      const observable = all.reduce((sum, one) => sum + one.observable, 0);
      process.stdout.write(`${name}, ${consent}: ${((100 * found) / observable).toFixed(1)} % found\n`);
      expect(found / observable).toBeGreaterThanOrEqual(MIN_SHARE[consent]);
    },
    3_600_000,
  );
});
