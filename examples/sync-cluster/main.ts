import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WorkerPool } from "./worker-pool.ts";
import { migrate, openDatabase } from "./database/connection.ts";
import { reviveDeadLetters } from "./database/runs.ts";
import { describeError } from "./failure.ts";
import { reachRedis } from "./queue.ts";
import { readSettings, type Settings } from "./settings.ts";
import { startRun } from "./start.ts";
import { count, View } from "./view.ts";
import { Observer, watch } from "./watch.ts";
import { SyncWorker } from "./worker.ts";

const usage = `node main.ts <command>

  sync [--workers <n>]   starts a run, or resumes the unfinished one, with n local workers (default 4; 0: only others)
  worker                 starts one worker, which ends with the run
  watch                  shows the progress of the run
  board                  starts bull-board for a browser
  dead [--retry]         lists the dead letters of the last run; --retry queues them again for the next sync`;

interface Flags {
  workers: string;
  quiet: boolean;
  retry: boolean;
}

const commands = new Map<string | undefined, (settings: Settings, flags: Flags) => Promise<void>>([
  ["sync", (settings, { workers }) => sync(settings, Number(workers))],
  ["worker", (settings, { quiet }) => work(settings, quiet)],
  ["watch", showProgress],
  ["board", board],
  ["dead", (settings, { retry }) => dead(settings, retry)],
]);

/** The time in ms to return jobs to the queue. After that, other workers take them when their locks expire. */
const patience = 10_000;

const interrupted = new AbortController();
// if the parent process ends, its workers also end
for (const event of ["SIGINT", "SIGTERM", "disconnect"]) process.once(event, interrupt);
process.channel?.unref();

function interrupt(): void {
  interrupted.abort();
  setTimeout(() => process.exit(1), patience).unref();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = 1;
  const refused = /ECONNREFUSED/.test(describeError(error));
  const isPooled = process.argv.includes("--quiet"); // its parent process reports that once for all workers
  if (!(refused && isPooled))
    console.error(`sync-cluster: ${describeError(error)}${refused ? ". npm run up starts the servers" : ""}`);
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workers: { type: "string", default: "4" },
      quiet: { type: "boolean", default: false },
      retry: { type: "boolean", default: false },
    },
  });
  const command = commands.get(positionals[0]);
  if (command === undefined) {
    console.error(usage);
    process.exitCode = 1;
    return;
  }
  const settings = readSettings(process.env);
  await reachRedis(settings.redisUrl);
  await command(settings, values);
}

async function sync(settings: Settings, workers: number): Promise<void> {
  if (!Number.isSafeInteger(workers) || workers < 0)
    throw new Error("--workers must be an integer of at least 0");
  const run = await startRun(settings);
  console.log(`run ${run.id}: ${run.source}, ${run.range.from} to ${run.range.to}`);
  const pool = new WorkerPool(workers, process.env);
  try {
    await showProgress(settings);
  } finally {
    await pool.stop();
  }
}

/** Runs a worker until the end of its run. */
async function work(settings: Settings, quiet: boolean): Promise<void> {
  const db = openDatabase(settings.databaseUrl, 1);
  await migrate(db);
  await db.destroy();
  const worker = new SyncWorker(settings);
  const observer = new Observer(settings);
  try {
    const reason = await endOfRun(observer, quiet ? undefined : new View(process.stderr, false));
    if (reason !== undefined && !quiet) console.error(`sync-cluster: ${reason}`);
    if (reason !== undefined) process.exitCode = 1;
  } finally {
    await worker.close();
    await observer.close();
  }
}

/** Waits for a run to start, then for its end. Returns the reason if it was stopped; otherwise undefined. */
async function endOfRun(observer: Observer, view?: View): Promise<string | undefined> {
  let begun = false;
  while (!interrupted.signal.aborted) {
    const run = await observer
      .run()
      .catch((error: unknown) => view?.problem(`waiting for ${describeError(error)}`));
    if (begun && run?.state === "finished") return undefined;
    if (begun && run?.state === "stopped") return `stopped: ${run.stopReason ?? "?"}`;
    begun ||= run?.state === "running";
    await pause(500, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  return undefined;
}

async function showProgress(settings: Settings): Promise<void> {
  const observer = new Observer(settings);
  const view = new View(process.stdout);
  try {
    const run = await observer.run();
    if (run === undefined) throw new Error("there is no run yet. npm run sync starts one");
    const end = await watch(observer, view, run.id, interrupted.signal);
    if (end === undefined) return view.line("interrupted. Start again to resume");
    if (end.state === "stopped") throw new Error(`stopped: ${end.stopReason ?? "?"}. Start again to resume`);
    await report(observer, view, run.id);
  } finally {
    await observer.close();
  }
}

async function report(observer: Observer, view: View, runId: number): Promise<void> {
  const { tallies, added, seconds } = await observer.snapshot(runId);
  const rows = tallies.reduce((sum, tally) => sum + tally.rows, 0);
  view.line(
    `finished: ${count(rows)} rows in total; ${count(added)} rows in ${count(seconds)} s since this start, ${count(added / seconds)} rows/s`,
  );
  const letters = await observer.deadLetters(runId, 20);
  if (letters.length === 0) return;
  process.exitCode = 3;
  for (const letter of letters) view.line(`dead letter: ${letter}`);
}

async function board(settings: Settings): Promise<void> {
  const { openBoard } = await import("./board.ts"); // the workers do not need it
  const opened = await openBoard(settings);
  console.log(`bull-board: ${opened.url}`);
  await new Promise<void>((resolve) => interrupted.signal.addEventListener("abort", () => resolve()));
  await opened.close();
}

async function dead(settings: Settings, retry: boolean): Promise<void> {
  const observer = new Observer(settings);
  try {
    const run = await observer.run();
    if (run === undefined) return console.log("there is no run yet");
    const letters = await observer.deadLetters(run.id, Infinity);
    console.log(letters.length === 0 ? `run ${run.id} has no dead letters` : letters.join("\n"));
    if (!retry) return;
  } finally {
    await observer.close();
  }
  const db = openDatabase(settings.databaseUrl, 1);
  console.log(
    `${count(await reviveDeadLetters(db))} dead letters queued again; npm run sync continues with them`,
  );
  await db.destroy();
}
