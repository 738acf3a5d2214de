import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { packageFolder } from "./package-under-test.ts";
import { storeNumber, storesOfPage, token } from "./responses.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Document = Record<"paths", Record<string, Record<string, Operation>>>;
type Operation = Partial<Record<"responses", Record<string, { content?: Record<string, Content> }>>>;

interface Content {
  example?: unknown;
  examples?: unknown;
}

/** Writes the document with the stores of this folder as its examples, which are as long as those of the reference server. */
function writePrismDocument(): string {
  const { paths, ...document } = parse(readFileSync(here("../specs/store.openapi.yaml"), "utf8")) as Document;
  const page = { items: storesOfPage(0), nextCursor: "S-100" };
  for (const [path, operations] of Object.entries(paths)) {
    const example = { "/v1/stores": page, "/v1/stores/{externalId}": storeNumber(1) }[path];
    for (const { responses } of Object.values(operations)) {
      const content = responses?.["200"]?.content?.["application/json"];
      if (content === undefined || example === undefined) continue;
      delete content.examples;
      content.example = example;
    }
  }
  const file = here(`work/prism-${process.pid}.json`);
  writeFileSync(file, JSON.stringify({ ...document, paths }));
  return file;
}

/** The command line of a contender. */
export function commandOf(contender: string): string[] {
  if (contender === "shelfleet")
    return [`${packageFolder}/dist/cli.js`, "mock", "--stores", "1000", "--token", token, "--quiet"];
  const prism = here("node_modules/@stoplight/prism-cli/dist/index.js");
  return [prism, "mock", writePrismDocument(), "--verboseLevel", "silent"];
}

/** No system gives ports below 32,768 to other programs by itself. */
let port = 10_000 + (process.pid % 20_000);

let program: ChildProcess | undefined;

export function stopProgram(): void {
  program?.kill("SIGKILL");
}

process.once("exit", stopProgram);

/** Starts a program and waits for its first response. Returns its origin. */
export async function startProgram(command: readonly string[]): Promise<string> {
  port += 1;
  program = spawn(process.execPath, [...command, "--port", `${port}`], { stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isResponding(origin))) {
    if (program.exitCode !== null) throw new Error(`${command[0]} ended with ${program.exitCode}`);
    await sleep(5);
  }
  return origin;
}

async function isResponding(origin: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/v1/stores/S-1`, { headers }).catch(() => undefined);
  return isStore(await response?.json());
}

export function isStore(response: unknown): boolean {
  return typeof (response as { storeId?: unknown } | undefined)?.storeId === "string";
}
