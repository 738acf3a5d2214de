import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isStore, token } from "./responses.ts";

/** A program that serves the store API. */
export interface MockProgram {
  name: string;
  /** Its command line for a port. */
  command: (port: number) => string[];
}

/** The path of a file in this folder. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `shelfleet mock` with the given number of stores. */
export function ourMock(name: string, stores: number): MockProgram {
  const options = (port: number): string[] => [
    "--port",
    `${port}`,
    "--stores",
    `${stores}`,
    "--token",
    token,
    "--quiet",
  ];
  return { name, command: (port) => [here("../dist/cli.js"), "mock", ...options(port)] };
}

/** The port of the next program. No system gives ports below 32,768 to other programs by itself. */
let nextPort = 10_000 + (process.pid % 20_000);

/** A running program, and the time until its first correct response. */
export class RunningMock implements AsyncDisposable {
  readonly origin: string;
  readonly startMs: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, origin: string, startMs: number) {
    this.#process = process;
    this.origin = origin;
    this.startMs = startMs;
  }

  static async start({ name, command }: MockProgram): Promise<RunningMock> {
    const port = nextPort;
    nextPort += 1;
    const start = performance.now();
    const child = spawn(process.execPath, command(port), { stdio: "ignore" });
    const origin = `http://127.0.0.1:${port}`;
    while (!(await isResponding(origin))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
      await sleep(5);
    }
    return new RunningMock(child, origin, performance.now() - start);
  }

  /** The memory of the process, in MB. */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }
}

/** Whether a response is a store with its properties. */
async function isResponding(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/v1/stores/S-1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status === 200 && isStore(await response.json());
  } catch {
    return false;
  }
}
