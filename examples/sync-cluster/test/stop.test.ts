import assert from "node:assert/strict";
import { test } from "node:test";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./front.ts";
import { endOf, makeWorld, start } from "./world.ts";

const size = { stores: 30, protocolsPerStore: 3 };

for (const [status, code] of [
  [401, "unauthorized"],
  [503, "not_configured"],
  [403, "missing_scope"],
] as const) {
  test(`${status} ${code} in the middle stops the whole run, which goes on when it is mended`, async () => {
    await using world = await makeWorld(size);
    world.front.rule = (_, earlier) => (earlier >= 40 ? refusal(status, code) : undefined);
    await startRun(world.settings);
    const workers = world.workers(2);
    const run = await endOf(world);
    assert.equal(run.state, "stopped");
    assert.match(run.stopReason ?? "", new RegExp(`^GET /v1/stores.*: ${status} ${code}: told by the test`));
    await Promise.all(workers.map((worker) => worker.close()));
    const refused = world.front.arrivals.filter((arrival) => arrival.status === status);
    assert.ok(refused.length <= 2 * world.settings.concurrency, `${refused.length} requests were refused`);

    world.front.rule = () => undefined;
    await startRun(world.settings);
    world.workers(2);
    assert.equal((await endOf(world)).state, "finished");
    await assertSameAsServer(world);
  });
}

test("a wrong token is told in one line, however many workers there are", async (context) => {
  await using world = await makeWorld(size, { SHELFLEET_TOKEN: "another" });
  const { said, end } = start(context, world, "sync", "--workers", "2");
  assert.equal((await end)[0], 1);
  const lines = said().match(/^sync-cluster: .*$/gm) ?? [];
  assert.equal(lines.length, 1, said());
  assert.match(lines[0] ?? "", /: stopped: GET \/v1\/stores: 401 unauthorized: .*Start again to resume$/);
});
