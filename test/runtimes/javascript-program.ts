import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Outcomes, Runtime } from "./runtime.ts";

const run = promisify(execFile);
const modules = fileURLToPath(new URL("node_modules", import.meta.url));
/** The time limit for a walk over a stalled connection that would not end. */
const timeout = 60_000;

/** A runtime that is a program and runs `program.mjs`. */
export function program(
  { name, path, args = [] }: { name: string; path: string; args?: string[] },
  { limits }: Pick<Runtime, "limits">,
): Runtime {
  const file = join(modules, path);
  return {
    name,
    locked: true,
    ways: ["network", "write", "mock", "msw", "msw2", "serve", "node", "require"],
    limits,
    version: async () => {
      const { stdout } = await run(file, ["--version"], { timeout });
      return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? "";
    },
    walk: async ({ project, baseUrls }) => {
      const options = { cwd: project, timeout };
      const { stdout } = await run(file, [...args, "program.mjs", JSON.stringify(baseUrls)], options);
      return JSON.parse(stdout) as Outcomes;
    },
  };
}
