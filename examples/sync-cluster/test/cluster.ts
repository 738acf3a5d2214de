import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Redis } from "ioredis";
import { createReferenceServer, type ReferenceServer } from "../../../src/mock/index.ts";
import { type Database, migrate, openDatabase } from "../database/connection.ts";
import { latestRun, type Run } from "../database/runs.ts";
import { connect } from "../queue.ts";
import { createDatabase } from "../services/postgres.ts";
import { readSettings, type Settings } from "../settings.ts";
import { SyncWorker } from "../worker.ts";
import { RecordingProxy } from "./recording-proxy.ts";

/** A service, a database and keys in Redis that a test has for itself. */
export interface TestCluster extends AsyncDisposable {
  ref: ReferenceServer;
  proxy: RecordingProxy;
  db: Database;
  redis: Redis;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  /** Workers in this process; closed with the world. */
  workers(count: number): SyncWorker[];
}

/** Before and behind everything that is seeded. */
const range = { SYNC_FROM: "2025-01-01T00:00:00Z", SYNC_TO: "2026-02-01T00:00:00Z" };

export async function startCluster(
  size: { stores: number; protocolsPerStore: number },
  env: NodeJS.ProcessEnv = {},
): Promise<TestCluster> {
  const { TEST_REDIS_URL, TEST_DATABASE_URL } = process.env;
  if (!TEST_REDIS_URL || !TEST_DATABASE_URL) throw new Error("npm test starts what the tests need");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await createDatabase(TEST_DATABASE_URL, name);
  // a test that fails, here already or later, leaves nothing open: its process would not end
  await using open = new AsyncDisposableStack();
  const ref = createReferenceServer({ store: size, journal: { limit: 0 } });
  const proxy = open.adopt(new RecordingProxy(ref), (one) => one.close());
  const all = {
    ...range,
    SHELFLEET_BASE_URL: await proxy.listen(),
    SHELFLEET_TOKEN: ref.token ?? "",
    REDIS_URL: TEST_REDIS_URL,
    DATABASE_URL: TEST_DATABASE_URL.replace(/[^/]*$/, name),
    SYNC_PREFIX: name,
    SYNC_CONCURRENCY: "4",
    SYNC_BACKOFF_MS: "100",
    ...env,
  };
  const db = open.adopt(openDatabase(all.DATABASE_URL, 2), (one) => one.destroy());
  await migrate(db);
  const settings = readSettings(all);
  const redis = open.adopt(connect(settings.redisUrl), (one) => one.disconnect());
  const workers = open.move();
  return {
    ref,
    proxy,
    db,
    redis,
    settings,
    env: { ...process.env, ...all },
    workers: (count) =>
      Array.from({ length: count }, () =>
        workers.adopt(new SyncWorker(settings), (worker) => worker.close()),
      ),
    [Symbol.asyncDispose]: () => workers.disposeAsync(),
  };
}

/** A connection of a test to Redis, closed with the test. */
export function connectFor(context: TestContext): Redis {
  const redis = connect(process.env["TEST_REDIS_URL"] ?? "");
  context.after(() => redis.disconnect());
  return redis;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** The command line, what it says, and its exit code at the end. */
export function start(
  context: TestContext,
  cluster: TestCluster,
  ...command: string[]
): { child: ChildProcess; output: () => string; end: Promise<unknown[]> } {
  const child = spawn(process.execPath, [main, ...command], { env: cluster.env });
  context.after(() => child.kill("SIGKILL")); // it takes its workers with it
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  return { child, output: () => output, end: once(child, "close") };
}

/** Waits until `look` returns a value. Fails without a hang if it never does. */
export async function until<T>(
  what: string,
  poll: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  for (const late = performance.now() + 120_000; performance.now() < late; await pause(20)) {
    const seen = await poll();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Error(`never seen: ${what}`);
}

/** Waits until the run is over. */
export function endOf({ db }: TestCluster): Promise<Run> {
  return until("the end of the run", async () => {
    const run = await latestRun(db);
    return run?.state !== "running" && run;
  });
}
