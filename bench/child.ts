import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Reply = { ready: unknown } | { value: unknown } | { error: string };

/** A child process that replies to questions one after the other. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Starts a script of this folder; `ready` is its first message. */
  static async start(
    script: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ child: Child; ready: unknown }> {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const child = fork(path, args, {
      env: { ...process.env, ...env },
      execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const started = new Child(child);
    const reply = await started.#reply();
    return { child: started, ready: "ready" in reply ? reply.ready : undefined };
  }

  /** Asks a question; rejects with the error of the child. */
  async ask(question: unknown): Promise<unknown> {
    const response = this.#reply();
    // the end of the process, for which the reply also waits, reports a closed channel
    this.#process.send({ question }, () => {});
    const reply = await response;
    return "value" in reply ? reply.value : undefined;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }

  #reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const onMessage = (reply: Reply): void => {
        this.#process.off("exit", onExit);
        if ("error" in reply) reject(new Error(reply.error));
        else resolve(reply);
      };
      const onExit = (code: number | null): void => {
        this.#process.off("message", onMessage);
        reject(new Error(`the process ended with ${code}`));
      };
      this.#process.once("message", onMessage);
      this.#process.once("exit", onExit);
    });
  }
}
