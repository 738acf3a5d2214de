import { type ChildProcess, spawn } from "node:child_process";
import { ByteCollector } from "../../wire/byte-collector.ts";
import { codeOf } from "../../wire/thrown.ts";

/** The largest part of the output of a program that is kept, in bytes. */
const maxOutput = 1_000_000;

/** The time after the end of a program in which its output must end: a process that left its group can hold it open. */
const outputTimeout = 1_000;

export interface ProcessResult {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessSettings {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The time limit, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The largest part of the standard output that is kept, in bytes. */
  readonly maxOutput?: number;
  /** Whether a part of the output behind the one that is kept must also be kept. */
  readonly isOfInterest?: (text: string) => boolean;
  /** Is called when the program ends, before its output does. */
  readonly onExit?: () => void;
}

/** A program could not be started, or its rows could not be read. */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";
}

/** The rows of a program could not be read. Other scenarios can still be judged. */
export class UnreadableRowsError extends NotJudgedError {}

/** A running program, with all processes that it starts. */
export class Program {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessResult>;

  constructor({
    command,
    env,
    timeout,
    signal,
    maxOutput: limit = maxOutput,
    isOfInterest = () => false,
    onExit = () => undefined,
  }: ProcessSettings) {
    const [file = "", ...args] = command;
    // a separate process group, so that nothing that it starts outlives it
    this.#child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const kill = (): void => this.kill();
    signal.addEventListener("abort", kill);
    this.#child.once("exit", onExit);
    const { stdout, stderr } = this.#child;
    const outputs = [collect(stdout, limit, isOfInterest), collect(stderr, maxOutput, isOfInterest)] as const;
    this.ended = this.#wait(file, timeout, outputs).finally(() => signal.removeEventListener("abort", kill));
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

  #wait(
    file: string,
    timeout: number,
    [output, errors]: readonly [() => string, () => string],
  ): Promise<ProcessResult> {
    const { stdout, stderr } = this.#child;
    let isTimedOut = false;
    let timer = setTimeout(() => {
      isTimedOut = true;
      this.kill();
    }, timeout);
    return new Promise((resolve, reject) => {
      this.#child.once("error", (error) => {
        clearTimeout(timer);
        const reason = codeOf(error) === "ENOENT" ? "there is no such program" : error.message;
        reject(new NotJudgedError(`cannot start ${file}: ${reason}`));
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

/** The longest text that can be of interest and lie in two chunks. */
const maxOverlap = 4_096;

/** Collects the beginning of the output. The rest is read and dropped, so that the program does not wait. */
function collect(
  stream: NodeJS.ReadableStream | null,
  limit: number,
  isOfInterest: (text: string) => boolean,
): () => string {
  const bytes = new ByteCollector();
  let end = Buffer.alloc(0);
  let isFound = false;
  stream?.on("data", (chunk: Buffer) => {
    if (bytes.size < limit) bytes.add(chunk.subarray(0, limit - bytes.size));
    if (isFound) return;
    const recent = Buffer.concat([end, chunk]);
    isFound = isOfInterest(recent.toString("latin1"));
    if (isFound) bytes.add(recent);
    end = recent.subarray(-maxOverlap);
  });
  return () => new TextDecoder().decode(bytes.take());
}
