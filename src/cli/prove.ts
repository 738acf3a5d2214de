import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { INTERRUPTED, onInterruption } from "./interruption.ts";
import { type Report, type Scenario, scenarios } from "../prove/index.ts";
import { judge } from "../prove/judge.ts";
import { outcomes, type Progress, reportOf, startProgress, summarize, toJunit } from "../prove/report.ts";
import { ProveError, type RunSettings, Workspace } from "../prove/workspace.ts";
import { assertWritable, writeFile } from "./files.ts";
import { describeFlags, flag, positive, readFlags, type Settings, text, toggle } from "./flags.ts";
import { CommandError, print, quote, WRONG_USE } from "./output.ts";

/** Programs wait most of the time, so more of them than cores run at once. */
const defaultJobs = availableParallelism() * 3;

/** The flags of `shelfleet prove`, before the program. */
const proveFlags = {
  tasks: flag(text, "<list>", "the tasks of the program, such as copy-stores, or copy for all of this kind"),
  only: flag(text, "<list>", "scenarios by name (copy-stores/reset) or its part, or a family such as lists"),
  timeout: flag(positive(10, true), "<s>", "the time limit of one run in seconds (default 10)"),
  jobs: flag(positive(defaultJobs, true), "<n>", "programs that run at once (default: three for each core)"),
  json: flag(toggle, "", "prints the reports as JSON"),
  junit: flag(text, "<file>", "writes the reports as JUnit XML"),
  list: flag(toggle, "", "prints the scenarios that --tasks and --only select, all by default"),
};

/** The output of `shelfleet prove --help`. */
const proveHelp = `Usage: shelfleet prove [options] -- <program> [arguments]

Runs a program in many worlds in which something goes wrong, and says where it loses, repeats or destroys data without
an error. Each world has a separate reference server; no other service is contacted.

The program gets STORE_URL and STORE_TOKEN, FLEET_URL and FLEET_KEY, SHELFLEET_TASK (a JSON file: name, words, data)
and SHELFLEET_OUT, a folder: it writes what it copies to *.ndjson files there, one object per line, and reports an error
with its exit code. STORE_TOKEN_FILE and FLEET_KEY_FILE name files with the present secrets, which some worlds replace.
For other variables or a database: -- sh -c 'API=$STORE_URL ./sync && ./dump > $SHELFLEET_OUT/rows.ndjson'

${describeFlags(proveFlags)}

Exit codes: 0 every scenario passed, 1 a scenario failed, 2 a scenario could not be judged (a program that is too slow
here needs a larger --timeout or fewer --jobs), or wrong use.`;

type Flags = Settings<typeof proveFlags>;

/**
 * Runs `shelfleet prove` and returns the exit code.
 *
 * @throws {CommandError}
 */
export async function runProve(args: readonly string[]): Promise<number> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  // a program without the two hyphens before it
  if (end === args.length && /^(?!help$)[^-]/.test(args[0] ?? "")) throw new CommandError(noProgram);
  const flags = readFlags("prove", proveFlags, args.slice(0, end));
  if (flags === undefined) {
    print(proveHelp);
    return 0;
  }
  if (flags.list) {
    print(...selectScenarios(flags).map(({ name, why }) => `${name.padEnd(48)} ${why}`));
    return 0;
  }
  try {
    return await proveAll(flags, args.slice(end + 1));
  } catch (error) {
    throw error instanceof ProveError ? new CommandError(error.message) : error;
  }
}

const noProgram = "No program: expected it after --, such as shelfleet prove -- python sync.py";

function isTask({ task, api }: Scenario, part: string): boolean {
  return task === part || task.startsWith(`${part}-`) || api === part;
}

function isNamed({ name, family }: Scenario, part: string): boolean {
  return family === part || (part.includes("/") ? name === part : name.includes(part));
}

