import { spawnSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs the contenders and the tools, if they are missing or older than the lock file. */
export function install(log: (line: string) => void): void {
  if (!olderThan("bench/node_modules/.package-lock.json", ["bench/package-lock.json"])) return;
  log("the contenders are not installed: npm ci in bench");
  npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"], here);
}

/** Builds and generates what the measurements need, if it is missing or older than its sources. */
export function makeReady(log: (line: string) => void): void {
  if (olderThan("dist/index.js", ["src/**/*.ts", "generated/*.ts", "package.json"])) {
    log("dist is missing or older than the sources: npm run build");
    npm(["run", "build"], root);
  }
  if (
    olderThan("bench/generated/redocly/built/package.json", [
      "specs/*.yaml",
      "bench/package-lock.json",
      "bench/generate.ts",
    ])
  ) {
    log("generating the clients of @hey-api/openapi-ts and Redocly CLI");
    start("node", ["generate.ts"], here);
  }
}

/** The time of the build; it changes if the package is built during a run. */
export function buildTime(): number {
  return statSync(`${root}/dist/index.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function olderThan(product: string, sources: string[]): boolean {
  const path = `${root}/${product}`;
  if (!existsSync(path)) return true;
  const made = statSync(path).mtimeMs;
  return globSync(sources, { cwd: root }).some((source) => statSync(`${root}/${source}`).mtimeMs > made);
}

function npm(args: string[], cwd: string): void {
  start(process.platform === "win32" ? "npm.cmd" : "npm", args, cwd);
}

function start(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}
