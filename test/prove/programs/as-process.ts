import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskInput } from "../../../src/prove/index.ts";
import type { Job } from "./job.ts";

/** Runs a program of the scoreboard with the variables that `shelfleet prove` sets. */
export async function runAsProcess(run: (job: Job) => Promise<void>): Promise<void> {
  const out = variable("SHELFLEET_OUT");
  const rows = join(out, "rows.ndjson");
  rmSync(rows, { force: true });
  const memory = fileMemory(join(out, "memory.json"));
  try {
    await run({
      task: JSON.parse(readFileSync(variable("SHELFLEET_TASK"), "utf8")) as TaskInput,
      storeUrl: variable("STORE_URL"),
      fleetUrl: variable("FLEET_URL"),
      readToken: () => readFileSync(variable("STORE_TOKEN_FILE"), "utf8"),
      readKey: () => readFileSync(variable("FLEET_KEY_FILE"), "utf8"),
      fetch,
      deliver: (delivered) =>
        appendFileSync(rows, delivered.map((row) => `${JSON.stringify(row)}\n`).join("")),
      memory,
      exclusively: (work) => exclusively(join(out, "lock"), work),
    });
  } catch (error) {
    console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
    process.exit(1); // open connections would keep the process alive
  }
  process.exit(0);
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this program with shelfleet prove`);
  return value;
}

function fileMemory(file: string): Job["memory"] {
  const read = () =>
    existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
  return {
    get: (name) => read()[name],
    set: (name, value) => writeFileSync(file, JSON.stringify({ ...read(), [name]: value })),
  };
}

/** Holds a lock that other processes see. The lock of a process that is gone counts as free. */
async function exclusively(folder: string, work: () => Promise<void>): Promise<void> {
  const holder = join(folder, "pid");
  if (existsSync(holder) && !isRunning(Number(readFileSync(holder, "utf8"))))
    rmSync(folder, { recursive: true });
  try {
    mkdirSync(folder);
  } catch {
    throw new Error("another run is in progress");
  }
  writeFileSync(holder, String(process.pid));
  await work().finally(() => rmSync(folder, { recursive: true }));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
