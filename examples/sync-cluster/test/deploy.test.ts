import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { begin, endOf, start, startCluster, until } from "./cluster.ts";

const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(file(name), "utf8");

test("a worker reports its health and metrics over HTTP, and ends with SIGTERM", async (context) => {
  await using cluster = await startCluster(
    { stores: 3, protocolsPerStore: 2 },
    { SYNC_HTTP_PORT: "0", SYNC_LOG_LEVEL: "info" },
  );
  // the command of the Dockerfile and of the unit
  const { child, output, end } = start(context, cluster, "worker", "--forever");
  const port = await until("its port", () => /"port":(\d+)/.exec(output())?.[1]);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const health = await get("/healthz");
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

/** The variables that the program reads. */
const variables = new Set(
  [...globSync(file("*.ts"))].flatMap((name) =>
    [...readFileSync(name, "utf8").matchAll(/"((?:SYNC|SHELFLEET)_\w+|REDIS_URL|DATABASE_URL)"/g)].map(
      ([, variable]) => variable,
    ),
  ),
);

test("the files of docker, compose, Kubernetes and systemd name variables that the program reads", () => {
  const files = ["compose.yaml", "deploy/kubernetes.yaml", "deploy/Dockerfile", "README.md"];
  for (const name of files)
    for (const [variable] of read(name).matchAll(
      /\b((SYNC|SHELFLEET)_[A-Z_]*[A-Z]|REDIS_URL|DATABASE_URL)\b/g,
    ))
      assert.ok(variables.has(variable), `${name}: ${variable}`);
  for (const variable of variables)
    assert.ok(read("README.md").includes(variable ?? ""), `README: ${variable}`);
});

test("the files of docker, compose and Kubernetes parse, and name files and commands that exist", () => {
  const [compose] = parseAllDocuments(read("compose.yaml"));
  const [deployment] = parseAllDocuments(read("deploy/kubernetes.yaml"));
  assert.deepEqual([compose?.errors, deployment?.errors], [[], []]);
  const dockerfile = String(compose?.getIn(["services", "worker", "build", "dockerfile"]));
  assert.ok(existsSync(file(`../../${dockerfile}`)));
  const text = read("deploy/Dockerfile");
  for (const [, paths = ""] of text.matchAll(/^COPY (.+) \S+$/gm))
    for (const path of paths.split(" ")) assert.ok(existsSync(file(`../../${path}`)), path);
  const command = [...text.matchAll(/^(?:ENTRYPOINT|CMD) (\[.+\])$/gm)].flatMap(
    ([, words = ""]) => JSON.parse(words) as string[], // the exec form of a Dockerfile
  );
  assert.deepEqual(command, ["node", "main.ts", "worker", "--forever"], "the command of the test above");
  assert.match(
    read("deploy/sync-cluster.service"),
    /^ExecStart=\/usr\/bin\/node main\.ts worker --forever$/m,
  );
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
