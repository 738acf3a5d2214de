import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Program {
  /** The lines of its output. */
  lines: string[];
  errors: () => string;
}

/** `shelfleet mock` with the given flags, for the current test. It has printed its first line. */
export async function startProgram(flags: string[]): Promise<Program> {
  const cli = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const child = spawn(process.execPath, [cli, "mock", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill());
  const lines: string[] = [];
  let errors = "";
  child.stderr.on("data", (bytes) => (errors += String(bytes)));
  const reader = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    child.on("exit", () => reject(new Error(errors)));
    reader.on("line", (line) => {
      lines.push(line);
      resolve();
    });
  });
  return { lines, errors: () => errors };
}
