import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { freePort } from "../services/program.ts";
import { begin, endOf, start, startCluster, until } from "./cluster.ts";

const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(file(name), "utf8");

test("a worker reports its health and metrics over HTTP, and ends with SIGTERM", async (context) => {
  const port = await freePort();
  await using cluster = await startCluster(
    { stores: 3, protocolsPerStore: 2 },
    { SYNC_HTTP_PORT: `${port}` },
  );
  // the command of the Dockerfile and of the unit
  const { child, end } = start(context, cluster, "worker", "--forever");
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const health = await until("its status", () => get("/healthz").catch(() => undefined));
  assert.deepEqual([health.status, await health.json()], [200, { problems: [] }]);
  await begin(cluster);
  await endOf(cluster);
  const metrics = await (await get("/metrics")).text();
  assert.match(metrics, /^sync_rows_total\{kind="protocols"\} 6$/m);
  assert.match(metrics, /^sync_requests_total\{status="200"\} \d+$/m);
  assert.match(metrics, /^sync_dead_letters 0$/m);
  assert.match(metrics, /^bullmq_job_count\{queue="sync"/m);
  child.kill("SIGTERM");
  assert.equal((await end)[0], 0);
});

test("the files of docker, compose and Kubernetes parse, and name files that exist", () => {
  const [compose] = parseAllDocuments(read("compose.yaml"));
  const [deployment] = parseAllDocuments(read("deploy/kubernetes.yaml"));
  assert.deepEqual([compose?.errors, deployment?.errors], [[], []]);
  assert.ok(
    existsSync(file(`../../${String(compose?.getIn(["services", "worker", "build", "dockerfile"]))}`)),
  );
  for (const [, path = ""] of read("deploy/Dockerfile").matchAll(/^COPY (\S+)/gm))
    assert.ok(existsSync(file(`../../${path}`)), path);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("systemd accepts the unit", { skip: hasSystemd ? false : "systemd-analyze is not installed" }, () => {
  const { stderr } = spawnSync("systemd-analyze", ["verify", file("deploy/sync-cluster.service")], {
    encoding: "utf8",
  });
  const complaints = stderr.split("\n").filter((line) => /sync-cluster\.service/.test(line));
  // the program is not installed where the unit expects it
  assert.deepEqual(
    complaints.filter((line) => !/is not executable|No such file/.test(line)),
    [],
  );
});
