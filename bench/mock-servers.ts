import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isStore, storesOfPage, token } from "./answers.ts";

/** A program that answers for the store API. */
export interface MockProgram {
  name: string;
  /** Its command line, given a port. */
  command: (port: number) => string[];
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `shelfleet mock` with so many stores. */
export function ourMock(name: string, stores: number): MockProgram {
  const options = (port: number): string[] => [
    "--port",
    `${port}`,
    "--stores",
    `${stores}`,
    "--token",
    token,
  ];
  return { name, command: (port) => [here("../dist/cli.js"), "mock", ...options(port)] };
}

export const bareHttp: MockProgram = {
  name: "bare node:http",
  command: (port) => [here("servers/bare.ts"), `${port}`],
};

/** Prism without its log. Its document has a page of 100 stores for an example, so that it sends what we send. */
export async function prism(work: string): Promise<MockProgram> {
  const document = join(work, "prism.openapi.json");
  const { parse } = await import("yaml"); // it is there once the contenders are installed
  const text = readFileSync(here("../specs/store.openapi.yaml"), "utf8");
  writeFileSync(document, JSON.stringify(withFullPage(parse(text) as StoreDocument)));
  const program = here("node_modules/@stoplight/prism-cli/dist/index.js");
  return {
    name: "Prism",
    command: (port) => [program, "mock", document, "--port", `${port}`, "--verboseLevel", "silent"],
  };
}

interface StoreDocument {
  paths: Record<string, { get: Operation }>;
}

interface Operation {
  responses: Record<string, { content: Record<string, { example?: unknown; examples?: unknown }> }>;
}

function withFullPage(document: StoreDocument): StoreDocument {
  const answer = document.paths["/v1/stores"]?.get.responses["200"]?.content["application/json"];
  if (answer === undefined) throw new Error("the document has no list of stores");
  delete answer.examples;
  const items = storesOfPage(0, 100).map(({ id: _, ...store }) => store);
  answer.example = { items, nextCursor: "S-100" };
  return document;
}

/** A program that runs, and how long it took until its first right answer. */
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
    const port = await freePort();
    const start = performance.now();
    const child = spawn(process.execPath, command(port), { stdio: "ignore" });
    const origin = `http://127.0.0.1:${port}`;
    while (!(await answers(origin))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
      await sleep(5);
    }
    return new RunningMock(child, origin, performance.now() - start);
  }

  /** The memory that it holds, in MB. */
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

/** Whether a store is answered with its members. */
async function answers(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/v1/stores/S-1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status === 200 && isStore(await response.json());
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
