import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Redis } from "ioredis";
import { sql } from "kysely";
import { scopes } from "../../../src/index.ts";
import { createReferenceServer, type ReferenceServer } from "../../../src/mock/index.ts";
import { exitCodeOf, sync } from "../commands.ts";
import { describeError } from "../failure.ts";
import { startRun } from "../start.ts";
import { type Log, silent } from "../log.ts";
import { type Database, migrate, openDatabase } from "../database/connection.ts";
import { latestRun, type Run } from "../database/runs.ts";
import type { Range } from "../kinds.ts";
import { connect } from "../queue.ts";
import { createDatabase } from "../services/postgres.ts";
import { demo, readSettings, type Settings } from "../settings.ts";
import { SyncWorker } from "../worker.ts";
import { RecordingProxy } from "./recording-proxy.ts";

/** The service, the database and the Redis keys of one test. */
export interface TestCluster extends AsyncDisposable {
  ref: ReferenceServer;
  proxy: RecordingProxy;
  db: Database;
  redis: Redis;
  settings: Settings;
  log: Log;
  env: NodeJS.ProcessEnv;
  /** Starts workers in this process. They are closed with the cluster. */
  workers(count: number): SyncWorker[];
  /** The output of the last `runSync` so far. */
  shown(): string;
}

/** A time range that contains all seed data. */
const seedRange = { SYNC_SINCE: "2025-01-01T00:00:00Z", SYNC_DAYS: "1000", SYNC_PERIOD_HOURS: "0" };

export async function startCluster(
  size: { stores: number; protocolsPerStore: number },
  env: NodeJS.ProcessEnv = {},
): Promise<TestCluster> {
  const { TEST_REDIS_URL, TEST_DATABASE_URL } = process.env;
  if (!TEST_REDIS_URL || !TEST_DATABASE_URL)
    throw new Error(
      "TEST_REDIS_URL or TEST_DATABASE_URL is missing. Run the tests with npm test, which starts both servers",
    );
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await createDatabase(TEST_DATABASE_URL, name);
  // if a test fails, here or later, everything is closed; otherwise its process would not end
  await using open = new AsyncDisposableStack();
  const ref = createReferenceServer({
    store: size,
    fleet: { keys: [{ key: demo.key, scopes: [...scopes] }] },
    journal: { limit: 0 },
  });
  const proxy = open.adopt(new RecordingProxy(ref), (one) => one.close());
  const all = {
    ...seedRange,
    SHELFLEET_BASE_URL: await proxy.listen(),
    SHELFLEET_TOKEN: ref.token ?? "",
    REDIS_URL: TEST_REDIS_URL,
    DATABASE_URL: urlOf(TEST_DATABASE_URL, name),
    SYNC_PREFIX: name,
    SYNC_CONCURRENCY: "4",
    SYNC_LOG_LEVEL: "silent",
    SYNC_BACKOFF_MS: "100",
    ...env,
  };
  const log = silent();
  const db = open.adopt(openDatabase(all.DATABASE_URL, 2, log), (one) => one.destroy());
  await migrate(db);
  const settings = readSettings(all);
  const redis = open.adopt(connect(settings.redisUrl, log), (one) => one.disconnect());
  const workers = open.move();
  return {
    ref,
    proxy,
    db,
    redis,
    settings,
    log,
    env: { ...process.env, ...all },
    shown: () => "",
    workers: (count) =>
      Array.from({ length: count }, () =>
        workers.adopt(new SyncWorker(settings, log), (worker) => worker.close()),
      ),
    [Symbol.asyncDispose]: () => workers.disposeAsync(),
  };
}

/** Returns the URL of another database of the same server. */
function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A connection of a test to Redis, closed with the test. */
export function connectFor(context: TestContext): Redis {
  const redis = connect(process.env["TEST_REDIS_URL"] ?? "", silent());
  context.after(() => redis.disconnect());
  return redis;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Starts the command line. Returns its process, its output and its exit code at the end. */
export function start(
  context: TestContext,
  cluster: TestCluster,
  ...command: string[]
): { child: ChildProcess; output: () => string; end: Promise<unknown[]> } {
  const child = spawn(process.execPath, [main, ...command], { env: cluster.env });
  context.after(() => child.kill("SIGKILL")); // its workers end with it
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  return { child, output: () => output, end: once(child, "close") };
}

/** Waits until `poll` returns a value other than false and undefined. Throws after 10 minutes, which only ends what hangs. */
export async function until<T>(
  what: string,
  poll: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  for (const late = performance.now() + 600_000; performance.now() < late; await pause(50)) {
    const seen = await poll();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Error(`not observed within 10 minutes: ${what}`);
}

/** Begins a run, or resumes the unfinished one. */
export function begin({ settings, log }: TestCluster, range?: Range): Promise<Run> {
  return startRun(settings, log, range);
}

/** Waits until the run is over. */
export function endOf({ db }: TestCluster): Promise<Run> {
  return until("the end of the run", async () => {
    const run = await latestRun(db);
    return run?.state !== "running" && run;
  });
}

/** Runs the command `sync`, or `backfill`, with more workers of this process. Returns its exit code and its output. */
export async function runSync(
  cluster: TestCluster,
  { workers = 2, range }: RunOptions = {},
): Promise<{ exit: number; output: string }> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  cluster.shown = () => lines.join("\n");
  cluster.workers(workers);
  const { settings, log, env } = cluster;
  const { signal } = new AbortController();
  const output = { write: (text: string) => print(text.trimEnd()) };
  const context = { settings, log, env, output, print, printError: print, signal };
  const exit = await sync(context, "0", range).catch((error: unknown) => {
    print(describeError(error));
    return exitCodeOf(error);
  });
  return { exit, output: cluster.shown() };
}

/** Runs a sync that must end without a problem; a failure shows its output. */
export async function syncToEnd(cluster: TestCluster, options?: RunOptions): Promise<void> {
  const { exit, output } = await runSync(cluster, options);
  assert.equal(exit, 0, output);
}

interface RunOptions {
  /** The number of workers to start. Those of an earlier call still run. */
  workers?: number;
  range?: Range;
}

/** Returns the name of the database of a test. */
export function nameOf({ databaseUrl }: Settings): string {
  return new URL(databaseUrl).pathname.slice(1);
}

/** Makes the database of a test read-only, also for connections that are open. Returns the function that ends it. */
export async function makeReadOnly({ db, settings }: TestCluster): Promise<() => Promise<void>> {
  const name = sql.id(nameOf(settings));
  const endOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()`;
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
  await endOthers.execute(db).catch(() => {}); // it may also end this connection
  return async () => {
    await until("the end of read-only", async () => {
      try {
        await sql`set default_transaction_read_only = off`.execute(db);
        await sql`alter database ${name} reset default_transaction_read_only`.execute(db);
        await endOthers.execute(db);
        return true;
      } catch {
        return false;
      }
    });
  };
}
