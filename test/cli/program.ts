import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The source of the command. */
export const cli = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** `shelfleet` in a child process, for the current test. */
export class Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  stdout = "";
  stderr = "";
  readonly #ended: Promise<unknown[]>;
  #changed: () => void = () => {};

  constructor(args: string[], env: Readonly<Record<string, string>> = {}) {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    this.child = spawn(process.execPath, [cli, ...args], { stdio, env });
    this.#ended = once(this.child, "close");
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#changed();
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    onTestFinished(() => {
      this.child.kill("SIGKILL");
    });
  }

  /** Returns the output as soon as it has the given number of lines. */
  lines(count: number): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#changed = () => {
        const lines = this.stdout.split("\n").slice(0, -1);
        if (lines.length >= count) resolve(lines);
      };
      this.#changed();
      void this.#ended.then(() => reject(new Error(`it ended before ${count} lines came: ${this.stderr}`)));
    });
  }

  /** Resolves with the exit code, or the name of the signal that killed it. */
  async end(signal?: NodeJS.Signals): Promise<number | string> {
    if (signal !== undefined) this.child.kill(signal);
    await this.#ended;
    return this.child.exitCode ?? String(this.child.signalCode);
  }
}

/** The first line of `shelfleet mock --json`. */
export interface FirstLine {
  storeUrl: string;
  fleetUrl: string;
  sandboxUrl: string;
  controlUrl?: string;
  controlToken?: string;
  token: string;
  keys: { key: string; environment: string }[];
}

/** Starts `shelfleet mock --json` on a free port and reads its first line. */
export async function startMock(...args: string[]): Promise<{ program: Program; start: FirstLine }> {
  const program = new Program(["mock", "--port", "0", "--json", ...args]);
  const [line = ""] = await program.lines(1);
  return { program, start: JSON.parse(line) as FirstLine };
}
