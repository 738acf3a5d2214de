// npm run up: Redis, PostgreSQL, a reference server and three workers. Ctrl-C ends and removes all.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { createReferenceServer } from "shelfleet/mock";
import { serve } from "shelfleet/mock/node";
import { openDatabase } from "./database.ts";
import { createFolder, createPostgres, createRedis } from "./servers.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

let { REDIS_URL, DATABASE_URL } = process.env;
if (REDIS_URL === undefined || DATABASE_URL === undefined) {
  const redis = createRedis(createFolder("redis"));
  const postgres = createPostgres(createFolder("postgres"));
  await Promise.all([redis.start(), postgres.start()]);
  [REDIS_URL, DATABASE_URL] = [redis.url, postgres.url];
}

const ref = createReferenceServer({ now: "system", store: { stores: 1_000 }, journal: { limit: 0 } });
ref.on("*").fault("reset", { at: "after" }).rate(0.02);
const { storeUrl, fleetUrl } = await serve(ref);

const env = {
  ...process.env,
  REDIS_URL,
  DATABASE_URL,
  SHELFLEET_STORE_URL: storeUrl,
  SHELFLEET_TOKEN: ref.token,
  SHELFLEET_FLEET_URL: fleetUrl,
  SHELFLEET_KEY: ref.key,
  SYNC_PER_SECOND: process.env["SYNC_PER_SECOND"] ?? "500",
  SYNC_EVERY_SECONDS: process.env["SYNC_EVERY_SECONDS"] ?? "30",
};
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const workers = Array.from({ length: 3 }, () =>
  fork(main, { env, stdio: ["ignore", "ignore", "inherit", "ipc"] }),
);
console.log(`three workers: ${workers.map(({ pid }) => pid).join(", ")}. Kill one with kill -9`);
console.log(`the rows: psql "${DATABASE_URL}"`);

const db = await openDatabase(DATABASE_URL);
const tables = ["stores", "protocols", "vehicles", "inspections", "damages", "failures"];
while (!stop.signal.aborted) {
  const counts = tables.map(async (table) => {
    // the workers create it
    const { rows } = await db
      .query<{ count: string }>(`SELECT count(*) FROM ${table}`)
      .catch(() => ({ rows: [] }));
    return `${table} ${rows[0]?.count ?? 0}`;
  });
  console.log((await Promise.all(counts)).join(", "));
  await sleep(1000, undefined, { signal: stop.signal }).catch(() => {});
}
await db.end();
for (const worker of workers) worker.kill();
process.exit();
