import { describe, expect, it } from "vitest";
import { type Noise, noisy } from "./noise.ts";
import { type ConsentName, foundIn, optionsFor, probe, wrongIn } from "./run.ts";
import { type Subject, modelSubject, referenceSubject, seeded } from "./subjects.ts";

/** The maximum of the median number of requests. */
const MOST = { read: 60, keys: 80, write: 120 } as const;

const SEED = Number(process.env["SEED"] ?? 1);
/** `BLIND=335 npx vitest run test/field/probe/blind.long.test.ts` makes 2 010 runs: 335 for each consent and server. */
const RUNS = Number(process.env["BLIND"] ?? 18);
const SIZES = [0, 3, 12, 12, 60, 2000] as const;

const NOISES: readonly (readonly [name: string, noise: Noise])[] = [
  ["no noise", {}],
  ["3 % 503", { unavailable: 0.03 }],
  ["3 % resets", { reset: 0.03 }],
  ["2 % HTML", { html: 0.02 }],
  ["other members", { extraProperties: true, propertyOrder: true, gzip: true }],
  ["mixed", { unavailable: 0.02, reset: 0.02, extraProperties: true, propertyOrder: true }],
];

/** The minimum share of observable gaps that a run finds. It is lower for few runs, which vary more. */
const MIN_SHARE = RUNS < 100 ? 0.9 : 0.95;

/** The numbers of gaps found and of observable gaps. */
interface Share {
  found: number;
  observable: number;
}

interface Tally extends Share {
  runs: number;
  refused: number;
  /** The results by kind of noise. */
  readonly settings: Map<string, Share>;
  readonly requests: number[];
  readonly wrong: string[];
}

/** A run with noise; undefined if noise kept the service from responding at all. */
async function run(subject: Subject, consent: ConsentName, noise: Noise, seed: number, isOther: boolean) {
  const random = seeded(seed);
  const options = optionsFor(subject, consent);
  const write = isOther ? { write: () => subject.otherWrite(random) } : {};
  const fetch = noisy(options.fetch ?? globalThis.fetch, { ...noise, ...write }, seed);
  try {
    return await probe({ ...options, fetch });
  } catch (error) {
    if ((error as Error).name === "ProbeServiceError") return undefined;
    throw error;
  }
}

/** The readings that the same experiments find without noise and without a limit of requests. */
async function observableIn(make: () => Subject, consent: ConsentName): Promise<Set<string>> {
  const subject = make();
  return foundIn(await probe({ ...optionsFor(subject, consent), maxRequests: 1000 }), subject.truth);
}

async function tally(make: (seed: number, stores: number) => Subject, consent: ConsentName): Promise<Tally> {
  const settings = new Map(NOISES.map(([name]): [string, Share] => [name, { found: 0, observable: 0 }]));
  const result: Tally = { runs: 0, refused: 0, found: 0, observable: 0, settings, requests: [], wrong: [] };
  for (let index = 0; index < RUNS; index += 1) {
    const seed = SEED * 100_000 + index;
    const [name, noise] = NOISES[index % NOISES.length] ?? ["", {}];
    const stores = SIZES[Math.floor(index / NOISES.length) % SIZES.length] ?? 12;
    const subject = make(seed, stores);
    const report = await run(subject, consent, noise, seed, index % 4 === 3);
    result.runs += 1;
    if (report === undefined) {
      result.refused += 1;
      continue;
    }
    const observable = await observableIn(() => make(seed, stores), consent);
    const found = foundIn(report, subject.truth);
    for (const share of [result, settings.get(name)]) {
      if (share === undefined) continue;
      share.observable += observable.size;
      share.found += [...observable].filter((gap) => found.has(gap)).length;
    }
    result.requests.push(report.requests.total);
    result.wrong.push(
      ...wrongIn(report, subject.truth).map((line) => `seed ${seed}, ${stores} stores: ${line}`),
    );
  }
  return result;
}

function percent({ found, observable }: Share): string {
  return `${((100 * found) / Math.max(observable, 1)).toFixed(1)} %`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const SERVERS = [
  ["a server that shares no code with the project", modelSubject],
  ["the reference server", referenceSubject],
] as const;

describe.each(SERVERS)("a probe that knows nothing about %s", (name, make) => {
  it.each(["read", "keys", "write"] as const)(
    "never decides wrongly with the consent %s",
    async (consent) => {
      const { runs, refused, wrong, found, observable, settings, requests } = await tally(make, consent);
      const bySetting = [...settings].map(([noise, share]) => `${noise} ${percent(share)}`).join(", ");
      const line = `${runs} runs, ${refused} refused, ${wrong.length} wrong, ${percent({ found, observable })} found (${bySetting}), median ${median(requests)} requests`;
      process.stdout.write(`${name}, ${consent}: ${line}\n`);
      expect(wrong).toEqual([]);
      expect(median(requests)).toBeLessThanOrEqual(MOST[consent]);
      expect(refused).toBeLessThan(runs / 5);
      expect(found / observable).toBeGreaterThanOrEqual(MIN_SHARE);
    },
    3_600_000,
  );
});
