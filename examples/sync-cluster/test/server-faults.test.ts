import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { deadLetters } from "../database/dead-letters.ts";
import { tallies } from "../database/runs.ts";
import { startRedis } from "../services/redis.ts";
import { assertSameAsServer } from "./comparison.ts";
import {
  makeReadOnly,
  nameOf,
  runSync,
  syncToEnd,
  start,
  startCluster,
  type TestCluster,
  until,
} from "./cluster.ts";
import { type Fault, recordOutcome } from "./fault-table.ts";
import { gate } from "./recording-proxy.ts";

// The faults of Redis and PostgreSQL. A fault begins after 40 responses, and ends when the view has
// shown it; the run then finishes with exit code 0.

const size = { stores: 24, protocolsPerStore: 3 };

interface ServerFault {
  fault: Fault;
  start: (cluster: TestCluster) => Promise<() => Promise<unknown>>;
  reason: RegExp;
}

const cases: ServerFault[] = [
  {
    fault: "redis-memory",
    async start({ redis }) {
      await redis.config("SET", "maxmemory", "1");
      return () => redis.config("SET", "maxmemory", "0");
    },
    reason: /waiting: queue: (OOM command not allowed)/,
  },
  {
    fault: "redis-read-only",
    async start({ redis }) {
      await redis.replicaof("127.0.0.1", 1);
      return () => redis.replicaof("NO", "ONE");
    },
    reason: /waiting: queue: (READONLY You can't write against a read only replica)/,
  },
  {
    fault: "postgres-read-only",
    start: makeReadOnly,
    reason: /waiting: database: (cannot execute UPDATE in a read-only transaction)/,
  },
  {
    fault: "postgres-full",
    start: (cluster) => failWrites(cluster, "photos", { code: "53100", text: "No space left on device" }),
    reason: /waiting: database: (No space left on device)/,
  },
  {
    fault: "postgres-connections",
    async start({ db, settings }) {
      const role = sql.id(`app_${nameOf(settings)}`);
      await sql`alter role ${role} connection limit 0`.execute(db);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${`app_${nameOf(settings)}`}`.execute(
        db,
      );
      return () => sql`alter role ${role} connection limit -1`.execute(db);
    },
    reason: /waiting for PostgreSQL: (too many connections for role)/,
  },
];

for (const { fault, start: begin, reason } of cases)
  test(`${fault}: the workers wait, and the view shows the reason`, async (context) => {
    const redis = await startRedis(); // other tests use the shared one
    context.after(() => redis.stop());
    await using cluster = await startCluster(size, { REDIS_URL: redis.url });
    if (fault === "postgres-connections") await useRole(cluster);
    const open = gate(cluster.proxy, 40);
    const running = runSync(cluster);
    await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
    const end = await begin(cluster);
    const began = performance.now();
    open();
    await pause(1_000); // what the workers do without a pause shows in the number of requests
    await until("the reason", () => reason.test(cluster.shown()));
    // protocols can still be saved while the table of the photos is full
    const photos = cluster.proxy.receivedRequests
      .slice(40)
      .filter(({ url }) => url.pathname.endsWith("/photos"));
    const rounds = 3 + Math.log2(1 + (performance.now() - began) / 500);
    await end();
    const { exit, output } = await running;
    assert.equal(exit, 0, output);
    const jobs = 2 * cluster.settings.concurrency;
    assert.ok(photos.length <= jobs * rounds, `${photos.length} requests whose responses could not be saved`);
    assert.deepEqual(await deadLetters(cluster.db), []);
    assert.equal(await retries(cluster), 0, "no attempt was counted");
    const rows = await assertSameAsServer(cluster);
    recordOutcome(fault, { exit, reason: reason.exec(output)?.[0] ?? "", rows });
  });

async function retries({ db }: TestCluster): Promise<number> {
  return (await tallies(db, 1)).reduce((sum, tally) => sum + tally.retries, 0);
}

/** Makes the workers use a role without the rights of the owner. */
async function useRole({ db, settings }: TestCluster): Promise<void> {
  const name = `app_${nameOf(settings)}`;
  await sql`create role ${sql.id(name)} login password 'sync'`.execute(db);
  for (const objects of ["tables", "sequences"])
    await sql`grant all on all ${sql.raw(objects)} in schema public to ${sql.id(name)}`.execute(db);
  const url = new URL(settings.databaseUrl);
  url.username = name;
  settings.databaseUrl = url.href;
}

/** Makes writes of a table fail with an SQLSTATE: all of them, or every n-th. */
async function failWrites(
  { db }: TestCluster,
  table: string,
  { code, text, share = 1 }: { code: string; text: string; share?: number },
): Promise<() => Promise<unknown>> {
  await sql`create sequence writes`.execute(db);
  await sql`create function fail() returns trigger language plpgsql as ${sql.raw(`$$ begin
    if nextval('writes') % ${share} = 0 then raise exception '${text}' using errcode = '${code}'; end if;
    return new; end $$`)}`.execute(db);
  await sql`create trigger fail before insert on ${sql.id(table)} for each statement execute function fail()`.execute(
    db,
  );
  return () => sql`drop trigger fail on ${sql.id(table)}`.execute(db);
}

test("postgres-deadlock: the page is saved again", async () => {
  await using cluster = await startCluster(size);
  await failWrites(cluster, "photos", { code: "40P01", text: "deadlock detected", share: 5 });
  const { exit, output } = await runSync(cluster);
  assert.equal(exit, 0, output);
  assert.deepEqual(await deadLetters(cluster.db), []);
  recordOutcome("postgres-deadlock", { exit, reason: "", rows: await assertSameAsServer(cluster) });
});

const stops: (ServerFault & { reason: RegExp })[] = [
  {
    fault: "column-renamed",
    async start({ db }) {
      await sql`alter table photos rename column data to content`.execute(db);
      return () => sql`alter table photos rename column content to data`.execute(db);
    },
    reason: /stopped: database: column "data" of relation "photos" does not exist/,
  },
  {
    fault: "no-rights",
    async start(cluster) {
      await useRole(cluster);
      const role = sql.id(`app_${nameOf(cluster.settings)}`);
      await sql`revoke insert on photos from ${role}`.execute(cluster.db);
      return () => sql`grant insert on photos to ${role}`.execute(cluster.db);
    },
    reason: /stopped: database: permission denied for table photos/,
  },
];

for (const { fault, start: begin, reason } of stops)
  test(`${fault}: the run stops with the reason, and no store becomes a dead letter`, async () => {
    await using cluster = await startCluster(size);
    const end = await begin(cluster);
    const { exit, output } = await runSync(cluster);
    assert.deepEqual([exit, reason.test(output)], [4, true], output);
    assert.deepEqual(await deadLetters(cluster.db), []);
    await end();
    await syncToEnd(cluster, { workers: 0 });
    const rows = await assertSameAsServer(cluster);
    recordOutcome(fault, { exit, reason: reason.exec(output)?.[0] ?? "", rows });
  });

test("large-key: a row that PostgreSQL cannot store becomes a dead letter", async () => {
  await using cluster = await startCluster(size);
  const items = [{ photoId: randomBytes(6_000).toString("base64") }];
  cluster.proxy.rule = (url) =>
    url.pathname === "/v1/stores/S-7/photos" ? Response.json({ items, nextCursor: null }) : undefined;
  const { exit, output } = await runSync(cluster);
  assert.equal(exit, 3, output);
  assert.match(output, /dead letter: S-7 photos: index row size \d+ exceeds/);
  cluster.proxy.rule = () => undefined;
  await syncToEnd(cluster, { workers: 0 });
  const rows = await assertSameAsServer(cluster);
  recordOutcome("large-key", { exit, reason: "dead letter: S-7 photos: index row size … exceeds …", rows });
});

test("redis-evicts, redis-password: nothing starts", async (context: TestContext) => {
  const redis = await startRedis();
  context.after(() => redis.stop());
  await using cluster = await startCluster({ stores: 1, protocolsPerStore: 1 }, { REDIS_URL: redis.url });
  await cluster.redis.config("SET", "maxmemory-policy", "allkeys-lru");
  const evicting = start(context, cluster, "sync");
  assert.equal((await evicting.end)[0], 2, evicting.output());
  const evicts = /Redis may evict jobs: its maxmemory-policy is allkeys-lru, not noeviction/;
  assert.match(evicting.output(), evicts);
  recordOutcome("redis-evicts", { exit: 2, reason: evicts.source });
  await cluster.redis.config("SET", "maxmemory-policy", "noeviction");
  await cluster.redis.config("SET", "requirepass", "secret");
  const refused = start(context, cluster, "sync");
  assert.equal((await refused.end)[0], 1, refused.output());
  assert.match(refused.output(), /NOAUTH Authentication required/);
  recordOutcome("redis-password", { exit: 1, reason: "NOAUTH Authentication required" });
});
