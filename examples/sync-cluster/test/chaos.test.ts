import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { latestRun, unfinishedRun } from "../database/runs.ts";
import { deadLetters, retryDeadLetters } from "../database/dead-letters.ts";
import { WorkerPool } from "../worker-pool.ts";
import { begin, makeReadOnly, startCluster, type TestCluster, until } from "./cluster.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal, type Rule } from "./recording-proxy.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const stores = Number(process.env["STORES"] ?? 200);

/** Returns a function that draws integers below a bound, by the algorithm mulberry32. */
function dice(start: number): (bound: number) => number {
  let state = start;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % bound;
  };
}

/** A fault for a while; the result ends it. */
type Fault = (
  cluster: TestCluster,
  pool: WorkerPool,
  draw: (bound: number) => number,
) => Promise<() => Promise<void>>;

/** Responds to every n-th request with a fault of the service. */
const lying =
  (respond: (url: URL) => Response | undefined, share: number): Fault =>
  async (cluster, _, draw) => {
    const rule: Rule = (url) => (draw(share) === 0 ? respond(url) : undefined);
    cluster.proxy.rule = rule;
    return async () => {
      if (cluster.proxy.rule === rule) cluster.proxy.rule = () => undefined;
    };
  };

const faults: Record<string, Fault> = {
  "kill a worker": async (_, pool, draw) => {
    pool.workers[draw(pool.workers.length || 1)]?.kill("SIGKILL");
    return async () => {};
  },
  "kill all workers": async (_, pool) => {
    for (const worker of pool.workers) worker.kill("SIGKILL");
    return async () => {};
  },
  "lose the data of Redis": async ({ redis, settings }) => {
    for (const key of await redis.keys(`${settings.prefix}:*`)) await redis.del(key);
    return async () => {};
  },
  "Redis without memory": async ({ redis }) => {
    await redis.config("SET", "maxmemory", "1");
    return async () => void (await redis.config("SET", "maxmemory", "0"));
  },
  "a database that is read-only": makeReadOnly,
  "a service that fails": lying(() => refusal(503, "unavailable"), 3),
  "a service that throttles": lying(() => refusal(429, "slow_down", { "retry-after": "0" }), 4),
  "a gateway with its own 404": lying(
    (url) => (url.pathname === "/v1/stores" ? undefined : new Response("<h1>404</h1>", { status: 404 })),
    4,
  ),
  "a service that lies": lying(
    (url) => (url.pathname === "/v1/stores" ? undefined : Response.json({ status: "maintenance" })),
    4,
  ),
  "two runs at once": async (cluster) => {
    await begin(cluster).catch(() => {}); // read-only or without memory
    return async () => {};
  },
};

test(`every row is right after a random schedule of faults (SEED=${seed})`, {
  timeout: 840_000,
}, async (context) => {
  const draw = dice(seed);
  await using cluster = await startCluster(
    { stores, protocolsPerStore: 10 },
    { SYNC_PAGE_SIZE: "20", SYNC_LOCK_MS: "1000", SYNC_ATTEMPTS: "3", SYNC_BACKOFF_MS: "50" },
  );
  cluster.proxy.delay = 5;
  await begin(cluster);
  // the clock of one worker of the machine is an hour ahead
  const skewed = "data:text/javascript,const now=Date.now;Date.now=()=>now()+36e5";
  const pool = new WorkerPool(2, cluster.env);
  const ahead = new WorkerPool(1, { ...cluster.env, NODE_OPTIONS: `--import=${encodeURI(skewed)}` });
  const names = Object.keys(faults);
  const played: string[] = [];
  try {
    for (let round = 0; round < 14; round += 1) {
      const name = names[draw(names.length)] ?? "";
      played.push(name);
      const before = cluster.proxy.receivedRequests.length;
      const end = await faults[name]?.(cluster, pool, draw);
      // counted in requests, so that the fault meets work on a machine of any speed
      const wanted = before + 10 + draw(60);
      for (let tries = 0; tries < 40 && cluster.proxy.receivedRequests.length < wanted; tries += 1)
        await pause(50);
      await end?.();
    }
    cluster.proxy.rule = () => undefined;
    // as an operator would: a stopped run is resumed, dead letters are scheduled again
    await until("a run without dead letters", async () => {
      const run = await latestRun(cluster.db);
      if (run?.state === "running") return false;
      const letters = await deadLetters(cluster.db);
      if (run?.state === "finished" && letters.length === 0) return true;
      await retryDeadLetters(cluster.db);
      await begin(cluster);
      return false;
    });
  } finally {
    await Promise.all([pool.stop(), ahead.stop()]);
    context.diagnostic(played.join(", "));
  }
  const rows = await assertSameAsServer(cluster);
  context.diagnostic(`${rows} rows compared, ${cluster.proxy.receivedRequests.length} requests`);
  assert.equal(await unfinishedRun(cluster.db), undefined);
});
