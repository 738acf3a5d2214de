import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Report, type Scenario, scenarios, tellStory } from "../../mock/scenarios/index.ts";
import { runTrial } from "../../mock/scenarios/trial.ts";
import { StartError } from "../failure.ts";
import { type ProveSettings, proveHelp, readProveArguments } from "./arguments.ts";
import { SpawnError } from "./process.ts";
import { readFolder } from "./rows.ts";
import { runScenario, serveWorld } from "./run-scenario.ts";
import { summarize, toJunit } from "./summary.ts";

const FAILED = 1;
const NOT_JUDGED = 2;

/** Programs wait most of the time, so more of them than cores run at once. */
const JOBS_PER_CORE = 3;

/** Runs `shelfleet prove` and returns the exit code. */
export async function runProve(args: readonly string[]): Promise<number> {
  const settings = readProveArguments(args);
  if (settings === "help") return print([proveHelp]);
  if (settings === "list") return print(scenarios.all.map(({ name, why }) => `${name.padEnd(48)} ${why}`));
  try {
    return settings.isServed ? await serveOne(settings) : await proveAll(settings);
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    console.error(`shelfleet: ${error.message}`);
    return NOT_JUDGED;
  }
}

function print(lines: readonly string[]): number {
  for (const line of lines) console.log(line);
  return 0;
}

async function proveAll(settings: ProveSettings): Promise<number> {
  const { json, junit, command, flags } = settings;
  const reports = await runScenarios(settings);
  if (junit !== undefined) writeReports(junit, toJunit(reports));
  const repeat = (scenario: string) =>
    ["npx shelfleet prove", "--only", scenario, ...flags, "--", ...command].map(quote).join(" ");
  if (json) console.log(JSON.stringify(reports, undefined, 2));
  else print(summarize(reports, repeat));
  return exitCodeOf(reports);
}

function quote(word: string): string {
  return /^[\w@%+=:,./ -]+$/.test(word) && (!word.includes(" ") || word.startsWith("npx "))
    ? word
    : `'${word}'`;
}

function writeReports(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new StartError(`--junit: ${(error as Error).message}`); // a file that cannot be written
  }
}

function exitCodeOf(reports: readonly Report[]): number {
  if (reports.some(({ isPass, verdict }) => !isPass && verdict !== "not exercised")) return FAILED;
  return reports.some(({ isPass }) => !isPass) ? NOT_JUDGED : 0;
}

/** Runs the scenarios, several at a time; returns the reports in the order of the scenarios. */
async function runScenarios(settings: ProveSettings): Promise<Report[]> {
  const { scenarios: selected, jobs } = settings;
  const reports: Report[] = [];
  const waiting = [...selected.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, scenario] = next;
      reports[index] = await runScenario(scenario, settings);
    }
  };
  const count = jobs === 0 ? availableParallelism() * JOBS_PER_CORE : jobs;
  await Promise.all(Array.from({ length: Math.min(count, selected.length) }, work));
  return reports;
}

/** Starts the world of one scenario, and judges it when the program is interrupted. */
async function serveOne(settings: ProveSettings): Promise<number> {
  const served = await serveWorld(settings.scenarios[0] as Scenario, settings); // `--serve` selects one
  const { world, env, out, writeSecrets } = served;
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}='${value}'`);
  console.log(`# ${world.task.words}\n# Press Ctrl+C to judge the result.`);
  const execute = async () => {
    world.startRun({
      onStop: () => console.log("# the program would be stopped here"),
      onRotate: writeSecrets,
    });
    await interruption();
    return { failure: undefined, isTimedOut: false, output: [] };
  };
  const report = await runTrial(world, { execute, readRows: async () => [await readFolder(out)] });
  await served.close();
  console.log(tellStory(report));
  return exitCodeOf([report]);
}

function interruption(): Promise<void> {
  return new Promise((resolve) => void process.once("SIGINT", () => resolve()));
}
