// Starts Redis and PostgreSQL for the tests, runs them, and stops both: npm test
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeError } from "../failure.ts";
import { startPostgres } from "../services/postgres.ts";
import type { Service } from "../services/program.ts";
import { startRedis } from "../services/redis.ts";
import { checkTable } from "./fault-table.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const running: Service[] = [];

try {
  const redis = await startRedis();
  running.push(redis);
  const postgres = await startPostgres();
  running.push(postgres);
  process.exitCode = await runTests({ TEST_REDIS_URL: redis.url, TEST_DATABASE_URL: postgres.url });
} catch (error) {
  console.error(`Redis and PostgreSQL could not be started: ${describeError(error)}`);
  process.exitCode = 1;
} finally {
  for (const service of running.toReversed()) await service.stop();
}

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const given = process.argv.slice(2);
  const options = given.filter((part) => part.startsWith("--")); // such as --test-name-pattern=…
  const wanted = given.filter((part) => !part.startsWith("--"));
  const files = globSync("*.test.ts", { cwd: folder }).filter(
    (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
  );
  const outcomes = join(mkdtempSync(join(tmpdir(), "shelfleet-outcomes-")), "outcomes.ndjson");
  const child = spawn(process.execPath, ["--test", "--test-concurrency=2", ...options, ...files.toSorted()], {
    cwd: folder,
    env: { ...process.env, ...env, TEST_OUTCOMES: outcomes },
    stdio: "inherit",
  });
  // Ctrl-C also stops the tests; Redis and PostgreSQL are stopped after them
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  const isUpdate = process.env["UPDATE"] === "1";
  const hasTable = code === 0 && (given.length === 0 || isUpdate);
  const isSame = !hasTable || checkTable(outcomes, new URL("../FAULTS.md", import.meta.url), isUpdate);
  rmSync(dirname(outcomes), { recursive: true });
  return isSame ? (code ?? 1) : 1;
}
