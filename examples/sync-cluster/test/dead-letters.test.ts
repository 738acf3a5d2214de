import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters, latestRun, reviveDeadLetters } from "../database/runs.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal, type Rule } from "./recording-proxy.ts";
import { endOf, startCluster, until } from "./cluster.ts";

const size = { stores: 30, protocolsPerStore: 3 };
const broken: Rule = (url) => (/S-[789]\//.test(url.pathname) ? refusal(500, "broken") : undefined);

test("stores that always fail become dead letters, which can be retried", async () => {
  await using cluster = await startCluster(size, { SYNC_ATTEMPTS: "3", SYNC_BACKOFF_MS: "10" });
  cluster.proxy.rule = broken;
  await startRun(cluster.settings);
  cluster.workers(2);
  const run = await endOf(cluster);
  assert.equal(run.state, "finished");
  const letters = await deadLetters(cluster.db, run.id);
  assert.deepEqual(
    letters.map(({ externalId, kind }) => `${externalId} ${kind}`),
    ["S-7", "S-8", "S-9"].flatMap((id) => [`${id} fill-rates`, `${id} photos`, `${id} protocols`]),
  );
  for (const { error } of letters)
    assert.match(error ?? "", /^GET \/v1\/stores\/.*: 500 broken: error of the test/);
  await assertSameAsServer(cluster, ["S-7", "S-8", "S-9"]);
  const requests = cluster.proxy.receivedRequests.filter(({ url }) => url.pathname.endsWith("/S-7/photos"));
  assert.equal(requests.length, 3, "one request for each of the attempts in the settings");

  cluster.proxy.rule = () => undefined;
  assert.equal(await reviveDeadLetters(cluster.db), 9);
  await startRun(cluster.settings);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("failing stores do not delay other stores while they wait for their next attempt", async () => {
  await using cluster = await startCluster(size, { SYNC_BACKOFF_MS: "3600000" });
  cluster.proxy.rule = broken;
  const { id } = await startRun(cluster.settings);
  cluster.workers(1);
  const left = await until("the end of all other jobs", async () => {
    const open = await cluster.db
      .selectFrom("places")
      .select(["external_id", "error"])
      .where("run_id", "=", id)
      .where("done_at", "is", null)
      .execute();
    return open.length === 9 && open.every(({ error }) => error !== null) && open;
  });
  assert.deepEqual(new Set(left.map(({ external_id }) => external_id)), new Set(["S-7", "S-8", "S-9"]));
  assert.equal((await latestRun(cluster.db))?.state, "running");
});

test("a request that the service rejects as invalid is not retried", async () => {
  await using cluster = await startCluster(size, {
    SYNC_FROM: "2026-01-01T00:00:00Z",
    SYNC_TO: "2025-01-01T00:00:00Z",
  });
  await startRun(cluster.settings);
  cluster.workers(1);
  const run = await endOf(cluster);
  const letters = await deadLetters(cluster.db, run.id);
  assert.equal(letters.length, 90);
  assert.match(letters[0]?.error ?? "", /validation_failed: .*from: /);
});

test("a deleted store does not become a dead letter", async () => {
  await using cluster = await startCluster(size);
  cluster.proxy.rule = (url) => (url.pathname.includes("/S-7/") ? refusal(404, "not_found") : undefined);
  await startRun(cluster.settings);
  cluster.workers(1);
  const run = await endOf(cluster);
  assert.deepEqual(await deadLetters(cluster.db, run.id), []);
  await assertSameAsServer(cluster, ["S-7"]);
});
