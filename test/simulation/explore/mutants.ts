/**
 * Takes a random sample of the changes that Stryker makes to the clients, and says how many of them exploration and
 * simulation find without any other test. A change is first run in the histories that are known to reach it.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { createRandom, type Random } from "../../models/random.ts";
import { copyProject, root } from "../copy-project.ts";
import { type Equivalent, equivalent } from "./equivalent.ts";
import type { Coverage, CoverageTask, MutantReport, MutantTask, Verdict } from "./mutant-run.ts";

const core = "src/client/core";
const store = "src/client/store";
/** Requests, walks, pulls, plans, changes, chunks, limiters and tokens. */
const files = [
  `${core}/request/*.ts`,
  `${core}/pagination/*.ts`,
  `${core}/options/{token-bucket,adaptive-rate,combine-limiters,limiter,wait-queue}.ts`,
  `${store}/{pull*,plan,desired-stores,apply-*,modify*,list-rules,upsert-expositions,match-expositions,differences}.ts`,
];

/** The most histories of one change, besides those of single inputs. */
const mostHistories = 5000;
/** A process that has ended no history for so many ms hangs, and the change was found. */
const patience = 180_000;

interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Lines and columns count from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface Instrumenter {
  instrument(
    sources: readonly object[],
    options: object,
  ): Promise<{ files: readonly { name: string; content: string }[]; mutants: readonly Mutant[] }>;
}

interface Source {
  readonly name: string;
  readonly mutate: true;
  readonly content: string;
}

function readSources(folder: string): Source[] {
  const paths = files.flatMap((pattern) => globSync(join(folder, pattern))).toSorted();
  return paths.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
}

/** Changes the files of the copy: each one contains every change, and a variable says which is active. */
async function instrument(folder: string, sources: readonly Source[]): Promise<readonly Mutant[]> {
  const modules = join(root, "test/mutation/node_modules/@stryker-mutator/instrumenter/dist/src");
  if (!existsSync(modules))
    spawnSync("npm", ["ci", "--prefix", join(root, "test/mutation"), "--no-audit", "--no-fund"]);
  const module: unknown = await import(pathToFileURL(join(modules, "index.js")).href);
  const { Instrumenter: Maker } = module as { Instrumenter: new (logger: object) => Instrumenter };
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, isDebugEnabled: () => false };
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false };
  const result = await new Maker(silent).instrument(sources, options);
  for (const { name, content } of result.files) writeFileSync(name, content);
  return result.mutants;
}

/** A process with the changed clients, which runs one task after the other. */
class Runner {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stops the process, and starts another one in which a change is active while modules are loaded. */
  restart(active = "none"): void {
    this.stop();
    const env = { ...process.env, ["__STRYKER_ACTIVE_MUTANT__"]: active };
    const program = join(this.#folder, "test/simulation/explore/mutant-run.ts");
    this.#child = fork(program, { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  }

  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  async check(task: MutantTask): Promise<Verdict> {
    const verdict = (await this.#ask(task)) as Verdict; // the report about a task
    if (verdict.isPolluted) this.restart();
    return verdict;
  }

  async measureCoverage(task: CoverageTask): Promise<Coverage> {
    this.restart();
    const report = await this.#ask(task);
    if ("count" in report) return report;
    throw new Error(`The histories of the unchanged clients failed: ${report.found}`);
  }

  #ask(task: MutantTask | CoverageTask): Promise<Coverage | Verdict> {
    if (this.#child === undefined) this.restart();
    const child = this.#child as ChildProcess; // `restart` made it
    return new Promise((resolve) => {
      const end = (found: string): void => {
        clearTimeout(timer);
        resolve({ found, isPolluted: true });
      };
      let timer = setTimeout(end, patience, "does not end");
      child.removeAllListeners();
      child.on("exit", (code) => end(`the process ended with ${code}`));
      child.on("message", (report: MutantReport) => {
        clearTimeout(timer);
        if ("isAlive" in report) timer = setTimeout(end, patience, "does not end");
        else resolve(report);
      });
      child.send(task);
    });
  }
}

type Result = "found" | "EQUIVALENT" | "SURVIVED" | "NOT REACHED";

/** Runs the histories that reach a change; the modules are loaded again if it may run only then. */
async function judgeMutant(
  runner: Runner,
  { id }: Mutant,
  { histories, loaded, count, inputs, digests }: Coverage,
): Promise<Verdict | undefined> {
  const isLoaded = loaded.includes(id);
  const reaching = histories[id] ?? (isLoaded ? [...Array(count).keys()] : []);
  if (reaching.length === 0) return undefined;
  const others = shuffle(
    reaching.filter((number) => number >= inputs),
    createRandom(1),
  );
  // the others first: most changes break any history that runs them
  const chosen = [...others.slice(0, mostHistories), ...reaching.filter((number) => number < inputs)];
  const task = { mutant: id, histories: chosen, digests };
  const verdict = isLoaded ? undefined : await runner.check(task);
  if (verdict?.found !== undefined) return verdict;
  // what was computed once by the unchanged code would hide the change
  runner.restart(id);
  const again = await runner.check(
    isLoaded ? task : { ...task, histories: [...chosen.slice(0, 200), ...chosen.slice(mostHistories)] },
  );
  runner.stop();
  return again;
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ value }) => value);
}

