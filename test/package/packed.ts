import { cpSync, existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const quietFlags = ["--loglevel=error", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];

/** Packs the package as it would be published and installs it, and other packages with it, in a project like `fixture`. */
export function installPacked(fixture: string, project: string, ...others: string[]): void {
  run("npm", ["pack", "--loglevel=error", "--pack-destination", project], root);
  const [packed] = globSync("*.tgz", { cwd: project });
  if (packed === undefined) throw new Error("npm pack wrote no file");
  cpSync(fixture, project, { recursive: true });
  install(project, `./${packed}`, ...others);
}

/** Installs packages in a project. */
export function install(project: string, ...packages: string[]): void {
  run("npm", ["install", ...quietFlags, ...packages], project);
}

/** Installs what the lock of a private package says, unless it is there already. */
export function installLocked(directory: string): void {
  const installed = join(directory, "node_modules/.package-lock.json");
  const changed = statSync(join(directory, "package-lock.json")).mtimeMs;
  if (!process.env["CI"] && existsSync(installed) && statSync(installed).mtimeMs >= changed) return;
  run("npm", ["ci", ...quietFlags], directory);
}
