import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cpus, loadavg, totalmem } from "node:os";

/** The machine and the versions of the measured packages. */
export interface Environment {
  date: string;
  mode: "quick" | "full";
  commit: string;
  /** The seed of the contenders' order. */
  seed: number;
  /** The duration of the run. */
  minutes: number;
  node: string;
  platform: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  /** The load in the minute before the run: much above 0 means that other programs were running. */
  load: number;
  versions: Record<string, string>;
}

/** Whether figures measured under this load must be discarded. */
export const isDisturbed = (load: number): boolean => load > 0.5;

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

/** Before the run, when its duration is not known yet. */
export function environment(quick: boolean, seed: number): Environment {
  return {
    date: new Date().toISOString().slice(0, 10),
    mode: quick ? "quick" : "full",
    commit: commit(),
    seed,
    minutes: 0,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    versions: versions(),
  };
}

function versions(): Record<string, string> {
  const { version } = read("../package.json") as { version: string };
  const { version: typescript } = read("../node_modules/typescript/package.json") as { version: string };
  const { version: esbuild } = read("../node_modules/esbuild/package.json") as { version: string };
  const { version: redocly } = read("../node_modules/@redocly/cli/package.json") as { version: string };
  const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
  // an alias is written npm:msw@2.15.0
  const others = Object.entries(dependencies).map(([name, range]): [string, string] => [
    name,
    range.split("@").at(-1) ?? range,
  ]);
  return { shelfleet: version, ...Object.fromEntries(others), redocly, typescript, esbuild };
}

/** The commit, with a plus sign if the working tree differs from it. */
function commit(): string {
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "generated") !== "";
    return git("rev-parse", "--short", "HEAD") + (changed ? "+" : "");
  } catch {
    return "unknown";
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}
