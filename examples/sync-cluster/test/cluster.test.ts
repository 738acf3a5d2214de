import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { until } from "./cluster.ts";

const failing = `
  import assert from "node:assert/strict";
  import { test } from "node:test";
    import { begin, connectFor, startCluster } from "./cluster.ts";

  test("fails while everything is open", async (context) => {
    await connectFor(context).ping();
    await using cluster = await startCluster({ stores: 3, protocolsPerStore: 3 });
    await begin(cluster);
    cluster.workers(2);
    assert.fail("on purpose");
  });
  test("cannot start its cluster", async () => {
    await using cluster = await startCluster({ stores: 1, protocolsPerStore: 1 }, { SYNC_RATE: "many" });
  });
`;

test("a failing test closes all its connections, so that its process ends", async (context) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // without this the child would report to the runner of this file
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", failing], {
    cwd: import.meta.dirname,
    env,
  });
  context.after(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  await until("the end of its process", () => child.exitCode !== null);
  assert.equal(child.exitCode, 1);
  assert.match(output, /on purpose/);
  assert.match(output, /SYNC_RATE must be an integer/);
});
