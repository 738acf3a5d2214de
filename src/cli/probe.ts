import { closeSync, existsSync, fsyncSync, openSync, statSync, unlinkSync } from "node:fs";
import {
  type Ledger,
  ProbeOptionError,
  type ProbeReport,
  ProbeServiceError,
  cleanup,
  driftBetween,
  planOf,
  probe,
  probeTraffic,
  readHar,
  readLedger,
  readTrafficLog,
  shapesModule,
  toMarkdown,
} from "../field/probe/index.ts";
import { checkOptions } from "../field/probe/options.ts";
import { jsonOf, printError, printJson, printLine, printText, StartError, UsageError } from "./output.ts";
import {
  assertDistinct,
  assertWritable,
  readTextFile,
  unusedLines,
  writeText,
  writeTextFile,
} from "./files.ts";
import { INTERRUPTED, onInterruption } from "./interruption.ts";
import { nameProbeFlags, probeHelp, type ProbeSettings, readProbeArguments } from "./probe-arguments.ts";
import { planLines, progressLine, tableLines } from "./probe-table.ts";
import { objectOf } from "../wire/json.ts";
import { messageOf } from "../wire/thrown.ts";

const DRIFT = 1;
const NOT_RESTORED = 1;
const USAGE_ERROR = 2;
const SERVICE_ERROR = 3;

/** The default of --rate. */
const RATE = 2;

/** The default path of the ledger. */
const LEDGER = "shelfleet.ledger.ndjson";

/** Runs `shelfleet probe` and returns the exit code. */
export async function runProbe(args: string[]): Promise<number> {
  try {
    const command = readProbeArguments(args, process.env);
    switch (command.name) {
      case "help":
        printText(probeHelp);
        return 0;
      case "cleanup":
        return await runCleanup(command.ledger, command.options);
      case "run":
        return await run(command.settings);
    }
  } catch (error) {
    const code = exitCodeOf(error);
    const message = messageOf(error);
    printError(`shelfleet: ${error instanceof ProbeOptionError ? nameProbeFlags(message) : message}`);
    return code;
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ProbeServiceError) return SERVICE_ERROR;
  if (error instanceof UsageError || error instanceof ProbeOptionError || error instanceof StartError)
    return USAGE_ERROR;
  throw error;
}

async function run(settings: ProbeSettings): Promise<number> {
  const before = settings.diff === undefined ? undefined : readingsFile(settings.diff);
  if (settings.dryRun) {
    checkOptions({ ...settings.options, ledger: { append: () => undefined } });
    for (const line of planLines(planOf(settings.options))) printLine(line);
    return 0;
  }
  const { out, report: markdown, types, har, log } = settings;
  assertDistinct({ "--out": out, "--report": markdown, "--types": types }, { "--har": har, "--log": log });
  for (const name of ["out", "report", "types"] as const) {
    const file = settings[name];
    if (file !== undefined) assertWritable(`--${name}`, file);
  }
  const report = recordedReport(settings) ?? (await liveReport(settings));
  writeFiles(settings, report);
  if (settings.json) printJson(report);
  else for (const line of tableLines(report)) printLine(line);
  for (const reason of report.unavailable ?? []) printError(`shelfleet: ${reason}`);
  const code = exitCodeOfReport(report);
  if (before === undefined || code !== 0) return code;
  const drift = driftBetween(before, report);
  for (const { gap, before: old, after } of drift) printError(`changed: ${gap} from ${old} to ${after}`);
  return drift.length > 0 ? DRIFT : 0;
}

function exitCodeOfReport({ leftBehind = [], unavailable = [], partial }: ProbeReport): number {
  if (!isRestored(leftBehind)) return NOT_RESTORED;
  if (partial === "stopped") return INTERRUPTED;
  return unavailable.length > 0 ? SERVICE_ERROR : 0;
}

/** Returns the report of a recording. One that shows no service would replace the readings of another one by none. */
function recordedReport({ options, har, log }: ProbeSettings): ProbeReport | undefined {
  const [flag, file, read] = har === undefined ? ["--log", log, readTrafficLog] : ["--har", har, readHar];
  if (file === undefined) return undefined;
  const text = readTextFile(flag, file);
  const records = read(text);
  const report = probeTraffic(records, options);
  if (flag === "--log")
    for (const note of unusedLines(text, records)) printError(`shelfleet: --log ${file}: ${note}`);
  if (report.findings.length > 0) return report;
  throw new StartError(
    `${flag} ${file}: has no request of the store or fleet API; give --store-url, --fleet-url or --sandbox-url if their base ` +
      "URLs are not recognized",
  );
}

