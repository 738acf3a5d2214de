import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createReferenceServer, type ReferenceServer } from "../../../src/mock/index.ts";
import { type Database, migrate, openDatabase } from "../database/connection.ts";
import { latestRun, type Run } from "../database/runs.ts";
import { createDatabase } from "../services/postgres.ts";
import { readSettings, type Settings } from "../settings.ts";
import { SyncWorker } from "../worker.ts";
import { Front } from "./front.ts";

/** A service, a database and keys in Redis that a test has for itself. */
export interface World extends AsyncDisposable {
  ref: ReferenceServer;
  front: Front;
  db: Database;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  /** Workers in this process; closed with the world. */
  workers(count: number): SyncWorker[];
}

/** Before and behind everything that is seeded. */
const range = { SYNC_FROM: "2025-01-01T00:00:00Z", SYNC_TO: "2026-02-01T00:00:00Z" };

export async function makeWorld(
  size: { stores: number; protocolsPerStore: number },
  env: NodeJS.ProcessEnv = {},
): Promise<World> {
  const { TEST_REDIS_URL, TEST_DATABASE_URL } = process.env;
  if (!TEST_REDIS_URL || !TEST_DATABASE_URL) throw new Error("npm test starts what the tests need");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await createDatabase(TEST_DATABASE_URL, name);
  const ref = createReferenceServer({ store: size, journal: { limit: 0 } });
  const front = new Front(ref);
  const all = {
    ...range,
    SHELFLEET_BASE_URL: await front.listen(),
    SHELFLEET_TOKEN: ref.token ?? "",
    REDIS_URL: TEST_REDIS_URL,
    DATABASE_URL: TEST_DATABASE_URL.replace(/[^/]*$/, name),
    SYNC_PREFIX: name,
    SYNC_CONCURRENCY: "4",
    SYNC_BACKOFF_MS: "100",
    SYNC_LOCK_MS: "1000",
    ...env,
  };
  const db = openDatabase(all.DATABASE_URL, 2);
  await migrate(db);
  const settings = readSettings(all);
  const hired: SyncWorker[] = [];
  return {
    ref,
    front,
    db,
    settings,
    env: { ...process.env, ...all },
    workers(count) {
      const more = Array.from({ length: count }, () => new SyncWorker(settings));
      hired.push(...more);
      return more;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hired.map((worker) => worker.close()));
      await front.close();
      await db.destroy();
    },
  };
}

/** Waits until the run is over. */
export async function endOf({ db }: World, seconds = 60): Promise<Run> {
  for (const late = Date.now() + seconds * 1000; Date.now() < late; ) {
    const run = await latestRun(db);
    if (run !== undefined && run.state !== "running") return run;
    await pause(50);
  }
  throw new Error(`the run is not over after ${seconds} s`);
}
