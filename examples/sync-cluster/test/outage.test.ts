import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters } from "../database/dead-letters.ts";
import { latestRun, tallies } from "../database/runs.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal, type Rule } from "./recording-proxy.ts";
import { begin, endOf, runSync, syncToEnd, startCluster, until } from "./cluster.ts";
import { recordOutcome } from "./fault-table.ts";

const size = { stores: 16, protocolsPerStore: 3 };
/** One failure counts if the service recovers before the worker checks whether it is down. */
const env = { SYNC_ATTEMPTS: "2" };
/** Lets the first 40 requests succeed, and fails all later ones. */
const failAfter40: Rule = (_, earlier) => (earlier >= 40 ? refusal(502, "bad_gateway") : undefined);
const isProbe = (url: URL): boolean => url.pathname === "/v1/stores" && url.searchParams.get("limit") === "1";

test("a short outage of the service does not create dead letters", async () => {
  await using cluster = await startCluster(size, env);
  cluster.proxy.rule = failAfter40;
  const { id } = await begin(cluster);
  cluster.workers(2);
  await until("the check whether the service is down", () =>
    cluster.proxy.receivedRequests.some(({ url, status }) => isProbe(url) && status === 502),
  );
  cluster.proxy.rule = () => undefined;
  assert.equal((await endOf(cluster)).state, "finished");
  assert.deepEqual(await deadLetters(cluster.db), []);
  const retries = (await tallies(cluster.db, id)).reduce((sum, tally) => sum + tally.retries, 0);
  assert.ok(retries > 0, "the view shows the retries");
  await assertSameAsServer(cluster);
});

test("a long outage of the service stops the run with one reason and does not create dead letters", async () => {
  await using cluster = await startCluster(size, env);
  cluster.proxy.rule = failAfter40;
  const running = runSync(cluster);
  await until("the end of the run", async () => {
    // as if there had been no response for 16 min: Redis keeps the start of that time for a day
    await cluster.redis.pexpire(`${cluster.settings.prefix}:limit:silence`, 86_400_000 - 16 * 60_000);
    const latest = await latestRun(cluster.db);
    return latest?.state === "stopped";
  });
  const { exit, output } = await running;
  const reason = /stopped: the service has not responded for 15 min: GET \/v1\/stores: 502/;
  assert.deepEqual([exit, reason.test(output)], [4, true], output);
  assert.deepEqual(await deadLetters(cluster.db), []);

  cluster.proxy.rule = () => undefined;
  await syncToEnd(cluster, { workers: 0 });
  const rows = await assertSameAsServer(cluster);
  recordOutcome("outage", { exit, reason: reason.exec(output)?.[0] ?? "", rows });
});
