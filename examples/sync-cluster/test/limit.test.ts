import assert from "node:assert/strict";
import { test } from "node:test";
import type { Redis } from "ioredis";
import { SharedLimit } from "../limit.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./recording-proxy.ts";
import { begin, connectFor, endOf, startCluster, until } from "./cluster.ts";

// No test uses its own clock: waits are measured by the clock of Redis, independent of the speed of the machine, and a
// pause is ended by deleting its key in Redis.

const size = { stores: 30, protocolsPerStore: 3 };
const { signal } = new AbortController();

/** The clock of Redis, in ms. */
async function redisTime(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Number(micros) / 1000;
}

test("a Retry-After in one response pauses all workers, which can still be stopped at once", async () => {
  await using cluster = await startCluster(size);
  const { proxy, redis, settings } = cluster;
  proxy.rule = (_, earlier) =>
    earlier === 60 ? refusal(429, "slow_down", { "retry-after": "3600" }) : undefined;
  await begin(cluster);
  const workers = cluster.workers(3);
  const limit = new SharedLimit(redis, settings.prefix, 0);
  await until("the pause", async () => (await limit.paused()) > 0);
  const before = proxy.receivedRequests.length;
  await Promise.all(workers.map((worker) => worker.close()));
  const after = proxy.receivedRequests.length - before;
  assert.ok(after <= 3 * settings.concurrency, `${after} requests, more than were already allowed`);

  await redis.del(`${settings.prefix}:limit:pause`);
  cluster.workers(3);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("all workers together keep to the limit of requests per second", async () => {
  await using cluster = await startCluster(size, { SYNC_RATE: "80" });
  const began = await redisTime(cluster.redis);
  await begin(cluster);
  cluster.workers(3);
  assert.equal((await endOf(cluster)).state, "finished");
  const duration = (await redisTime(cluster.redis)) - began;
  const requests = cluster.proxy.receivedRequests.length;
  assert.ok(
    requests > 150 && duration >= (requests - 1) * (1000 / 80) - 5,
    `${requests} requests in ${duration} ms`,
  );
});

test("a pause also applies to requests that already wait for their slot", async (context) => {
  const redis = connectFor(context);
  const limit = new SharedLimit(redis, `slot-${process.pid}`, 10);
  await limit.acquire("", signal);
  const waiting = Promise.all([1, 2].map(() => limit.acquire("", signal)));
  const began = await redisTime(redis);
  assert.equal(await limit.hold(600), 600);
  await waiting;
  assert.ok((await redisTime(redis)) - began >= 600);
});

test("429 without Retry-After pauses all workers for 1 s, doubled each time up to 30 s", async (context) => {
  const redis = connectFor(context);
  const limit = new SharedLimit(redis, `backoff-${process.pid}`, 0);
  const waits: number[] = [];
  for (let times = 0; times < 7; times += 1) {
    waits.push(await limit.hold());
    await redis.del(`backoff-${process.pid}:limit:pause`);
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  await limit.recordResponse();
  assert.equal(await limit.hold(), 1_000, "a successful response resets the pause to 1 s");
});

test("a refusal of an earlier request extends the pause only if its Retry-After ends later", async (context) => {
  const limit = new SharedLimit(connectFor(context), `once-${process.pid}`, 0);
  assert.equal(await limit.hold(600_000), 600_000);
  assert.deepEqual([await limit.hold(), await limit.hold(0), await limit.hold(60_000)], [0, 0, 0]);
  assert.equal(await limit.hold(800_000), 800_000);
});

test("the rest of a pause is never longer than the pause, independent of the clock of this machine", async (context) => {
  for (let times = 0; times < 50; times += 1) {
    const limit = new SharedLimit(connectFor(context), `clock-${process.pid}-${times}`, 0);
    await limit.hold(600_000);
    assert.ok((await limit.paused()) <= 600_000);
  }
});

for (const [name, retryAfter] of [
  ["a month", 2_678_400_000],
  ["more than Redis can count", 1e23],
  ["infinite length", Infinity],
] as const)
  test(`a Retry-After of ${name} pauses all workers for 15 minutes`, async (context) => {
    const redis = connectFor(context);
    const limit = new SharedLimit(redis, `day-${process.pid}-${name}`, 0);
    await limit.onThrottled(retryAfter);
    assert.ok((await limit.paused()) > 800_000);
    assert.ok((await limit.paused()) <= 900_000);
    const controller = new AbortController();
    const waiting = limit.acquire("", controller.signal);
    controller.abort();
    await assert.rejects(waiting, { name: "AbortError" });
  });

// a response between two commands was once measured as a silence of one day, which stopped the run
test("the time since the last response is not measured as a day if a response arrives during the measurement", async (context) => {
  const [redis, other] = [connectFor(context), connectFor(context)];
  const prefix = `silence-${process.pid}`;
  const limit = new SharedLimit(redis, prefix, 0);
  let longest = 0;
  const asking = async (): Promise<void> => {
    for (let time = 0; time < 500; time += 1) longest = Math.max(longest, await limit.silence());
  };
  const ending = async (): Promise<void> => {
    for (let time = 0; time < 1_000; time += 1) await other.del(`${prefix}:limit:silence`);
  };
  await Promise.all([asking(), ending()]);
  assert.ok(longest < 3_600_000, `${longest} ms`);
});
