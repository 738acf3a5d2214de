import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, escapeLine } from "../wire/message.ts";
import { INTERRUPTED, interruption, onInterruption } from "./interruption.ts";
import { type Report, type Scenario, scenarios, tellStory } from "../prove/index.ts";
import { judge, type RunResult } from "../prove/judge.ts";
import { outcomes, Progress, summarize, toJunit } from "../prove/report.ts";
import { ProveError, type RunSettings, Workspace } from "../prove/workspace.ts";
import { readFlags, type Settings } from "./flags.ts";
import { UsageError } from "./output.ts";
import { proveFlags, proveHelp } from "./prove-flags.ts";

type Flags = Settings<typeof proveFlags>;

/** The exit code if a scenario could not be judged, and for wrong use. */
const NOT_JUDGED = 2;

/**
 * Runs `shelfleet prove` and returns the exit code.
 *
 * @throws {UsageError}
 */
export async function runProve(args: readonly string[]): Promise<number> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  // a program without the two hyphens before it
  if (end === args.length && /^(?!help$)[^-]/.test(args[0] ?? "")) throw new UsageError(noProgram);
  const flags = readFlags("prove", proveFlags, args.slice(0, end));
  if (flags === undefined) return print(proveHelp);
  if (flags.list) return print(...scenarios.map(({ name, why }) => `${name.padEnd(48)} ${why}`));
  try {
    return await runPrograms(flags, { command: args.slice(end + 1), timeout: flags.timeout * 1000 });
  } catch (error) {
    throw error instanceof ProveError ? new UsageError(error.message) : error;
  }
}

const noProgram = "No program: expected it after --, such as shelfleet prove -- python sync.py";

function runPrograms(flags: Flags, settings: RunSettings): Promise<number> {
  if (flags.serve !== undefined) return serveOne(flags.serve, settings);
  if ((settings.command[0] ?? "") === "") throw new UsageError(noProgram);
  return proveAll(flags, settings);
}

/** Prints lines, which may contain text of a program. Returns the exit code of a success. */
function print(...texts: readonly string[]): number {
  for (const line of texts.flatMap((lines) => lines.split("\n")))
    process.stdout.write(`${escapeLine(line)}\n`);
  return 0;
}

function isTask({ task, api }: Scenario, part: string): boolean {
  return task === part || task.startsWith(`${part}-`) || api === part;
}

function isNamed({ name, family }: Scenario, part: string): boolean {
  return family === part || (part.includes("/") ? name === part : name.includes(part));
}

/** Each part of a list must select something, so that a misspelled name does not pass. */
function select(
  flag: string,
  list: string | undefined,
  accepts: (scenario: Scenario, part: string) => boolean,
  all: readonly Scenario[],
): readonly Scenario[] {
  if (list === undefined) return all;
  const parts = list.split(",").map((part) => part.trim());
  const wrong = parts.find((part) => part === "" || !all.some((scenario) => accepts(scenario, part)));
  if (wrong !== undefined)
    throw new UsageError(`${flag}: "${wrong}" selects no scenario; see shelfleet prove --list`);
  return all.filter((scenario) => parts.some((part) => accepts(scenario, part)));
}

/** Runs the scenarios, several at a time, and prints the result. */
async function proveAll({ tasks, only, jobs, json, junit }: Flags, settings: RunSettings): Promise<number> {
  const selected = select("--only", only, isNamed, select("--tasks", tasks, isTask, scenarios));
  if (junit !== undefined) write(junit, ""); // before programs run for a minute
  const progress = new Progress(process.stderr, selected.length);
  const compileCache = mkdtempSync(join(tmpdir(), "shelfleet-prove-"));
  const reports = await runScenarios(selected, jobs, { ...settings, compileCache }, progress).finally(() =>
    rmSync(compileCache, { recursive: true, force: true }),
  );
  if (reports === undefined) return INTERRUPTED;
  const { command, timeout } = settings;
  const repeat = (scenario: string) =>
    `npx shelfleet prove --only ${scenario} --timeout ${timeout / 1000} -- ${command.map(quote).join(" ")}`;
  print(...(json ? [JSON.stringify(reports, undefined, 2)] : summarize(reports, repeat)));
  if (junit !== undefined) write(junit, toJunit(reports));
  return exitCodeOf(reports);
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new UsageError(`--junit ${file}: cannot be written (${codeOf(error)})`);
  }
}

function exitCodeOf(reports: readonly Report[]): number {
  const found = new Set(reports.map(({ verdict }) => outcomes[verdict]));
  if (found.has("failure")) return 1;
  return found.has("error") ? NOT_JUDGED : 0;
}

/** Runs a program in the world of a scenario, and judges the result. */
async function proveOne(
  scenario: Scenario,
  settings: RunSettings,
  run: (place: Workspace) => Promise<RunResult>,
): Promise<Report> {
  const place = new Workspace(scenario, settings);
  try {
    await place.open();
    return await judge(place.world, { run: () => run(place), read: () => place.read() });
  } finally {
    await place.close();
  }
}

/** Returns the reports in the order of the scenarios; nothing after a signal, which kills the running programs. */
async function runScenarios(
  selected: readonly Scenario[],
  jobs: number,
  settings: RunSettings,
  progress: Progress,
): Promise<Report[] | undefined> {
  const reports: Report[] = [];
  const waiting = selected.entries();
  const stop = new AbortController();
  const { signal } = stop;
  const restore = onInterruption(() => stop.abort());
  const work = async (): Promise<void> => {
    for (const [index, scenario] of waiting) {
      if (signal.aborted) return;
      const report = await proveOne(scenario, settings, (place) => place.run(signal));
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

/** Starts the world of one scenario, and judges it when the program is interrupted. */
async function serveOne(name: string, settings: RunSettings): Promise<number> {
  const scenario = scenarios.find((known) => known.name === name);
  if (scenario === undefined) throw new UsageError(`--serve: unknown scenario "${name}"; see --list`);
  const report = await proveOne(scenario, settings, async ({ world, env }) => {
    world.startRun(() => void print("# the program would be stopped here"));
    print(...Object.entries(env).map(([variable, value]) => `export ${variable}=${quote(value)}`));
    print(`# ${world.task.words}`, "# Press Ctrl+C to judge the result.");
    await interruption();
    return { failure: undefined, output: [] };
  });
  print(tellStory(report));
  return exitCodeOf([report]);
}

/** Returns text as one word of a shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
