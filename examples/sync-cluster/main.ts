import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { migrate, openDatabase } from "./database/connection.ts";
import { deadLetters, retryDeadLetters } from "./database/dead-letters.ts";
import { abandonRun, describeRun } from "./database/runs.ts";
import { setSkipped } from "./database/stores.ts";
import { describeError } from "./failure.ts";
import { serveStatus } from "./http.ts";
import type { Range } from "./kinds.ts";
import { Log } from "./log.ts";
import { connect, reachRedis, scheduleRuns } from "./queue.ts";
import { demoEnv, parseInstant, readSettings, type Settings, SettingsError } from "./settings.ts";
import { startRun } from "./start.ts";
import { count, View } from "./view.ts";
import { Observer, watch } from "./watch.ts";
import { WorkerPool } from "./worker-pool.ts";
import { SyncWorker } from "./worker.ts";

const usage = `node main.ts <command> [--demo]

  sync [--workers <n>] [--every <s>]  begins a run, or resumes the unfinished one, with n workers of this machine
                                      (default 4); --every begins a run every s seconds (0: no more) and shows none
  backfill --from <t> --to <t>        copies a time range of all stores again, with n workers of this machine
  worker [--forever]                  one worker; it ends with the run, or never
  watch                               shows the progress of the run
  board                               starts bull-board for a browser
  dead [<store>] [--retry]            lists the dead letters of all runs; --retry schedules them again
  skip <store> [--undo]               excludes a store from all runs, or includes it again
  abandon                             ends the unfinished run as it is

--demo uses the servers of npm run up. Exit codes: 0 finished, 1 failed, 2 wrong usage or settings, 3 finished with dead
letters or deleted stores that the list still has, 4 stopped, 5 interrupted, 6 Redis or PostgreSQL not reachable.`;

const exitCodes = { failed: 1, usage: 2, deadLetters: 3, stopped: 4, interrupted: 5, unreachable: 6 };

const flags = {
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

type Flags = ReturnType<typeof readArguments>["values"];

const readArguments = (args: string[]) => parseArgs({ args, allowPositionals: true, options: flags });

const commands: Record<string, (settings: Settings, flags: Flags, name?: string) => Promise<void>> = {
  sync: (settings, { workers, every }) =>
    every === undefined ? sync(settings, workers) : plan(settings, every),
  backfill: (settings, { workers, from = "", to = "" }) =>
    sync(settings, workers, { from: parseInstant("--from", from), to: parseInstant("--to", to) }),
  worker: work,
  watch: (settings) => showProgress(settings),
  board: (settings) => board(settings),
  dead,
  skip,
  abandon: (settings) => abandon(settings),
};

/** The time in ms to return jobs to the queue. After that, other workers take them when their locks expire. */
const patience = 10_000;

const interrupted = new AbortController();
// if the parent process ends, its workers also end
for (const event of ["SIGINT", "SIGTERM", "disconnect"]) process.once(event, interrupt);
process.channel?.unref();

function interrupt(): void {
  interrupted.abort();
  setTimeout(() => process.exit(exitCodes.interrupted), patience).unref();
}

const log = new Log(process.env["SYNC_LOG_LEVEL"] ?? "warn");

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = error instanceof SettingsError ? exitCodes.usage : exitCodes.failed;
  console.error(`sync-cluster: ${describeError(error)}`);
}

async function main(args: string[]): Promise<void> {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (error) {
    throw new SettingsError(describeError(error));
  }
  const { values, positionals } = parsed;
  const [name = "", subject] = positionals;
  if (!Object.hasOwn(commands, name)) {
    console.error(usage);
    process.exitCode = exitCodes.usage;
    return;
  }
  if (values.demo) Object.assign(process.env, demoEnv); // its workers inherit it
  const settings = readSettings(process.env);
  await reachRedis(settings.redisUrl);
  await commands[name]?.(settings, values, subject);
}

async function sync(settings: Settings, workers: string, range?: Range): Promise<void> {
  if (!/^\d+$/.test(workers)) throw new SettingsError("--workers must be an integer of at least 0");
  const run = await startRun(settings, log, range);
  console.log(describeRun(run));
  const pool = new WorkerPool(Number(workers), process.env);
  try {
    await showProgress(settings);
  } finally {
    await pool.stop();
  }
}

async function plan(settings: Settings, every: string): Promise<void> {
  if (!/^\d+$/.test(every)) throw new SettingsError("--every must be an integer of at least 0");
  const redis = connect(settings.redisUrl, log);
  try {
    await scheduleRuns(redis, settings, Number(every));
    console.log(
      every === "0" ? "no run is scheduled" : `a run begins every ${every} s; start workers with --forever`,
    );
  } finally {
    redis.disconnect();
  }
}

