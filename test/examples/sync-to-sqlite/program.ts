import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const top = new URL("../../../", import.meta.url);
export const example = fileURLToPath(new URL("examples/sync-to-sqlite", top));

/** Strips the types once, not in each of the many runs. */
const compileCache = fileURLToPath(new URL("node_modules/.cache/node-compile", top));

/** The time limit of tests that start several processes, for a busy machine. */
export const patient = { timeout: 60_000 };

const endings: (() => unknown)[] = [];

/** Deletes the temporary files after the tests of a file, which run concurrently. */
export function atEnd(work: () => unknown): void {
  endings.push(work);
}

afterAll(async () => {
  for (const work of endings.toReversed()) await work();
});

export interface Ended {
  stdout: string;
  stderr: string;
  /** The exit code; null if a signal ended the process. */
  code: number | null;
}

/** A run of the example in a child process. */
export interface Running {
  process: ChildProcess;
  /** Waits for a string in the standard output. */
  waitForText(text: string): Promise<void>;
  ended: Promise<Ended>;
}

export interface RunOptions {
  token?: string | undefined;
  cwd?: string;
  /** The folder of the program, if it is a copy. */
  program?: string;
  /** Lines of shell before the program, for example a limit. */
  before?: string;
}

/** Starts the example. The token is in its environment. */
export function start(
  args: readonly string[],
  { token, cwd, program = example, before = "" }: RunOptions = {},
): Running {
  const script = `${before}\nexec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", script, process.execPath, join(program, "main.ts"), ...args], {
    cwd,
    env: { NODE_COMPILE_CACHE: compileCache, ...(token !== undefined && { SHELFLEET_TOKEN: token }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  atEnd(() => child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ stdout, stderr, code }));
  });
  const waitForText = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text)) resolve();
      };
      child.stdout.on("data", look);
      child.once("close", () => reject(new Error(`it ended without saying "${text}": ${stdout}${stderr}`)));
      look();
    });
  return { process: child, waitForText, ended };
}

/** Runs the example to its end. */
export function run(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return start(args, options).ended;
}

/** A folder that is deleted after the tests. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "sync-to-sqlite-"));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
