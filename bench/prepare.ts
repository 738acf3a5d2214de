import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs, builds and generates what is missing or older than its sources. */
export function prepare(): void {
  mkdirSync(`${here}work`, { recursive: true });
  if (isOlder("bench/node_modules/.package-lock.json", ["bench/package-lock.json"])) install(here);
  if (isOlder("dist/index.js", ["src/**/*.ts", "generated/*.ts", "package.json"])) build(root);
  const sources = ["specs/*.yaml", "bench/package-lock.json", "bench/generate.ts"];
  if (isOlder("bench/generated/hey-api-zod/built/store/index.js", sources)) {
    start(process.execPath, ["generate.ts"], here);
  }
}

/** The folder of another build: a folder with its `dist`, or a commit, which is installed and built once. */
export function prepareOld(commitOrFolder: string): string {
  if (existsSync(`${commitOrFolder}/dist`)) return resolve(commitOrFolder);
  const folder = `${tmpdir()}/shelfleet-${commitOrFolder}`; // outside, because it has its own settings of tools
  if (existsSync(`${folder}/dist`)) return folder;
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commitOrFolder], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  install(folder);
  build(folder);
  return folder;
}

function install(folder: string): void {
  start("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], folder);
}

function build(folder: string): void {
  start("npm", ["run", "build"], folder);
}

function isOlder(product: string, sources: string[]): boolean {
  const made = statSync(root + product, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(sources, { cwd: root }).some((source) => statSync(root + source).mtimeMs > made);
}

function start(command: string, args: string[], cwd: string): void {
  console.error(`${command} ${args.join(" ")} in ${cwd}`);
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}