/** Runs a worker until the end of its run, or until it is stopped. */
async function work(settings: Settings, { quiet, forever }: Flags): Promise<void> {
  const db = openDatabase(settings.databaseUrl, 1, log);
  await migrate(db);
  await db.destroy();
  const worker = new SyncWorker(settings, log);
  const status = settings.httpPort === 0 ? undefined : await serveStatus(worker, settings.httpPort);
  const observer = new Observer(settings, log);
  try {
    const reason = forever ? await untilInterrupted() : await endOfRun(observer);
    if (reason !== undefined && !quiet) console.error(`sync-cluster: ${reason}`);
    if (reason !== undefined) process.exitCode = exitCodes.stopped;
  } finally {
    await status?.close();
    await worker.close();
    await observer.close();
  }
}

function untilInterrupted(): Promise<undefined> {
  return new Promise((resolve) => interrupted.signal.addEventListener("abort", () => resolve(undefined)));
}

/** Waits until a run begins, then for its end. Returns the reason if it was stopped; otherwise undefined. */
async function endOfRun(observer: Observer): Promise<string | undefined> {
  let begun = false;
  while (!interrupted.signal.aborted) {
    try {
      const run = await observer.run();
      if (begun && run?.state === "stopped") return `stopped: ${run.stopReason ?? "?"}`;
      if (begun && run?.state !== "running") return undefined;
      begun ||= run?.state === "running";
    } catch (error) {
      log.problem("database", error);
    }
    await pause(500, undefined, { signal: interrupted.signal }).catch(() => {}); // ends the wait
  }
  return undefined;
}

async function showProgress(settings: Settings): Promise<void> {
  const observer = new Observer(settings, log);
  const view = new View(process.stdout);
  try {
    const run = await observer.run();
    if (run === undefined) throw new Error("There is no run yet. npm run sync begins one");
    const end = await watch(observer, view, run.id, interrupted.signal);
    if (end === "interrupted") {
      process.exitCode = exitCodes.interrupted;
      view.line("interrupted. Start again to resume");
    } else if (end === "unreachable") {
      process.exitCode = exitCodes.unreachable;
    } else if (end.state === "stopped") {
      process.exitCode = exitCodes.stopped;
      console.error(`sync-cluster: stopped: ${end.stopReason ?? "?"}. Start again to resume`);
    } else await report(observer, view, run.id);
  } finally {
    await observer.close();
  }
}

async function report(observer: Observer, view: View, runId: number): Promise<void> {
  const { tallies, added, seconds } = await observer.snapshot(runId);
  const rows = tallies.reduce((sum, tally) => sum + tally.rows, 0);
  const deleted = tallies.reduce((sum, tally) => sum + tally.deleted, 0);
  view.line(
    `finished: ${count(rows)} rows in total; ${count(added)} rows in ${count(seconds)} s since this start, ${count(added / seconds)} rows/s`,
  );
  const letters = await observer.deadLetters(20);
  if (letters.length === 0 && deleted === 0) return;
  process.exitCode = exitCodes.deadLetters;
  if (deleted > 0) view.line(`jobs of stores that were deleted during the run: ${count(deleted)}`);
  for (const letter of letters) view.line(`dead letter: ${letter}`);
}

async function board(settings: Settings): Promise<void> {
  const { openBoard } = await import("./board.ts"); // the workers do not need it
  const opened = await openBoard(settings, log);
  console.log(`bull-board: ${opened.url}`);
  await untilInterrupted();
  await opened.close();
}

/** Opens the database for one command. */
async function withDatabase(
  { databaseUrl }: Settings,
  run: (db: ReturnType<typeof openDatabase>) => Promise<string>,
): Promise<void> {
  const db = openDatabase(databaseUrl, 1, log);
  try {
    await migrate(db);
    console.log(await run(db));
  } finally {
    await db.destroy();
  }
}

function dead(settings: Settings, { retry }: Flags, store?: string): Promise<void> {
  return withDatabase(settings, async (db) => {
    const all = await deadLetters(db);
    const letters = all.filter(({ externalId }) => store === undefined || externalId === store);
    const lines = letters.map(
      ({ externalId, kind, runId, reason }) => `${externalId} ${kind} (run ${runId}): ${reason}`,
    );
    if (!retry || letters.length === 0)
      return lines.length === 0 ? "there are no dead letters" : lines.join("\n");
    const again = await retryDeadLetters(db, store);
    return `${count(again)} dead letters scheduled again; npm run sync continues with them`;
  });
}

function skip(settings: Settings, { undo }: Flags, store?: string): Promise<void> {
  if (store === undefined) throw new SettingsError("skip needs the external ID of a store");
  return withDatabase(settings, async (db) => {
    if (!(await setSkipped(db, store, !undo)))
      throw new SettingsError(`No store has the external ID ${store}`);
    return undo
      ? `${store} is included again`
      : `${store} is excluded from all runs; skip ${store} --undo includes it`;
  });
}

function abandon(settings: Settings): Promise<void> {
  return withDatabase(settings, async (db) => {
    const run = await abandonRun(db);
    return run === undefined
      ? "there is no unfinished run"
      : `${describeRun(run)} has ended; its rows are kept`;
  });
}
