import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Worker processes; one that dies is replaced until the crew is dismissed. */
export class Crew {
  readonly #env: NodeJS.ProcessEnv;
  readonly #hands = new Set<ChildProcess>();
  #dismissed = false;

  constructor(size: number, env: NodeJS.ProcessEnv) {
    this.#env = env;
    for (let at = 0; at < size; at += 1) this.#hire();
  }

  /** The processes, those being started among them. */
  get hands(): readonly ChildProcess[] {
    return [...this.#hands];
  }

  #hire(): void {
    const child = spawn(process.execPath, [main, "worker", "--quiet"], {
      env: this.#env,
      stdio: ["ignore", "ignore", "inherit", "ipc"], // by which each notices that its head is gone
    });
    this.#hands.add(child);
    child.once("exit", (code) => {
      this.#hands.delete(child);
      // one that was killed is replaced at once; one that could not start would not be able to then either
      const wait = code === null ? 200 : 2_000;
      if (!this.#dismissed) setTimeout(() => this.#dismissed || this.#hire(), wait).unref();
    });
  }

  /** Lets all give their jobs back and end. */
  async dismiss(): Promise<void> {
    this.#dismissed = true;
    await Promise.all(
      this.hands.map(async (child) => {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
        await gone;
        clearTimeout(late);
      }),
    );
  }
}
