import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { latestRun } from "../database/runs.ts";
import { openQueue } from "../queue.ts";
import { freePort } from "../services/program.ts";
import { startRedis } from "../services/redis.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { TcpRelay } from "./tcp-relay.ts";
import { startCluster, start, until, type TestCluster } from "./cluster.ts";

const size = { stores: 60, protocolsPerStore: 3 };

/** Responds to some requests at once, and to the others when it is opened. */
function gate(cluster: TestCluster): () => void {
  const control = new AbortController();
  const opened = once(control.signal, "abort");
  cluster.proxy.rule = async (_, earlier) => {
    if (earlier >= 40) await opened;
    return undefined;
  };
  return () => control.abort();
}

test("Redis, killed in the middle and started again with nothing in it, loses nothing", async (context) => {
  const port = await freePort();
  let redis = await startRedis(port);
  context.after(() => redis.stop());
  await using cluster = await startCluster(size, { REDIS_URL: redis.url });
  const open = gate(cluster);
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  await redis.stop();
  open();
  await until("the message", () => output().includes("waiting for Redis: no answer"));
  redis = await startRedis(port);
  assert.equal((await end)[0], 0, output());
  assert.doesNotMatch(output(), /Error/, "told in one line");
  await assertSameAsServer(cluster);
});

test("PostgreSQL, gone in the middle and back again, loses nothing and gets nothing twice", async (context) => {
  const { TEST_DATABASE_URL = "" } = process.env;
  await using relay = new TcpRelay(Number(new URL(TEST_DATABASE_URL).port));
  const port = await relay.reconnect();
  await using cluster = await startCluster(size);
  const url = new URL(cluster.settings.databaseUrl);
  url.port = `${port}`;
  cluster.env["DATABASE_URL"] = url.href;
  const open = gate(cluster);
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  await relay.disconnect();
  open();
  await until("the message", () => /waiting for PostgreSQL: .*ECONNREFUSED/.test(output()));
  assert.equal((await latestRun(cluster.db))?.state, "running");
  await relay.reconnect();
  assert.equal((await end)[0], 0, output());
  assert.doesNotMatch(output(), /Error/, "no worker died of it");
  await assertSameAsServer(cluster);
});

test("syncs that are started at once share one run", async (context) => {
  await using cluster = await startCluster(size);
  await cluster.db.schema.dropSchema("public").cascade().execute(); // the tables too are made by all of them
  await cluster.db.schema.createSchema("public").execute();
  const open = gate(cluster);
  const syncs = [1, 2, 3].map(() => start(context, cluster, "sync", "--workers", "2"));
  await until("that all have begun", () => syncs.every(({ output }) => output().startsWith("run 1: ")));
  open();
  for (const { output, end } of syncs) assert.equal((await end)[0], 0, output());
  assert.equal((await latestRun(cluster.db))?.id, 1);
  await assertSameAsServer(cluster);
});

test("workers go when the sync that started them was killed", async (context) => {
  await using cluster = await startCluster(size);
  const open = gate(cluster);
  const queue = openQueue(cluster.redis, cluster.settings);
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

test("a worker can be ended while Redis is away", async (context) => {
  const redis = await startRedis(await freePort());
  context.after(() => redis.stop());
  await using cluster = await startCluster(size, { REDIS_URL: redis.url });
  gate(cluster);
  await startRun(cluster.settings);
  const { child, end } = start(context, cluster, "worker");
  await until("its jobs", () => cluster.proxy.receivedRequests.length > 40);
  await redis.stop();
  child.kill("SIGTERM");
  assert.equal((await end)[0], 1);
});
