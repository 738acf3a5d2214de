import { spawn } from "node:child_process";
import { codeOf } from "../wire/thrown.ts";

/** A program, a flag or a file of `shelfleet prove` cannot be used. */
export class ProveError extends Error {
  override readonly name = "ProveError";
}

/** The end of a program. */
interface Ended {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

interface LaunchOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The time limit, in milliseconds. */
  readonly timeout: number;
  /** Kills the program. */
  readonly signal: AbortSignal;
  /** Is called when the program ends, before its output does. */
  readonly onExit: () => void;
}

/** The time after the end of a program in which its output must end: a process that left its group can hold it open. */
const OUTPUT_TIMEOUT = 1_000;

/** Starts a program. */
export function launch(
  [file = "", ...args]: readonly string[],
  { env, timeout, signal, onExit }: LaunchOptions,
): { kill(): void; ended: Promise<Ended> } {
  // a separate process group, so that nothing that it starts outlives it
  const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  let isTimedOut = false;
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // the group has ended
    }
  };
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, timeout);
  signal.addEventListener("abort", kill);
  child.once("exit", () => {
    onExit();
    kill(); // what it left behind
    setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), OUTPUT_TIMEOUT).unref();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", (error) => {
      const reason = codeOf(error) === "ENOENT" ? "there is no such program" : error.message;
      reject(new ProveError(`cannot start ${file}: ${reason}`));
    });
    child.once("close", (code) => resolve({ code, isTimedOut, stdout: output(), stderr: errors() }));
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  });
  return { kill, ended };
}

/** The largest part of an output that is kept, in bytes. */
const MAX_OUTPUT = 20_000_000;

/** Collects the beginning of an output. The rest is read and dropped, so that the program does not wait. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < MAX_OUTPUT) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}
