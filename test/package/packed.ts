import { cpSync, existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const quietFlags = ["--loglevel=error", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];

/** The folder of a tarball that is packed already, so that `.ci/run` packs once. */
const packedIn = process.env["PACKED_IN"];

/** Packs the package as it would be published and installs it, and other packages with it, in a project like `fixture`. */
export function installPacked(fixture: string, project: string, ...others: string[]): void {
  if (packedIn === undefined) run("npm", ["pack", "--loglevel=error", "--pack-destination", project], root);
  const folder = packedIn ?? project;
  const [packed] = globSync("*.tgz", { cwd: folder });
  if (packed === undefined) throw new Error(`${folder} has no tarball`);
  cpSync(fixture, project, { recursive: true });
  install(project, join(folder, packed), ...others);
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
