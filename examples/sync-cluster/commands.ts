import { setTimeout as sleep } from "node:timers/promises";
import { migrate, openDatabase } from "./database/connection.ts";
import { describeRun } from "./database/runs.ts";
import { serveStatus } from "./http.ts";
import type { Range } from "./kinds.ts";
import type { Log } from "./log.ts";
import { abandon, dead, skip } from "./operate.ts";
import { connect, scheduleRuns } from "./queue.ts";
import { parseInstant, type Settings, SettingsError } from "./settings.ts";
import { startRun } from "./start.ts";
import { count, type Output, View } from "./view.ts";
import { type EndedRun, Observer, UnreachableError, watch } from "./watch.ts";
import { WorkerPool } from "./worker-pool.ts";
import { SyncWorker } from "./worker.ts";

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  deadLetters: 3,
  stopped: 4,
  interrupted: 5,
  unreachable: 6,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code of a command that has failed. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  return error instanceof SettingsError ? exitCodes.usage : exitCodes.failed;
}

/** The parts of its process that a command uses. */
export interface CommandContext {
  settings: Settings;
  log: Log;
  /** The environment of the workers. */
  env: NodeJS.ProcessEnv;
  output: Output;
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Is aborted when the command is interrupted. */
  signal: AbortSignal;
}

export const flags = {
  workers: { type: "string", default: "4" },
  every: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  forever: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  retry: { type: "boolean", default: false },
  undo: { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

interface Flags {
  workers: string;
  every?: string;
  from?: string;
  to?: string;
  forever: boolean;
  quiet: boolean;
  retry: boolean;
  undo: boolean;
}

type Command = (context: CommandContext, flags: Flags, name?: string) => Promise<ExitCode>;

export const commands: Record<string, Command> = {
  sync: (context, { workers, every }) =>
    every === undefined ? sync(context, workers) : plan(context, every),
  backfill: (context, { workers, from = "", to = "" }) =>
    sync(context, workers, { from: parseInstant("--from", from), to: parseInstant("--to", to) }),
  worker: work,
  watch: (context) => showProgress(context),
  board,
  dead: async (context, { retry }, store) => {
    context.print(await dead(context, retry, store));
    return exitCodes.done;
  },
  skip: async (context, { undo }, store) => {
    if (store === undefined) throw new SettingsError("skip needs the external ID of a store");
    context.print(await skip(context, undo, store));
    return exitCodes.done;
  },
  abandon: async (context) => {
    context.print(await abandon(context));
    return exitCodes.done;
  },
};

/** Begins or resumes a run, and shows it. */
export async function sync(context: CommandContext, workers: string, range?: Range): Promise<ExitCode> {
  const { settings, log, env, print } = context;
  const size = parseCount("--workers", workers);
  const run = await startRun(settings, log, range);
  print(describeRun(run));
  const pool = new WorkerPool(size, env);
  try {
    return await showProgress(context, run.id);
  } finally {
    await pool.stop();
  }
}

async function plan({ settings, log, print }: CommandContext, every: string): Promise<ExitCode> {
  const seconds = parseCount("--every", every);
  const redis = connect(settings.redisUrl, log);
  try {
    await scheduleRuns(redis, settings, seconds);
    print(
      seconds === 0 ? "no run is scheduled" : `a run begins every ${every} s; start workers with --forever`,
    );
    return exitCodes.done;
  } finally {
    redis.disconnect();
  }
}

function parseCount(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new SettingsError(`${name} must be an integer of at least 0`);
  return Number(text);
}

/** Runs a worker until the end of its run, or until it is interrupted. */
async function work(context: CommandContext, { quiet, forever }: Flags): Promise<ExitCode> {
  const { settings, log, printError, signal } = context;
  const db = openDatabase(settings.databaseUrl, 1, log);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  const worker = new SyncWorker(settings, log);
  const status = settings.httpPort === undefined ? undefined : await serveStatus(worker, settings.httpPort);
  if (status !== undefined) log.info({ port: status.port }, "serving /healthz and /metrics");
  const observer = new Observer(settings, log);
  try {
    const reason = forever ? await untilAborted(signal) : await endOfRun(observer, context);
    if (reason === undefined) return signal.aborted && !forever ? exitCodes.interrupted : exitCodes.done;
    if (!quiet) printError(reason);
    return exitCodes.stopped;
  } finally {
    await status?.close();
    await worker.close();
    await observer.close();
  }
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
}

/** Waits until a run begins, then for its end. Returns the reason if it was stopped; otherwise undefined. */
async function endOfRun(observer: Observer, { log, signal }: CommandContext): Promise<string | undefined> {
  let begun = false;
  while (!signal.aborted) {
    try {
      const run = await observer.run();
      if (begun && run?.state === "stopped") return `stopped: ${run.stopReason ?? "?"}`;
      if (begun && run?.state !== "running") return undefined;
      begun ||= run?.state === "running";
    } catch (error) {
      log.problem("database", error);
    }
    await sleep(500, undefined, { signal }).catch(() => {}); // ends the wait
  }
  return undefined;
}

/** Shows a run until it ends (default: the latest one). */
async function showProgress(
  { settings, log, output, printError, signal }: CommandContext,
  runId?: number,
): Promise<ExitCode> {
  const observer = new Observer(settings, log);
  const view = new View(output);
  try {
    const id = runId ?? (await observer.run())?.id;
    if (id === undefined) throw new Error("There is no run yet. npm run sync begins one");
    const end = await watch(observer, view, id, signal);
    if (end === "unreachable") return exitCodes.unreachable;
    if (end === "interrupted") {
      view.line("interrupted. Start again to resume");
      return exitCodes.interrupted;
    }
    const { state, stopReason } = end.run;
    if (state === "finished") return await report(observer, view, end.snapshot);
    const reason = state === "stopped" ? `stopped: ${stopReason ?? "?"}` : "the run was abandoned";
    printError(`${reason}. Start again to ${state === "stopped" ? "resume" : "begin another one"}`);
    return exitCodes.stopped;
  } finally {
    await observer.close();
  }
}

async function report(
  observer: Observer,
  view: View,
  { tallies, added, seconds }: EndedRun["snapshot"],
): Promise<ExitCode> {
  const rows = tallies.reduce((sum, tally) => sum + tally.rows, 0);
  const deleted = tallies.reduce((sum, tally) => sum + tally.deleted, 0);
  view.line(
    `finished: ${count(rows)} rows in total; ${count(added)} rows in ${count(seconds)} s since this start, ${count(added / seconds)} rows/s`,
  );
  const letters = await observer.deadLetters(20);
  if (deleted > 0) view.line(`jobs of stores that were deleted during the run: ${count(deleted)}`);
  for (const letter of letters) view.line(`dead letter: ${letter}`);
  return letters.length === 0 && deleted === 0 ? exitCodes.done : exitCodes.deadLetters;
}

async function board({ settings, log, print, signal }: CommandContext): Promise<ExitCode> {
  const { openBoard } = await import("./board.ts"); // the workers do not need it
  const opened = await openBoard(settings, log);
  print(`bull-board: ${opened.url}`);
  await untilAborted(signal);
  await opened.close();
  return exitCodes.done;
}
