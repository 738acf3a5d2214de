/**
 * Runs histories of the changed clients in a separate process, which mutants.ts starts. It says which changes each history
 * runs, and which history of a changed client breaks a rule first.
 */
import { digestOf, findProblem, histories, inputCount, runNumber } from "./recorded.ts";

/** Runs the histories with these numbers while a change is active. */
export interface MutantTask {
  readonly mutant: string;
  readonly histories: readonly number[];
  /** The digests of the histories without a change. */
  readonly digests: Coverage["digests"];
}

/** Runs one of several parts of all histories without a change. */
export interface CoverageTask {
  readonly part: number;
  readonly parts: number;
}

/** The histories that run each change, by their numbers. */
export interface Coverage {
  readonly histories: Readonly<Record<string, readonly number[]>>;
  /** The changes that run when the modules are loaded. */
  readonly loaded: readonly string[];
  /** The number of all histories, and of the first ones, each of which has another input. */
  readonly count: number;
  readonly inputs: number;
  /** By the numbers of the histories. */
  readonly digests: Readonly<Record<number, string>>;
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

/** So many histories of a change are run with their twins as well. */
const mostTwins = 200;
/** So often a change is run in one history of a client that ends. */
const mostHits = 200_000;

/** The first problem of a history, or of its twins. */
async function run(
  number: number,
  hasTwins: boolean,
  digests: Coverage["digests"],
): Promise<string | undefined> {
  process.send?.({ isAlive: true } satisfies MutantReport);
  const problem = findProblem(number, (await runNumber(number, hasTwins)).result, digests);
  return problem && `${problem.kind === "record" ? "(record) " : ""}${problem.text}`;
}

async function measureCoverage({ part, parts }: CoverageTask): Promise<Coverage> {
  const found: Record<string, number[]> = {};
  const { static: loaded = {} } = stryker.mutantCoverage ?? {};
  const digests: Record<number, string> = {};
  for (let number = part; number < histories.length; number += parts) {
    stryker.currentTestId = "history";
    process.send?.({ isAlive: true } satisfies MutantReport);
    const { result } = await runNumber(number, false);
    const [violation] = result.violations;
    if (violation !== undefined) throw new Error(`The unchanged clients break a rule: ${violation}`);
    digests[number] = digestOf(result);
    const { perTest = {} } = stryker.mutantCoverage ?? {};
    for (const id of Object.keys(perTest["history"] ?? {})) (found[id] ??= []).push(number);
    delete perTest["history"];
  }
  return {
    histories: found,
    loaded: Object.keys(loaded),
    count: histories.length,
    inputs: inputCount,
    digests,
  };
}

/** A history that breaks a rule without the change as well shows that the process is no longer as it was. */
async function search({ mutant, histories: numbers, digests }: MutantTask): Promise<Verdict> {
  const plain = numbers.map((number) => ({ number, hasTwins: false }));
  const twins = numbers.slice(0, mostTwins).map((number) => ({ number, hasTwins: true }));
  for (const { number, hasTwins } of [...plain, ...twins]) {
    stryker.activeMutant = mutant;
    stryker.hitCount = 0;
    stryker.hitLimit = mostHits;
    const violation = await run(number, hasTwins, digests);
    const isEndless = stryker.hitCount > mostHits;
    stryker.activeMutant = "none";
    if (violation === undefined && !isEndless) continue;
    const isPolluted = (await run(number, hasTwins, digests)) !== undefined;
    return { found: violation ?? "does not end", isPolluted };
  }
  return { found: undefined, isPolluted: false };
}

process.on("disconnect", () => process.exit());
process.on("message", (task: MutantTask | CoverageTask) => {
  void ("part" in task ? measureCoverage(task) : search(task)).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ found: String(error), isPolluted: true } satisfies MutantReport),
  );
});
