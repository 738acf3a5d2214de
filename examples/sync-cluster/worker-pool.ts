import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Worker processes; a process that dies is replaced until the pool is stopped. */
export class WorkerPool {
  readonly #env: NodeJS.ProcessEnv;
  readonly #workers = new Set<ChildProcess>();
  #stopped = false;

  constructor(size: number, env: NodeJS.ProcessEnv) {
    this.#env = env;
    for (let at = 0; at < size; at += 1) this.#spawn();
  }

  /** The processes, including those that are starting. */
  get workers(): readonly ChildProcess[] {
    return [...this.#workers];
  }

  #spawn(): void {
    const child = spawn(process.execPath, [main, "worker", "--quiet"], {
      env: this.#env,
      stdio: ["ignore", "ignore", "inherit", "ipc"], // a worker ends when this channel to its parent closes
    });
    this.#workers.add(child);
    child.once("exit", (code) => {
      this.#workers.delete(child);
      // a killed process is replaced at once; a process that failed to start would fail again
      const wait = code === null ? 200 : 2_000;
      if (!this.#stopped) setTimeout(() => this.#stopped || this.#spawn(), wait).unref();
    });
  }

  /** Stops all workers, which return their jobs to the queue first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(
      this.workers.map(async (child) => {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
        await gone;
        clearTimeout(late);
      }),
    );
  }
}
