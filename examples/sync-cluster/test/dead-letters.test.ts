import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters, retryDeadLetters } from "../database/dead-letters.ts";
import { latestRun } from "../database/runs.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal, type Rule } from "./recording-proxy.ts";
import { begin, endOf, startCluster, until } from "./cluster.ts";

const size = { stores: 12, protocolsPerStore: 3 };
const broken: Rule = (url) => (/S-[789]\//.test(url.pathname) ? refusal(500, "broken") : undefined);

test("stores that always fail become dead letters, which can be retried", async () => {
  await using cluster = await startCluster(size, { SYNC_ATTEMPTS: "3", SYNC_BACKOFF_MS: "10" });
  cluster.proxy.rule = broken;
  await begin(cluster);
  cluster.workers(2);
  const run = await endOf(cluster);
  assert.equal(run.state, "finished");
  const letters = await deadLetters(cluster.db);
  assert.deepEqual(
    letters.map(({ externalId, kind }) => `${externalId} ${kind}`),
    ["S-7", "S-8", "S-9"].flatMap((id) => [`${id} photos`, `${id} protocols`]),
  );
  for (const { reason } of letters)
    assert.match(reason, /^GET \/v1\/stores\/.*: 500 broken: error of the test/);
  await assertSameAsServer(cluster, ["S-7", "S-8", "S-9"]);
  const requests = cluster.proxy.receivedRequests.filter(({ url }) => url.pathname.endsWith("/S-7/photos"));
  assert.equal(requests.length, 3, "one request for each of the attempts in the settings");

  cluster.proxy.rule = () => undefined;
  assert.equal((await retryDeadLetters(cluster.db)).length, 6);
  await begin(cluster);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("failing stores do not delay other stores while they wait for their next attempt", async () => {
  await using cluster = await startCluster(size, { SYNC_BACKOFF_MS: "3600000" });
  cluster.proxy.rule = broken;
  const { id } = await begin(cluster);
  cluster.workers(1);
  const left = await until("the end of all other jobs", async () => {
    const open = await cluster.db
      .selectFrom("positions")
      .select(["external_id", "error"])
      .where("run_id", "=", id)
      .where("done_at", "is", null)
      .execute();
    return open.length === 6 && open.every(({ error }) => error !== null) && open;
  });
  assert.deepEqual(new Set(left.map(({ external_id }) => external_id)), new Set(["S-7", "S-8", "S-9"]));
  assert.equal((await latestRun(cluster.db))?.state, "running");
});

test("a request that the service rejects as invalid is not retried", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster, { from: "2026-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z" });
  cluster.workers(1);
  await endOf(cluster);
  const letters = await deadLetters(cluster.db);
  assert.equal(letters.length, 3 * size.stores);
  assert.match(letters[0]?.reason ?? "", /validation_failed: .*from: /);
});

test("a deleted store does not become a dead letter", async () => {
  await using cluster = await startCluster(size);
  cluster.proxy.rule = (url) => (/S-7(\/|$)/.test(url.pathname) ? refusal(404, "not_found") : undefined);
  await begin(cluster);
  cluster.workers(1);
  assert.equal((await endOf(cluster)).state, "finished");
  assert.deepEqual(await deadLetters(cluster.db), []);
  await assertSameAsServer(cluster, ["S-7"]);
});
