import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { WorkerPool } from "../worker-pool.ts";
import { latestRun } from "../database/runs.ts";
import { assertSameAsServer } from "./comparison.ts";
import { begin, endOf, startCluster } from "./cluster.ts";

const stores = Number(process.env["STORES"] ?? 70);
const enoughKills = 8;

test("no row is lost or saved twice when workers are killed at random", async (context) => {
  await using cluster = await startCluster(
    { stores, protocolsPerStore: 15 },
    {
      SYNC_PAGE_SIZE: "10",
      SYNC_LOCK_MS: "1000",
    },
  );
  cluster.proxy.delay = 8;
  await begin(cluster);
  const pool = new WorkerPool(3, cluster.env);
  let kills = 0;
  // counted in requests, not in time, so that workers are killed during work on a machine of any speed
  let next = 5;
  try {
    for (const late = Date.now() + 600_000; Date.now() < late; ) {
      await pause(50);
      if ((await latestRun(cluster.db))?.state !== "running") break;
      // each kill costs the lifetime of the locks and the start of a process
      if (cluster.proxy.receivedRequests.length < next || kills >= enoughKills) continue;
      const { workers } = pool;
      if (workers[Math.floor(Math.random() * workers.length)]?.kill("SIGKILL")) kills += 1;
      next = cluster.proxy.receivedRequests.length + 20 + Math.random() * 80;
    }
    const run = await endOf(cluster);
    assert.equal(run.state, "finished");
  } finally {
    await pool.stop();
  }
  const rows = await assertSameAsServer(cluster);
  const requests = cluster.proxy.receivedRequests.length;
  context.diagnostic(`${kills} workers killed, ${rows} rows compared, ${requests} requests`);
  assert.ok(kills >= enoughKills, `only ${kills} workers were killed before the end`);
});
