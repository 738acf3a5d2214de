import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { until } from "./world.ts";

const failing = `
  import assert from "node:assert/strict";
  import { test } from "node:test";
  import { startRun } from "../start.ts";
  import { connectFor, makeWorld } from "./world.ts";

  test("fails with everything open", async (context) => {
    await connectFor(context).ping();
    await using world = await makeWorld({ stores: 3, protocolsPerStore: 3 });
    await startRun(world.settings);
    world.workers(2);
    assert.fail("on purpose");
  });
  test("cannot make its world", async () => {
    await using world = await makeWorld({ stores: 1, protocolsPerStore: 1 }, { SYNC_RATE: "many" });
  });
`;

test("a test that fails leaves nothing open: its process ends", async (context) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // without this the child would report to the runner of this file
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", failing], {
    cwd: import.meta.dirname,
    env,
  });
  context.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  await until("the end of its process", () => child.exitCode !== null);
  assert.equal(child.exitCode, 1);
  assert.match(said, /on purpose/);
  assert.match(said, /SYNC_RATE must be an integer/);
});
