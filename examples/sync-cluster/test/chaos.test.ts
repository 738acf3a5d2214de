import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { deadLetters, retryDeadLetters } from "../database/dead-letters.ts";
import { startRedis } from "../services/redis.ts";
import { WorkerPool } from "../worker-pool.ts";
import { begin, makeReadOnly, runSync, startCluster, type TestCluster } from "./cluster.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal, type Rule } from "./recording-proxy.ts";

/** Another seed plays other faults: SEED=7 npm test -- chaos. */
const seed = Number(process.env["SEED"] ?? 34);
const stores = Number(process.env["STORES"] ?? 120);

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
    const keys = await redis.keys(`${settings.prefix}:*`);
    if (keys.length > 0) await redis.del(...keys);
    return async () => {};
  },
  "lose a part of the data of Redis": async ({ redis, settings }, _, draw) => {
    for (const key of await redis.keys(`${settings.prefix}:*`)) if (draw(2) === 0) await redis.del(key);
    return async () => {};
  },
  "a read-only Redis": async ({ redis }) => {
    await redis.replicaof("127.0.0.1", 1);
    return async () => void (await redis.replicaof("NO", "ONE"));
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
    await begin(cluster).catch(() => {}); // another fault
    return async () => {};
  },
};

const rounds = 12;

/**
 * Syncs as an operator would: starts again after a failure, resumes a stopped run, retries dead letters. Checks each time
 * that the exit code, the output and the database say the same. Returns the exit codes after the first 0 that follows the
 * end of the faults.
 */
async function operate(cluster: TestCluster, areFaultsOver: () => boolean): Promise<number[]> {
  const exits: number[] = [];
  for (;;) {
    const isLast = areFaultsOver();
    const { exit, output } = await runSync(cluster, { workers: 0 });
    exits.push(exit);
    if (exit === 3) assert.match(output, /^dead letter: /m);
    else if (exit === 4) assert.match(output, /^stopped: .+\. Start again to resume$/m);
    else assert.ok([0, 1].includes(exit), output);
    if (exit === 0) assert.match(output, /^finished: /m);
    if (exit === 0 && isLast) return exits;
    // fails to start while Redis or PostgreSQL rejects writes
    await retryDeadLetters(cluster.db).catch(() => {});
    await pause(50);
  }
}

test(`every row is right after a random schedule of faults (SEED=${seed})`, async (context) => {
  const draw = dice(seed);
  const redis = await startRedis(); // other tests use the shared one
  context.after(() => redis.stop());
  await using cluster = await startCluster(
    { stores, protocolsPerStore: 10 },
    {
      REDIS_URL: redis.url,
      SYNC_PAGE_SIZE: "20",
      SYNC_LOCK_MS: "1000",
      SYNC_ATTEMPTS: "3",
      SYNC_BACKOFF_MS: "50",
    },
  );
  // the clock of one worker of the machine is an hour ahead
  const skewed = "data:text/javascript,const now=Date.now;Date.now=()=>now()+36e5";
  const pool = new WorkerPool(2, cluster.env);
  const ahead = new WorkerPool(1, { ...cluster.env, NODE_OPTIONS: `--import=${encodeURI(skewed)}` });
  const names = Object.keys(faults);
  const played: string[] = [];
  let isOver = false;
  const operator = operate(cluster, () => isOver);
  try {
    while (played.length < rounds) {
      const name = names[draw(names.length)] ?? "";
      played.push(name);
      const before = cluster.proxy.receivedRequests.length;
      const end = await faults[name]?.(cluster, pool, draw);
      // counted in requests, so that the fault meets work on a machine of any speed
      const wanted = before + 10 + draw(60);
      for (let tries = 0; tries < 40 && cluster.proxy.receivedRequests.length < wanted; tries += 1)
        await pause(50);
      await end?.();
      // the pauses of the workers are tested elsewhere
      await cluster.redis.del(
        ...["pause", "refusals"].map((key) => `${cluster.settings.prefix}:limit:${key}`),
      );
    }
    cluster.proxy.rule = () => undefined;
    isOver = true;
    const exits = await operator;
    context.diagnostic(`exit codes ${exits.join(", ")} after ${played.join(", ")}`);
  } finally {
    await Promise.all([pool.stop(), ahead.stop()]);
  }
  const rows = await assertSameAsServer(cluster);
  context.diagnostic(`${rows} rows compared, ${cluster.proxy.receivedRequests.length} requests`);
  assert.deepEqual(await deadLetters(cluster.db), []);
});
