import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Figure } from "./statistics.ts";

const script = fileURLToPath(new URL("scenario-process.ts", import.meta.url));

/** The time limit of a figure in ms. */
const timeLimit = 180_000;

export interface ChildOptions {
  scenario: string;
  contender?: string;
  setting: object;
  env?: Record<string, string>;
}

/** A process that prepares a scenario, then runs it whenever it is asked. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  /** The URL of a server. */
  url: string | undefined;

  private constructor({ scenario, contender = "", setting, env }: ChildOptions) {
    this.#process = fork(script, [scenario, contender, JSON.stringify(setting)], {
      env: { ...process.env, ...env },
      execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  /** Rejects with the error of the scenario. */
  static async start(options: ChildOptions): Promise<Child> {
    const child = new Child(options);
    child.url = (await child.#reply()) as string | undefined;
    return child;
  }

  /** Rejects with the error of the scenario. */
  async run(work: number): Promise<Figure> {
    this.#process.send(work);
    const figure = (await this.#reply()) as number | Figure;
    return typeof figure === "number" ? { value: figure } : figure;
  }

  /** Ends the process, which then ends its own ones. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#process.connected) return;
    const end = once(this.#process, "exit");
    this.#process.disconnect();
    await end;
  }

  async #reply(): Promise<unknown> {
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), timeLimit);
    const { value, error } = await new Promise<{ value?: unknown; error?: string }>((resolve) => {
      this.#process.removeAllListeners().once("message", resolve);
      this.#process.once("exit", () => resolve({ error: "the process ended, or took three minutes" }));
    });
    clearTimeout(timer);
    if (error !== undefined) throw new Error(error);
    return value;
  }
}
