import assert from "node:assert/strict";
import { test } from "node:test";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./recording-proxy.ts";
import { begin, endOf, start, startCluster } from "./cluster.ts";

const size = { stores: 16, protocolsPerStore: 3 };

for (const [status, code] of [
  [401, "unauthorized"],
  [503, "not_configured"],
  [403, "missing_scope"],
] as const) {
  test(`${status} ${code} stops the whole run, which can be resumed after the cause is fixed`, async () => {
    await using cluster = await startCluster(size);
    cluster.proxy.rule = (_, earlier) => (earlier >= 40 ? refusal(status, code) : undefined);
    await begin(cluster);
    const workers = cluster.workers(2);
    const run = await endOf(cluster);
    assert.equal(run.state, "stopped");
    assert.match(run.stopReason ?? "", new RegExp(`^GET /v1/stores.*: ${status} ${code}: error of the test`));
    await Promise.all(workers.map((worker) => worker.close()));
    const refused = cluster.proxy.receivedRequests.filter((received) => received.status === status);
    assert.ok(refused.length <= 4 * cluster.settings.concurrency, `${refused.length} requests were refused`);

    cluster.proxy.rule = () => undefined;
    await begin(cluster);
    cluster.workers(2);
    assert.equal((await endOf(cluster)).state, "finished");
    await assertSameAsServer(cluster);
  });
}

test("a wrong token is reported in one line for all workers together", async (context) => {
  await using cluster = await startCluster(size, { SHELFLEET_TOKEN: "another" });
  const { output, end } = start(context, cluster, "sync", "--workers", "2");
  assert.equal((await end)[0], 4);
  const lines = output().match(/^sync-cluster: .*$/gm) ?? [];
  assert.equal(lines.length, 1, output());
  assert.match(
    lines[0] ?? "",
    /: stopped: the stores cannot be listed: GET \/v1\/stores: 401 unauthorized: .*Start again to resume$/,
  );
});