/** Each part of a list must select something, so that a misspelled name does not pass. */
function select(
  name: string,
  list: string | undefined,
  accepts: (scenario: Scenario, part: string) => boolean,
  all: readonly Scenario[],
): readonly Scenario[] {
  if (list === undefined) return all;
  const parts = list.split(",").map((part) => part.trim());
  const wrong = parts.find((part) => part === "" || !all.some((scenario) => accepts(scenario, part)));
  if (wrong !== undefined)
    throw new CommandError(`${name}: "${wrong}" selects no scenario; see shelfleet prove --list`);
  return all.filter((scenario) => parts.some((part) => accepts(scenario, part)));
}

function selectScenarios({ tasks, only }: Flags): readonly Scenario[] {
  return select("--only", only, isNamed, select("--tasks", tasks, isTask, scenarios));
}

/** Runs the scenarios, several at a time, and prints the result. */
async function proveAll(flags: Flags, command: readonly string[]): Promise<number> {
  const { jobs, json, junit, timeout } = flags;
  if ((command[0] ?? "") === "") throw new CommandError(noProgram);
  const selected = selectScenarios(flags);
  if (junit !== undefined) assertWritable("--junit", junit);
  const progress = startProgress(process.stderr, selected.length);
  const compileCache = mkdtempSync(join(tmpdir(), "shelfleet-prove-"));
  const settings = { command, timeout: timeout * 1000, compileCache };
  const reports = await runScenarios(selected, jobs, settings, progress).finally(() =>
    rmSync(compileCache, { recursive: true, force: true }),
  );
  if (reports === undefined) return INTERRUPTED;
  const repeat = (scenario: string) =>
    `npx shelfleet prove --only ${scenario} --timeout ${timeout} -- ${command.map(quote).join(" ")}`;
  print(...(json ? [JSON.stringify(reports, undefined, 2)] : summarize(reports, repeat)));
  if (junit !== undefined) writeFile("--junit", junit, toJunit(reports));
  return exitCodeOf(reports);
}

function exitCodeOf(reports: readonly Report[]): number {
  const found = new Set(reports.map(({ verdict }) => outcomes[verdict]));
  if (found.has("failure")) return 1;
  return found.has("error") ? WRONG_USE : 0;
}

/** Runs the program in the world of a scenario, and judges the result. */
async function proveIn(place: Workspace): Promise<Report> {
  try {
    await place.open();
    return await judge(place.world, place);
  } finally {
    await place.close();
  }
}

/** Returns the report of a scenario in which nothing would be known of a program that fails at its task without a fault. */
function notRun({ world }: Workspace, { scenario }: Report): Report {
  const failure = `not run: ${scenario} fails`;
  return reportOf(world, "not exercised", { findings: [], leak: undefined, failure });
}

/** Returns the reports in the order of the scenarios; nothing after a signal, which kills the running programs. */
async function runScenarios(
  selected: readonly Scenario[],
  jobs: number,
  settings: Omit<RunSettings, "signal">,
  progress: Progress,
): Promise<Report[] | undefined> {
  const reports: Report[] = [];
  const waiting = selected.entries();
  const stop = new AbortController();
  const { signal } = stop;
  const restore = onInterruption(() => stop.abort());
  /** The runs of the tasks without a fault. */
  const plain = new Map<string, Promise<Report>>();
  const work = async (): Promise<void> => {
    for (const [index, scenario] of waiting) {
      const plainRun = plain.get(scenario.task);
      const basis = plainRun && (await plainRun);
      if (signal.aborted) return;
      const place = new Workspace(scenario, { ...settings, signal });
      if (basis !== undefined && outcomes[basis.verdict] === "error") {
        reports[index] = notRun(place, basis);
        continue;
      }
      const run = proveIn(place);
      if (scenario.family === "plain") plain.set(scenario.task, run);
      const report = await run;
      reports[index] = report;
      if (!signal.aborted) progress.add(report);
    }
  };
  const workers = Array.from({ length: jobs }, work);
  try {
    await Promise.all(workers);
    return signal.aborted ? undefined : reports;
  } finally {
    stop.abort(); // after an error the other programs are still running
    await Promise.allSettled(workers);
    progress.end();
    restore();
  }
}
