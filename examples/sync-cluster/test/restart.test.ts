import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { latestRun } from "../database/runs.ts";
import { classify } from "../failure.ts";
import { openQueue } from "../queue.ts";
import { startRedis } from "../services/redis.ts";
import { assertSameAsServer } from "./comparison.ts";
import { gate } from "./recording-proxy.ts";
import { TcpRelay } from "./tcp-relay.ts";
import { begin, start, startCluster, until } from "./cluster.ts";

const size = { stores: 24, protocolsPerStore: 3 };

test("no row is lost when Redis is stopped during a run and restarted without data", async (context) => {
  let redis = await startRedis();
  context.after(() => redis.stop());
  await using relay = new TcpRelay(redis.url);
  const url = `redis://127.0.0.1:${await relay.reconnect()}`;
  await using cluster = await startCluster(size, { REDIS_URL: url });
  const open = gate(cluster.proxy, 40);
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  await redis.stop();
  open();
  await until("the message", () => output().includes("waiting for Redis: no response"));
  redis = await startRedis();
  relay.target = redis.url;
  assert.equal((await end)[0], 0, output());
  assert.doesNotMatch(output(), /Error/, "the failure is reported in one line");
  await assertSameAsServer(cluster);
});

const { TEST_DATABASE_URL = "" } = process.env;
const postgresFolder = new URL(TEST_DATABASE_URL).searchParams.get("host") ?? "";

/** Returns the URL of a database through a relay. */
function relayedUrl(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

test("each error of the driver for a lost connection to PostgreSQL means to wait", async () => {
  await using relay = new TcpRelay(`${postgresFolder}/.s.PGSQL.5432`);
  const connectionString = relayedUrl(TEST_DATABASE_URL, await relay.reconnect());
  const [lost, ended] = [new Client({ connectionString }), new Client({ connectionString })];
  for (const client of [lost, ended]) {
    client.on("error", () => {}); // the queries report it
    await client.connect();
  }
  await ended.end();
  const waiting = lost.query("select pg_sleep(60)");
  const outcomes = [waiting.catch((error: unknown) => error)];
  await relay.disconnect();
  await outcomes[0];
  outcomes.push(lost.query("select 1").catch((error: unknown) => error));
  outcomes.push(ended.query("select 1").catch((error: unknown) => error));
  outcomes.push(new Client({ connectionString }).connect().catch((error: unknown) => error));
  for (const error of await Promise.all(outcomes))
    assert.deepEqual(classify(error), { owner: "database", effect: "wait" }, String(error));
});

test("no row is lost or saved twice when the connection to PostgreSQL is lost during a run", async (context) => {
  await using relay = new TcpRelay(`${postgresFolder}/.s.PGSQL.5432`);
  const port = await relay.reconnect();
  await using cluster = await startCluster(size);
  cluster.env["DATABASE_URL"] = relayedUrl(cluster.settings.databaseUrl, port);
  const open = gate(cluster.proxy, 40);
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  await relay.disconnect();
  open();
  await until("the message", () => /waiting for PostgreSQL: .*ECONNREFUSED/.test(output()));
  assert.equal((await latestRun(cluster.db))?.state, "running");
  await relay.reconnect();
  assert.equal((await end)[0], 0, output());
  assert.doesNotMatch(output(), /Error/, "no worker ended with an error");
  await assertSameAsServer(cluster);
});

test("syncs that are started at the same time share one run", async (context) => {
  await using cluster = await startCluster(size);
  await cluster.db.schema.dropSchema("public").cascade().execute(); // each sync also creates the tables
  await cluster.db.schema.createSchema("public").execute();
  const open = gate(cluster.proxy, 40);
  const syncs = [1, 2, 3].map(() => start(context, cluster, "sync", "--workers", "2"));
  await until("the start of all syncs", () => syncs.every(({ output }) => output().startsWith("Run 1 ")));
  open();
  for (const { output, end } of syncs) assert.equal((await end)[0], 0, output());
  assert.equal((await latestRun(cluster.db))?.id, 1);
  await assertSameAsServer(cluster);
});

test("workers end when the sync that started them is killed", async (context) => {
  await using cluster = await startCluster(size);
  const open = gate(cluster.proxy, 40);
  const queue = openQueue(cluster.redis, cluster.settings, cluster.log);
  context.after(() => queue.close());
  const { child } = start(context, cluster, "sync", "--workers", "2");
  await until("two workers", async () => (await queue.getWorkersCount()) === 2);
  child.kill("SIGKILL");
  await until("no worker", async () => (await queue.getWorkersCount()) === 0);
  assert.equal((await latestRun(cluster.db))?.state, "running");
  open();
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  assert.equal((await end)[0], 0, output());
  await assertSameAsServer(cluster);
});

test("a worker can be stopped while Redis is unreachable", async (context) => {
  const redis = await startRedis();
  context.after(() => redis.stop());
  await using cluster = await startCluster(size, { REDIS_URL: redis.url });
  gate(cluster.proxy, 40);
  await begin(cluster);
  const { child, end } = start(context, cluster, "worker");
  await until("its jobs", () => cluster.proxy.receivedRequests.length > 40);
  await redis.stop();
  child.kill("SIGTERM");
  assert.equal((await end)[0], 5);
});
