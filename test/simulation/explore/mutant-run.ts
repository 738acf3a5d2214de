/**
 * Runs histories of the changed clients in a separate process, which mutants.ts starts. It says which changes each history
 * runs, and which history of a changed client breaks a rule first.
 */
import { generate } from "../generate.ts";
import { runHistory } from "../history.ts";
import type { Feature } from "./feature.ts";
import { features } from "./features.ts";
import { sampleHistory } from "./explore.ts";
import { runWithTwins } from "../twins.ts";

/** A random history of a feature, or of the simulation. */
interface SampledHistory {
  readonly feature: string;
  readonly data: number;
  readonly seed: number;
}

/** Runs the histories with these numbers while a change is active. */
export interface MutantTask {
  readonly mutant: string;
  readonly histories: readonly number[];
}

/** The histories that run each change, by their numbers. */
export interface Coverage {
  readonly histories: Readonly<Record<string, readonly number[]>>;
  /** The changes that run when the modules are loaded. */
  readonly loaded: readonly string[];
  /** The number of all histories, and of the first ones, each of which has another input. */
  readonly count: number;
  readonly inputs: number;
}

export interface Verdict {
  /** The rule that a history broke. */
  readonly found: string | undefined;
  /** Histories break rules without the change as well, now that it ran. */
  readonly isPolluted: boolean;
}

/** `isAlive`: a history begins. */
export type MutantReport = { readonly isAlive: true } | Coverage | Verdict;

interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** The variable of the changed code. */
const stryker = ((globalThis as { ["__stryker__"]?: Stryker })["__stryker__"] ??= {});

const random = "random histories";
const inputs = /^(wrong input|requests|redirects|a crowd|attempts|changed)/;
/** Features without readings choose between many inputs, and their histories are short. */
const samplesOf = (name: string, { gaps }: Feature): number =>
  name.startsWith("changed") ? 2400 : gaps.length === 0 ? 600 : 300;
const randomHistories = 600;
/** So many histories of a change are run with their twins as well. */
const mostTwins = 200;
/** So often a change is run in one history of a client that ends. */
const mostHits = 200_000;

/** The features of single inputs come first. */
const ordered = Object.entries(features).toSorted(
  ([one], [other]) => Number(inputs.test(other)) - Number(inputs.test(one)),
);

/** The same ones in each process. */
const histories: readonly SampledHistory[] = [
  ...ordered.flatMap(([name, feature]) =>
    Array.from({ length: samplesOf(name, feature) }, (_, number) => ({
      feature: name,
      data: number % feature.data.length,
      seed: Math.floor(number / feature.data.length),
    })),
  ),
  ...Array.from({ length: randomHistories }, (_, number) => ({ feature: random, data: 0, seed: number + 1 })),
];

/** The first violation of a history, or of its twins. */
async function run(number: number, hasTwins: boolean): Promise<string | undefined> {
  const { feature, data, seed } = histories[number] as SampledHistory; // tasks have the numbers of histories
  process.send?.({ isAlive: true } satisfies MutantReport);
  const { violations } =
    feature === random
      ? await (hasTwins ? runWithTwins : runHistory)(generate(seed))
      : (await sampleHistory(feature, data, 1 + (seed % 2), seed, hasTwins)).result;
  return violations.length === 0 ? undefined : `${feature}: ${violations[0]}`;
}

async function measureCoverage(): Promise<Coverage> {
  const found: Record<string, number[]> = {};
  const { static: loaded = {} } = stryker.mutantCoverage ?? {};
  for (const number of histories.keys()) {
    stryker.currentTestId = "history";
    const violation = await run(number, false);
    if (violation !== undefined) throw new Error(`The unchanged clients break a rule: ${violation}`);
    const { perTest = {} } = stryker.mutantCoverage ?? {};
    for (const id of Object.keys(perTest["history"] ?? {})) (found[id] ??= []).push(number);
    delete perTest["history"];
  }
  return {
    histories: found,
    loaded: Object.keys(loaded),
    count: histories.length,
    inputs: histories.filter(({ feature }) => inputs.test(feature)).length,
  };
}

/** A history that breaks a rule without the change as well shows that the process is no longer as it was. */
async function search({ mutant, histories: numbers }: MutantTask): Promise<Verdict> {
  const plain = numbers.map((number) => ({ number, hasTwins: false }));
  const twins = numbers.slice(0, mostTwins).map((number) => ({ number, hasTwins: true }));
  for (const { number, hasTwins } of [...plain, ...twins]) {
    stryker.activeMutant = mutant;
    stryker.hitCount = 0;
    stryker.hitLimit = mostHits;
    const violation = await run(number, hasTwins);
    const isEndless = stryker.hitCount > mostHits;
    stryker.activeMutant = "none";
    if (violation === undefined && !isEndless) continue;
    const isPolluted = (await run(number, hasTwins)) !== undefined;
    return { found: violation ?? "does not end", isPolluted };
  }
  return { found: undefined, isPolluted: false };
}

process.on("disconnect", () => process.exit());
process.on("message", (task: MutantTask | "coverage") => {
  void (task === "coverage" ? measureCoverage() : search(task)).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ found: String(error), isPolluted: true } satisfies MutantReport),
  );
});
