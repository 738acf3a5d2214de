import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TaskInput } from "../../../src/prove/index.ts";
import type { Job } from "./job.ts";

/** Runs a program of the scoreboard with the variables that `shelfleet prove` sets. */
export async function runAsProcess(run: (job: Job) => Promise<void>): Promise<void> {
  const { STORE_URL = "", FLEET_URL = "", SHELFLEET_TASK = "", SHELFLEET_OUT = "" } = process.env;
  const { STORE_TOKEN_FILE = "", FLEET_KEY_FILE = "" } = process.env;
  const rows = join(SHELFLEET_OUT, "rows.ndjson");
  rmSync(rows, { force: true });
  try {
    await run({
      task: JSON.parse(readFileSync(SHELFLEET_TASK, "utf8")) as TaskInput,
      storeUrl: STORE_URL,
      fleetUrl: FLEET_URL,
      readToken: () => readFileSync(STORE_TOKEN_FILE, "utf8"),
      readKey: () => readFileSync(FLEET_KEY_FILE, "utf8"),
      fetch,
      deliver: (delivered) =>
        appendFileSync(rows, delivered.map((row) => `${JSON.stringify(row)}\n`).join("")),
      memory: fileMemory(join(SHELFLEET_OUT, "memory.json")),
      openDatabase: () => new DatabaseSync(join(SHELFLEET_OUT, "copy.sqlite")),
      exclusively: (work) => exclusively(join(SHELFLEET_OUT, "lock"), work),
    });
  } catch (error) {
    console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
    process.exit(1); // open connections would keep the process alive
  }
  process.exit(0);
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
async function exclusively(file: string, work: () => Promise<void>): Promise<void> {
  if (existsSync(file) && !existsSync(`/proc/${readFileSync(file, "utf8")}`)) rmSync(file);
  writeFileSync(file, String(process.pid), { flag: "wx" }); // fails if another run is in progress
  await work().finally(() => rmSync(file));
}
