/**
 * Takes a random sample of the changes that Stryker makes to the clients, and says how many of them exploration and
 * simulation find without any other test. Each change runs in a separate process, in a copy of the project.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { createRandom } from "../../models/random.ts";
import { copyProject, root } from "../copy-project.ts";

const core = "src/client/core";
const store = "src/client/store";
/** Requests, walks, pulls, plans, changes, chunks, limiters and tokens. */
const files = [
  `${core}/request/*.ts`,
  `${core}/pagination/*.ts`,
  `${core}/options/{token-bucket,adaptive-rate,combine-limiters,limiter,wait-queue}.ts`,
  `${store}/{pull*,plan,apply-plan,modify*,upsert-expositions,match-expositions,differences}.ts`,
];

/** Seconds of processor time for one change; after more than these a process is ended, and the change was found. */
const budget = 15;
const limit = 3 * budget;

interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: { readonly line: number } };
}

interface Instrumenter {
  instrument(
    sources: readonly object[],
    options: object,
  ): Promise<{ files: readonly { name: string; content: string }[]; mutants: readonly Mutant[] }>;
}

/** Changes the files of the copy: each one contains every change, and a variable says which is active. */
async function instrument(folder: string): Promise<readonly Mutant[]> {
  const modules = join(root, "test/mutation/node_modules/@stryker-mutator/instrumenter/dist/src");
  if (!existsSync(modules))
    spawnSync("npm", ["ci", "--prefix", join(root, "test/mutation"), "--no-audit", "--no-fund"]);
  const module: unknown = await import(pathToFileURL(join(modules, "index.js")).href);
  const { Instrumenter: Maker } = module as { Instrumenter: new (logger: object) => Instrumenter };
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, isDebugEnabled: () => false };
  const paths = files.flatMap((pattern) => globSync(join(folder, pattern)));
  const sources = paths.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false };
  const result = await new Maker(silent).instrument(sources, options);
  for (const { name, content } of result.files) writeFileSync(name, content);
  return result.mutants;
}

interface Verdict {
  readonly mutant: Mutant;
  readonly found: string | undefined;
  readonly isReached: boolean;
}

/** The changes that each feature runs, by the names of the features. */
type Coverage = Readonly<Record<string, Readonly<Record<string, number>>>>;

function readCoverage(folder: string): Coverage {
  const program = join(folder, "test/simulation/explore/mutant-run.ts");
  const path = join(folder, "coverage.json");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "coverage", path], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The unchanged clients break a rule: ${stdout}${stderr}`);
  return JSON.parse(readFileSync(path, "utf8")) as Coverage; // mutant-run.ts writes it
}

function runMutant(folder: string, mutant: Mutant, coverage: Coverage): Promise<Verdict> {
  const names = Object.keys(coverage).filter((name) => (coverage[name]?.[mutant.id] ?? 0) > 0);
  if (names.length === 0) return Promise.resolve({ mutant, found: undefined, isReached: false });
  const program = join(folder, "test/simulation/explore/mutant-run.ts");
  const command = `ulimit -t ${limit}; exec "${process.execPath}" "${program}" ${budget} "${names.join(",")}"`;
  const env = { ...process.env, ["__STRYKER_ACTIVE_MUTANT__"]: mutant.id };
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => {
        output += text.toString();
      });
    child.on("close", (code) => {
      const found = code === 0 ? undefined : code === 1 ? output.trim() : "does not end";
      resolve({ mutant, found, isReached: true });
    });
  });
}

function describe(folder: string, { fileName, location, mutatorName, replacement }: Mutant): string {
  const text = replacement.replaceAll(/\s+/g, " ").slice(0, 100);
  return `${relative(folder, fileName)}:${location.start.line + 1} ${mutatorName}: ${text}`;
}

/** Prints each change with its verdict. Returns the exit code: at least 92 % have to be found. */
export async function findMutants(count: number, seed: number, workers: number): Promise<number> {
  const folder = copyProject();
  const mutants = await instrument(folder);
  const random = createRandom(seed);
  const shuffled = mutants
    .map((mutant) => ({ mutant, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ mutant }) => mutant);
  const coverage = readCoverage(folder);
  console.log(`${mutants.length} changes, a sample of ${count} with seed ${seed}`);
  const sample = shuffled.slice(0, count);
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = sample.shift(); mutant !== undefined; mutant = sample.shift()) {
      const verdict = await runMutant(folder, mutant, coverage);
      verdicts.push(verdict);
      const result = verdict.found === undefined ? (verdict.isReached ? "SURVIVED" : "NOT REACHED") : "found";
      console.log(`${result} ${describe(folder, mutant)}  ${verdict.found?.slice(0, 140) ?? ""}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  rmSync(folder, { recursive: true });
  const found = verdicts.filter((verdict) => verdict.found !== undefined).length;
  console.log(`${found} of ${verdicts.length} found: ${((100 * found) / verdicts.length).toFixed(1)} %`);
  return found >= 0.92 * verdicts.length ? 0 : 1;
}
