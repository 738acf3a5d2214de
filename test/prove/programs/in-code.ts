import { DatabaseSync } from "node:sqlite";
import type { ScenarioProgram } from "../../../src/prove/index.ts";
import type { Job } from "./job.ts";

/** Runs a program of the scoreboard in the process of a test. */
export function inCode(run: (job: Job) => Promise<void>): ScenarioProgram {
  return ({ deliver, storage, ...context }) =>
    run({
      ...context,
      deliver: (rows) => deliver(...rows),
      memory: { get: (name) => storage.get(name), set: (name, value) => void storage.set(name, value) },
      openDatabase() {
        const db = (storage.get("database") as DatabaseSync | undefined) ?? new DatabaseSync(":memory:"); // as it was set
        storage.set("database", db);
        return db;
      },
      async exclusively(work) {
        const holder = storage.get("lock");
        // the lock of a run that was killed counts as free, like that of a process that is gone
        if (holder instanceof AbortSignal && !holder.aborted) throw new Error("another run is in progress");
        storage.set("lock", context.signal);
        await work().finally(() => storage.delete("lock"));
      },
    });
}
