import { availableParallelism } from "node:os";
import { type Report, type Scenario, scenarios, tellStory } from "../../mock/scenarios/index.ts";
import { runTrial } from "../../mock/scenarios/trial.ts";
import { assertWritable, writeTextFile } from "../files.ts";
import { INTERRUPTED, interruption, onInterruption } from "../interruption.ts";
import { printError, printJson, printLine, printText, StartError } from "../output.ts";
import { type ProveSettings, proveHelp, readProveArguments } from "./arguments.ts";
import { NotJudgedError, UnreadableRowsError } from "./process.ts";
import { readFolder } from "./rows.ts";
import { runScenario, serveWorld } from "./run-scenario.ts";
import { summarize, toJunit, type UnreadScenario } from "./summary.ts";

const FAILED = 1;
const NOT_JUDGED = 2;

/** Programs wait most of the time, so more of them than cores run at once. */
const JOBS_PER_CORE = 3;

/** Runs `shelfleet prove` and returns the exit code. */
export async function runProve(args: readonly string[]): Promise<number> {
  const settings = readProveArguments(args);
  if (settings === "help") {
    printText(proveHelp);
    return 0;
  }
  if (settings === "list") {
    for (const { name, why } of scenarios.all) printLine(`${name.padEnd(48)} ${why}`);
    return 0;
  }
  try {
    const { served } = settings;
    return served === undefined ? await proveAll(settings) : await serveOne(served, settings);
  } catch (error) {
    if (!(error instanceof NotJudgedError || error instanceof StartError)) throw error;
    printError(`shelfleet: ${error.message}`);
    return NOT_JUDGED;
  }
}

function print(text: string): void {
  for (const line of text.split("\n")) printLine(line);
}

async function proveAll(settings: ProveSettings): Promise<number> {
  const { json, junit, command, flags } = settings;
  if (junit !== undefined) assertWritable("--junit", junit);
  const results = await runScenarios(settings);
  if (results === undefined) return INTERRUPTED;
  const { reports, unread } = results;
  const repeat = (scenario: string) =>
    ["npx", "shelfleet", "prove", "--only", scenario, ...flags, "--", ...command].map(quote).join(" ");
  if (json) printJson(reports);
  else for (const text of summarize(reports, repeat)) print(text);
  for (const { scenario, reason } of unread) printError(`shelfleet: ${scenario.name}: ${reason}`);
  if (junit !== undefined) writeTextFile("--junit", junit, toJunit(reports, unread));
  const code = exitCodeOf(reports);
  return code === 0 && unread.length > 0 ? NOT_JUDGED : code;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteShell(word);
}

function exitCodeOf(reports: readonly Report[]): number {
  if (reports.some(({ isPass, verdict }) => !isPass && verdict !== "not exercised")) return FAILED;
  return reports.some(({ isPass }) => !isPass) ? NOT_JUDGED : 0;
}

interface ProveResults {
  /** The reports in the order of the scenarios. */
  reports: Report[];
  unread: UnreadScenario[];
}

/**
 * Runs the scenarios, several at a time; returns nothing after a signal. A signal or a failure kills the running programs and removes their folders.
 */
async function runScenarios(settings: ProveSettings): Promise<ProveResults | undefined> {
  const { scenarios: selected, jobs } = settings;
  const reports: (Report | undefined)[] = [];
  const unread: UnreadScenario[] = [];
  const waiting = [...selected.entries()];
  const controller = new AbortController();
  const { signal } = controller;
  const stop = onInterruption(() => controller.abort());
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const [index, scenario] = next;
      reports[index] = await runScenario(scenario, settings, signal).catch((error: unknown) => {
        if (!(error instanceof UnreadableRowsError)) throw error;
        unread.push({ scenario, reason: error.message });
        return undefined;
      });
    }
  };
  const count = jobs === 0 ? availableParallelism() * JOBS_PER_CORE : jobs;
  const failures: unknown[] = [];
  const workers = Array.from({ length: Math.min(count, selected.length) }, async () =>
    work().catch((error: unknown) => {
      if (!signal.aborted) failures.push(error);
      controller.abort();
    }),
  );
  await Promise.all(workers);
  stop();
  if (failures.length > 0) throw failures[0];
  if (signal.aborted) return undefined;
  return { reports: reports.filter((report) => report !== undefined), unread };
}

/** Starts the world of one scenario, and judges it when the program is interrupted. */
async function serveOne(scenario: Scenario, settings: ProveSettings): Promise<number> {
  const served = await serveWorld(scenario, settings);
  const { world, env, out, writeSecrets } = served;
  try {
    for (const [name, value] of Object.entries(env)) printLine(`export ${name}=${quoteShell(value)}`);
    print(`# ${world.task.words}\n# Press Ctrl+C to judge the result.`);
    const execute = async () => {
      world.startRun({
        onStop: () => printLine("# the program would be stopped here"),
        onRotate: writeSecrets,
      });
      await interruption();
      return { failure: undefined, isTimedOut: false, output: [] };
    };
    const report = await runTrial(world, { execute, readRows: async () => [await readFolder(out)] });
    print(tellStory(report));
    return exitCodeOf([report]);
  } finally {
    await served.close();
  }
}

/** Returns text as one word of a shell. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
