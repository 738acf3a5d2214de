import { type ChildProcess, spawn } from "node:child_process";
import { ByteCollector } from "../../wire/byte-collector.ts";

/** The largest part of the output of a program that is kept, in bytes. */
const maxOutput = 1_000_000;

/** The time after the end of a program in which its output must end: a process that left its group can hold it open. */
const outputTimeout = 1_000;

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
  /** Kills the process. */
  readonly signal: AbortSignal;
  /** The largest part of the standard output that is kept, in bytes. */
  readonly maxOutput?: number;
}

/** A program could not be started, or its rows could not be read. */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";
}

/** A running program, with all processes that it starts. */
export class Program {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessResult>;

  constructor({ command, env, timeout, signal, maxOutput: limit = maxOutput }: ProcessSettings) {
    const [file = "", ...args] = command;
    // a separate process group, so that nothing that it starts outlives it
    this.#child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const kill = (): void => this.kill();
    signal.addEventListener("abort", kill);
    this.ended = this.#wait(file, timeout, limit).finally(() => signal.removeEventListener("abort", kill));
    if (signal.aborted) kill();
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

  #wait(file: string, timeout: number, limit: number): Promise<ProcessResult> {
    const { stdout, stderr } = this.#child;
    const [output, errors] = [collect(stdout, limit), collect(stderr, maxOutput)];
    let isTimedOut = false;
    let timer = setTimeout(() => {
      isTimedOut = true;
      this.kill();
    }, timeout);
    return new Promise((resolve, reject) => {
      this.#child.once("error", ({ message }) => {
        clearTimeout(timer);
        reject(new NotJudgedError(`cannot start ${file}: ${message}`));
      });
      this.#child.once("exit", () => {
        clearTimeout(timer);
        this.kill(); // what it left behind
        timer = setTimeout(() => {
          for (const stream of [stdout, stderr]) stream?.destroy();
        }, outputTimeout);
      });
      this.#child.once("close", (code) => {
        clearTimeout(timer);
        resolve({ code, isTimedOut, stdout: output(), stderr: errors() });
      });
    });
  }
}

/** Collects the beginning of the output. The rest is read and dropped, so that the program does not wait. */
function collect(stream: NodeJS.ReadableStream | null, limit: number): () => string {
  const bytes = new ByteCollector();
  stream?.on("data", (chunk: Buffer) => {
    if (bytes.size < limit) bytes.add(chunk.subarray(0, limit - bytes.size));
  });
  return () => new TextDecoder().decode(bytes.take());
}
