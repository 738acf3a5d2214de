import { type ChildProcess, spawn } from "node:child_process";

/** The largest number of characters of output that are kept. */
const MAX_OUTPUT = 1_000_000;

/** The end of a process. */
export interface ProcessResult {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** The settings of a process. */
export interface ProcessSettings {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The time limit, in milliseconds. */
  readonly timeout: number;
}

/** A program could not be started. */
export class SpawnError extends Error {
  override readonly name = "SpawnError";
}

/** A running program, with all processes that it starts. */
export class Program {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessResult>;

  constructor({ command, env, timeout }: ProcessSettings) {
    const [file = "", ...args] = command;
    // a separate process group, so that nothing that it starts outlives it
    this.#child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.ended = this.#wait(file, timeout);
  }

  /** Kills the program and everything that it started. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // the group has ended
    }
  }

  #wait(file: string, timeout: number): Promise<ProcessResult> {
    const [stdout, stderr] = [collect(this.#child.stdout), collect(this.#child.stderr)];
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      this.kill();
    }, timeout);
    return new Promise((resolve, reject) => {
      this.#child.once("error", ({ message }) => {
        clearTimeout(timer);
        reject(new SpawnError(`cannot start ${file}: ${message}`));
      });
      this.#child.once("exit", () => {
        clearTimeout(timer);
        this.kill(); // what it left behind
      });
      this.#child.once("close", (code) => resolve({ code, isTimedOut, stdout: stdout(), stderr: stderr() }));
    });
  }
}

/** Collects the beginning of the output. */
function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    if (text.length < MAX_OUTPUT) text += chunk;
  });
  return () => text;
}
