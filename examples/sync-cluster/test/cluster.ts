import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { FleetClient, StoreClient } from "shelfleet";
import { createReferenceServer, type ReferenceServer } from "shelfleet/mock";
import { serve } from "shelfleet/mock/node";
import { createFolder, createPostgres, createRedis, type Server } from "../servers.ts";

/** The servers of all tests of a file. */
export interface Cluster {
  ref: ReferenceServer;
  redis: Server;
  postgres: Server;
  env: NodeJS.ProcessEnv;
  /** Starts worker processes, which end with the test. */
  work(count: number): ChildProcess[];
  /** Waits until the database has exactly the rows of the service. */
  settle(): Promise<void>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Ends the workers, and deletes all rows, jobs and overrides. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

// so that the servers end with a run that is interrupted
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** The time after which a test that waits has failed: it only ends what hangs. */
const patience = 240_000;

export async function startCluster(): Promise<Cluster> {
  const redis = createRedis(createFolder("redis"));
  const postgres = createPostgres(createFolder("postgres"));
  await Promise.all([redis.start(), postgres.start()]);
  const ref = createReferenceServer({
    now: "system",
    store: { stores: 40, protocolsPerStore: 5 },
    fleet: { vehicles: 60, inspections: 20, damages: 20 },
  });
  const served = await serve(ref);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? createFolder("compiled"),
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    SHELFLEET_STORE_URL: served.storeUrl,
    SHELFLEET_TOKEN: ref.token,
    SHELFLEET_FLEET_URL: served.fleetUrl,
    SHELFLEET_KEY: ref.key,
    SYNC_EVERY_SECONDS: "2",
    SYNC_PER_SECOND: "2000",
    SYNC_LOCK_SECONDS: "1",
  };
  const workers = new Set<ChildProcess>();
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const endWorkers = async (): Promise<void> => {
    for (const worker of workers) worker.kill("SIGKILL");
    while ([...workers].some(({ exitCode, signalCode }) => exitCode === null && signalCode === null))
      await sleep(10);
    workers.clear();
  };
  const query: Cluster["query"] = async (sql) => {
    const pool = new Pool({ connectionString: postgres.url, max: 1 });
    pool.on("error", () => {});
    try {
      return (await pool.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await pool.end();
    }
  };
  return {
    ref,
    redis,
    postgres,
    env,
    query,
    work: (count) =>
      Array.from({ length: count }, () => {
        const worker = fork(main, { env, silent: process.env["VERBOSE"] === undefined });
        workers.add(worker);
        return worker;
      }),
    settle: async () => {
      const expected = await rowsOf(ref);
      for (const late = Date.now() + patience; ; await sleep(250)) {
        // a server that was killed may not be there yet
        const rows = await readRows(query).catch(String);
        if (isDeepStrictEqual(rows, expected)) return;
        if (Date.now() > late) assert.deepEqual(rows, expected);
      }
    },
    reset: async () => {
      await endWorkers();
      ref.reset();
      await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
    close: async () => {
      await endWorkers();
      await served.close();
      await Promise.all([redis.kill(), postgres.kill()]);
    },
  };
}

type Rows = Record<string, unknown>;

async function readRows(query: Cluster["query"]): Promise<Rows> {
  const lists = ["stores", "protocols", "vehicles", "inspections", "damages"];
  const selects = lists.map(
    (list) => `SELECT '${list} ' || id AS key, coalesce(detail, data) AS value FROM ${list}`,
  );
  const failures = "SELECT 'failure of ' || job, to_json(error) FROM failures";
  const rows = await query([...selects, failures].join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ key, value }) => [String(key), value]));
}

/** The rows that a copy of the service has, read in this process and without faults. */
async function rowsOf(ref: ReferenceServer): Promise<Rows> {
  const clean = createReferenceServer({ state: ref.exportState() });
  const store = new StoreClient(clean.storeOptions);
  const fleet = new FleetClient(clean.fleetOptions);
  const rows: Rows = {};
  for await (const one of store.stores.list()) {
    rows[`stores ${one.storeId}`] = one;
    if (one.externalId === null) continue;
    for (const { protocolId } of clean.state.store.protocols.get(one.externalId) ?? [])
      rows[`protocols ${one.externalId}/${protocolId}`] = await store.protocols.get(
        one.externalId,
        protocolId,
      );
  }
  for await (const one of fleet.vehicles.list()) rows[`vehicles ${String(one["id"])}`] = one;
  for (const id of clean.state.fleet.inspections.keys())
    rows[`inspections ${id}`] = await fleet.inspections.get(id);
  for (const id of clean.state.fleet.damages.keys()) rows[`damages ${id}`] = await fleet.damages.get(id);
  return rows;
}