/**
 * Prints each change with its verdict. Returns the exit code: at least 92 % have to be found.
 * @param log the output of an earlier run: only the changes that it did not find are tried again
 */
export async function findMutants(
  count: number,
  {
    seed,
    workers,
    log,
  }: { readonly seed: number; readonly workers: number; readonly log?: string | undefined },
): Promise<number> {
  const folder = copyProject();
  const sources = readSources(folder);
  const mutants = await instrument(folder, sources);
  const runners = Array.from({ length: workers }, () => new Runner(folder));
  const coverage = merge(
    await Promise.all(runners.map((runner, part) => runner.measureCoverage({ part, parts: workers }))),
  );
  const known = log === undefined ? undefined : readMissed(log);
  const isMissed = (mutant: Mutant): boolean => known?.has(textOf(describe(folder, sources, mutant))) ?? true;
  const sample = shuffle(mutants, createRandom(seed)).filter(isMissed).slice(0, count);
  console.log(`${mutants.length} changes, a sample of ${sample.length} with seed ${seed}`);
  const start = performance.now();
  const results: Record<Result, number> = { found: 0, EQUIVALENT: 0, SURVIVED: 0, ["NOT REACHED"]: 0 };
  const judge = async (runner: Runner, mutant: Mutant): Promise<void> => {
    const change = describe(folder, sources, mutant);
    const reason = equivalent.find(({ original = change.original, ...one }) =>
      isDeepStrictEqual({ ...one, original }, { ...change, reason: one.reason }),
    )?.reason;
    const verdict = reason === undefined ? await judgeMutant(runner, mutant, coverage) : undefined;
    const isFound = verdict?.found !== undefined;
    const survived = verdict === undefined ? "NOT REACHED" : "SURVIVED";
    const result = isFound ? "found" : reason === undefined ? survived : "EQUIVALENT";
    results[result] += 1;
    const place = `${change.file}:${mutant.location.start.line + 1}`;
    console.log(
      `${result} ${place} ${change.line}: ${change.original} → ${change.replacement}  ${reason ?? verdict?.found ?? ""}`,
    );
  };
  const rest = [...sample];
  const work = async (runner: Runner): Promise<void> => {
    for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) await judge(runner, mutant);
    runner.stop();
  };
  await Promise.all(runners.map(work));
  rmSync(folder, { recursive: true });
  const share = results.found / (sample.length - results.EQUIVALENT);
  const seconds = (performance.now() - start) / 1000 / sample.length;
  console.log(
    `${JSON.stringify(results)}: ${(100 * share).toFixed(1)} % of the changes that are not equivalent`,
  );
  console.log(`${seconds.toFixed(1)} s for each change`);
  return share >= 0.92 ? 0 : 1;
}

/** Puts the parts together: the histories of a change in the order of their numbers. */
function merge(parts: readonly Coverage[]): Coverage {
  const [first] = parts as readonly [Coverage];
  const found: Record<string, number[]> = {};
  for (const { histories } of parts)
    for (const [id, numbers] of Object.entries(histories)) (found[id] ??= []).push(...numbers);
  for (const numbers of Object.values(found)) numbers.sort((one, other) => one - other);
  return {
    ...first,
    histories: found,
    digests: Object.assign({}, ...parts.map(({ digests }) => digests)) as Coverage["digests"],
  };
}

type Change = Required<Omit<Equivalent, "reason">>;

function textOf({ file, line, original, replacement }: Change): string {
  return `${file} ${line}: ${original} → ${replacement}`;
}

/** The changes that a run did not find, by their texts. */
function readMissed(log: string): ReadonlySet<string> {
  const lines = readFileSync(log, "utf8").matchAll(/^(?:SURVIVED|NOT REACHED) (.*?):\d+ (.*?) {2}$/gm);
  return new Set(Array.from(lines, ([, file, change]) => `${file} ${change}`));
}

/** A change as the list of equivalent ones has it. */
function describe(
  folder: string,
  sources: readonly Source[],
  { fileName, location, replacement }: Mutant,
): Change {
  const source = sources.find(({ name }) => name === fileName);
  const lines = source?.content.split("\n") ?? [];
  const { start, end } = location;
  const line = lines[start.line] ?? "";
  const changed = lines.slice(start.line, end.line + 1);
  changed.push(changed.pop()?.slice(0, end.column) ?? "");
  changed.unshift(changed.shift()?.slice(start.column) ?? "");
  const original = changed.join(" ").replaceAll(/\s+/g, " ");
  const file = relative(folder, fileName);
  return { file, line: line.trim(), original, replacement: replacement.replaceAll(/\s+/g, " ") };
}