async function liveReport({ options, json }: ProbeSettings): Promise<ProbeReport> {
  const controller = new AbortController();
  const ledger = options.write === true ? new FileLedger(LEDGER) : undefined;
  const stop = onInterruption(() => {
    controller.abort();
    printError(ledger?.hasWrites === true ? "stopping; changed data is being restored" : "stopping");
  });
  const isTerminal = process.stderr.isTTY && !json;
  try {
    const report = await probe({
      ...options,
      signal: controller.signal,
      ...(ledger !== undefined && { ledger }),
      onProgress: ({ requests, maxRequests, gap }) => {
        if (isTerminal)
          process.stderr.write(`\r\x1b[K${progressLine(requests, maxRequests, options.rate ?? RATE, gap)}`);
      },
    });
    ledger?.end(report.leftBehind ?? []);
    return report;
  } finally {
    ledger?.close();
    if (isTerminal) process.stderr.write("\r\x1b[K");
    stop();
  }
}

async function runCleanup(file: string, options: Parameters<typeof cleanup>[1]): Promise<number> {
  const entries = readLedger(readTextFile("cleanup", file));
  const { undone, remaining } = await cleanup(entries, options);
  for (const path of undone) printLine(`restored: ${path}`);
  for (const path of remaining) printError(`could not be restored: ${path}`);
  if (remaining.length > 0) return SERVICE_ERROR;
  unlinkSync(file);
  return 0;
}

/** Whether everything is restored, except a store that the run was allowed to create. */
function isRestored(remaining: readonly string[]): boolean {
  return remaining.every((path) => path.endsWith("which this run created"));
}

/** A ledger in a file that only its owner may read. It is removed when everything is restored. */
class FileLedger implements Ledger {
  readonly #path: string;
  #file: number | undefined;
  hasWrites = false;

  constructor(path: string) {
    if (existsSync(path))
      throw new UsageError(`${path} is the ledger of an interrupted run; see shelfleet probe cleanup`);
    this.#path = path;
  }

  append(entry: Parameters<Ledger["append"]>[0]): void {
    if (entry.type === "write") this.hasWrites = true;
    this.#file ??= openSync(this.#path, "ax", 0o600);
    writeText(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }

  /** Closes the file. One without a write is of no use, and would stop the next run. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (!this.hasWrites) unlinkSync(this.#path);
  }

  /** Removes the file, unless something could not be restored. */
  end(remaining: readonly string[]): void {
    this.close();
    const isClean = isRestored(remaining);
    if (isClean && existsSync(this.#path)) unlinkSync(this.#path);
    else if (!isClean) printError(`shelfleet: shelfleet probe cleanup ${this.#path} tries again`);
  }
}

function writeFiles({ out, report, types }: ProbeSettings, result: ProbeReport): void {
  const { evidence: _, ...file } = result;
  const files = [
    ["--out", "readings file", out, () => `${jsonOf(file)}\n`],
    ["--report", "report", report, () => toMarkdown(result)],
    ["--types", "shapes", types, () => shapesModule(result.shapes)],
  ] as const;
  const isWhole = isComplete(result);
  for (const [flag, what, path, text] of files) {
    if (path === undefined) continue;
    const hasFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    const target = isWhole || !hasFile ? path : `${path}.partial`;
    writeTextFile(flag, target, text());
    printError(`wrote the ${what} ${target}${target === path ? "" : `; ${path} is unchanged`}`);
  }
}

/** Whether a run did what its settings allow: it neither ended early nor left out a service. */
function isComplete({ partial, unavailable = [] }: ProbeReport): boolean {
  return (partial === undefined || partial === "requests") && unavailable.length === 0;
}

function readingsFile(path: string): Pick<ProbeReport, "findings"> {
  try {
    const { findings } = objectOf(JSON.parse(readTextFile("--diff", path)));
    if (Array.isArray(findings)) return { findings };
  } catch (error) {
    if (error instanceof StartError) throw error;
  }
  throw new UsageError(`--diff ${path}: not a readings file with findings`);
}
