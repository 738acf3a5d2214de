import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { FleetLimit } from "../limit.ts";
import { connect } from "../queue.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./front.ts";
import { endOf, makeWorld } from "./world.ts";

const size = { stores: 30, protocolsPerStore: 3 };
const { signal } = new AbortController();

test("Retry-After from one answer slows all workers", async () => {
  await using world = await makeWorld(size);
  world.front.rule = (_, earlier) =>
    earlier.length === 60 ? refusal(429, "slow_down", { "retry-after": "2" }) : undefined;
  await startRun(world.settings);
  world.workers(3);
  assert.equal((await endOf(world)).state, "finished");
  const { arrivals } = world.front;
  const refused = arrivals.findIndex(({ status }) => status === 429);
  const since = arrivals.slice(refused + 1).map(({ at }) => at - (arrivals[refused]?.at ?? 0));
  // each job that was at work may have had its turn already
  assert.ok(since.filter((ms) => ms < 1_900).length < 3 * world.settings.concurrency);
  assert.ok(since.some((ms) => ms >= 1_900));
  await assertSameAsServer(world);
});

test("all workers together keep one rate", async () => {
  await using world = await makeWorld(size, { SYNC_RATE: "80" });
  await startRun(world.settings);
  world.workers(3);
  assert.equal((await endOf(world)).state, "finished");
  const times = world.front.arrivals.map(({ at }) => at);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  assert.ok(times.length / seconds < 88, `${times.length} requests in ${seconds} s`);
});

test("a pause that begins while others wait for their slot holds them too", async () => {
  const redis = connect(process.env["TEST_REDIS_URL"] ?? "");
  const limit = new FleetLimit(redis, `limit-${process.pid}`, 10);
  const began = performance.now();
  await limit.turn("", signal);
  const waiting = Promise.all([1, 2].map(() => limit.turn("", signal)));
  await limit.refused(600);
  await waiting;
  assert.ok(performance.now() - began >= 600);
  redis.disconnect();
});

test("a refusal that names no time makes all wait a second, and twice as long the next time", async () => {
  const redis = connect(process.env["TEST_REDIS_URL"] ?? "");
  const limit = new FleetLimit(redis, `backoff-${process.pid}`, 0);
  await Promise.all([limit.refused(), limit.refused(), limit.refused()]);
  const first = await limit.paused();
  assert.ok(first > 400 && first <= 1_000, `${first}`);
  await pause(first + 20);
  await limit.refused();
  assert.ok((await limit.paused()) > 1_000);
  redis.disconnect();
});

test("a service that nobody reaches is down; one store alone is a store that fails", async () => {
  const redis = connect(process.env["TEST_REDIS_URL"] ?? "");
  const limit = new FleetLimit(redis, `outage-${process.pid}`, 0, 50);
  assert.equal(await limit.isOutage("S-1"), false);
  await pause(80);
  assert.equal(await limit.isOutage("S-1"), false);
  assert.equal(await limit.isOutage("S-2"), false);
  assert.equal(await limit.isOutage("S-3"), true);
  await limit.succeeded();
  await pause(80);
  assert.equal(await limit.isOutage("S-1"), false);
  redis.disconnect();
});
