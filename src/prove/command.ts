import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { escapeLine } from "../wire/foreign-text.ts";
import { INTERRUPTED, interruption, onInterruption } from "../wire/interruption.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";
import { type Report, type Scenario, scenarios, tellStory } from "./index.ts";
import { judge, type RunResult } from "./judge.ts";
import { Progress } from "./progress.ts";
import { outcomes, summarize, toJunit } from "./report.ts";
import { ProveError, type RunSettings, Workspace } from "./workspace.ts";

const HELP = `Usage: shelfleet prove [options] -- <program> [arguments]

Runs a program in many worlds in which something goes wrong, and says where it loses, repeats or destroys data without an
error. Each world has a separate reference server; no other service is contacted.

The program gets STORE_URL and STORE_TOKEN, FLEET_URL and FLEET_KEY, SHELFLEET_TASK (a JSON file with the task: name,
words, data) and SHELFLEET_OUT (a folder). It writes what it copies as NDJSON, one object per line, into files of this folder
(*.ndjson). It reports an error with its exit code. STORE_TOKEN_FILE and FLEET_KEY_FILE name files with the present token and key, which some
worlds replace during a run. For other variables or a database: -- sh -c 'API=$STORE_URL ./sync && ./dump > $SHELFLEET_OUT/rows.ndjson'

  --tasks <list>     the tasks that the program does, such as copy-stores, or copy for every task of this kind
  --only <list>      only these scenarios: names such as copy-stores/cursor-loop, families such as lists, or parts of names
  --timeout <s>      the time limit of one run in seconds (default 10)
  --jobs <n>         the number of programs that run at the same time (default: three for each core)
  --json             prints the reports as JSON
  --junit <file>     writes the reports as JUnit XML
  --serve <name>     starts only the world of this scenario, for a debugger, and judges it at the end (Ctrl+C)
  --list             prints the names of the scenarios
  --help             prints this

Exit codes: 0 every scenario passed, 1 a scenario failed, 2 a scenario could not be judged (a program that is too slow here
needs a larger --timeout or fewer --jobs), or wrong use.`;

/** The exit code if a scenario could not be judged, and for wrong use. */
const NOT_JUDGED = 2;

/** Programs wait most of the time, so more of them than cores run at once. */
const JOBS_PER_CORE = 3;

const text = { type: "string" } as const;
const toggle = { type: "boolean", default: false } as const;
const options = {
  tasks: text,
  only: text,
  timeout: { ...text, default: "10" },
  jobs: { ...text, default: String(availableParallelism() * JOBS_PER_CORE) },
  json: toggle,
  junit: text,
  serve: text,
  list: toggle,
  help: { ...toggle, short: "h" },
} as const;

/** Runs `shelfleet prove` and returns the exit code. */
export async function runProve(args: readonly string[]): Promise<number> {
  try {
    const end = args.includes("--") ? args.indexOf("--") : args.length;
    const flags = parse(args.slice(0, end));
    const command = args.slice(end + 1);
    if (flags.help) return print(HELP);
    if (flags.list) return print(...scenarios.map(({ name, why }) => `${name.padEnd(48)} ${why}`));
    const settings = { command, timeout: readCount("timeout", flags.timeout) * 1000 };
    if (flags.serve !== undefined) return await serveOne(flags.serve, settings);
    if ((command[0] ?? "") === "")
      throw new ProveError("No program: expected it after --, such as shelfleet prove -- python sync.py");
    return await proveAll(flags, settings);
  } catch (error) {
    if (!(error instanceof ProveError)) throw error;
    process.stderr.write(`shelfleet: ${escapeLine(error.message)}\n`);
    return NOT_JUDGED;
  }
}

/** Prints lines, which may contain text of a program. Returns the exit code of a success. */
function print(...texts: readonly string[]): number {
  for (const line of texts.flatMap((lines) => lines.split("\n")))
    process.stdout.write(`${escapeLine(line)}\n`);
  return 0;
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new ProveError(`${messageOf(error).split(". ")[0]}; see shelfleet prove --help`);
  }
}

type Flags = ReturnType<typeof parse>;

function readCount(name: string, digits: string): number {
  if (/^[1-9]\d{0,8}$/.test(digits)) return Number(digits);
  throw new ProveError(`--${name} must be a positive integer, not "${digits}"`);
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
    throw new ProveError(`${flag}: "${wrong}" selects no scenario; see shelfleet prove --list`);
  return all.filter((scenario) => parts.some((part) => accepts(scenario, part)));
}

/** Runs the scenarios, several at a time, and prints the result. */
async function proveAll({ tasks, only, jobs, json, junit }: Flags, settings: RunSettings): Promise<number> {
  const selected = select("--only", only, isNamed, select("--tasks", tasks, isTask, scenarios));
  const count = readCount("jobs", jobs);
  if (junit !== undefined) write(junit, ""); // before programs run for a minute
  const progress = new Progress(process.stderr, selected.length);
  const reports = await runScenarios(selected, count, settings, progress);
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
    throw new ProveError(`--junit ${file}: cannot be written (${codeOf(error)})`);
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
  try {
    await Promise.all(Array.from({ length: jobs }, work));
    return signal.aborted ? undefined : reports;
  } finally {
    stop.abort(); // after an error the other programs are still running
    progress.end();
    restore();
  }
}

/** Starts the world of one scenario, and judges it when the program is interrupted. */
async function serveOne(name: string, settings: RunSettings): Promise<number> {
  const scenario = scenarios.find((known) => known.name === name);
  if (scenario === undefined) throw new ProveError(`--serve: unknown scenario "${name}"; see --list`);
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
