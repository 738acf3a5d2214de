import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./front.ts";
import { endOf, makeWorld } from "./world.ts";

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
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, "sync", "--workers", "3"], { env: world.env });
  context.after(() => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  child.stdout.resume();
  const [code] = (await once(child, "close")) as [number];
  assert.equal(code, 1);
  assert.match(
    errors,
    /^sync-cluster: stopped: GET \/v1\/stores: 401 unauthorized: .*Start again to go on\n$/,
  );
});
