import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A server that runs until it is stopped. */
export interface Service {
  url: string;
  stop(): Promise<void>;
}

/** A program is not installed. */
export class MissingError extends Error {
  override readonly name = "MissingError";

  constructor(program: string, debianPackage: string) {
    super(
      `${program} is not installed. Use apt-get install ${debianPackage}, or docker compose up (see README.md)`,
    );
  }
}

/** Finds a program in the given folders or on the PATH. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders, ...path, "/usr/bin", "/usr/sbin"]
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian has a separate folder for the programs of each PostgreSQL version; the newest comes first. */
export function postgresFolders(): string[] {
  const root = "/usr/lib/postgresql";
  try {
    const versions = readdirSync(root).toSorted((one, other) => Number(other) - Number(one));
    return versions.map((version) => join(root, version, "bin"));
  } catch {
    return [];
  }
}

/** Creates a temporary folder for a service. */
export function temporaryFolder(name: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `shelfleet-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The user that a program runs as; root may not run PostgreSQL. */
export function userOf(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const number = (flag: string): number =>
      Number(execFileSync("id", [flag, name], { stdio: "pipe" }).toString());
    return { uid: number("-u"), gid: number("-g") };
  } catch {
    throw new Error(`PostgreSQL cannot run as root, and the user ${name} does not exist`);
  }
}

/** The time in ms after which a program that does not start is given up. It only ends what hangs. */
const PATIENCE = 120_000;

/**
 * Starts a program and waits until its port or socket accepts connections. If it does not start, the error contains its
 * output.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  target: number | string,
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-2_000);
    });
  for (const late = performance.now() + PATIENCE; performance.now() < late; await pause(50)) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
    if (await isResponding(target)) return child;
  }
  child.kill("SIGKILL");
  throw new Error(`${program} did not start within ${PATIENCE / 1_000} s: ${output}`);
}

/** Sends a signal to a program, and kills it after 10 s. */
export async function stopProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await gone;
  clearTimeout(late);
}

/** Whether a server listens on a port or a socket of this machine. */
export function isResponding(target: number | string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(
      typeof target === "number" ? { port: target, host: "127.0.0.1" } : { path: target },
    );
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
