import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// Packs the package as it would be published, installs it in an empty project and uses it there.

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "shelfleet-"));
const installed = join(project, "node_modules/shelfleet");

function run(command: string, args: string[], cwd = project): void {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}`);
}

function install(): void {
  run("npm", ["pack", "--loglevel=error", "--pack-destination", project], root);
  const [packed] = globSync("*.tgz", { cwd: project });
  if (packed === undefined) throw new Error("npm pack wrote no file");
  cpSync(join(root, "test/package/fixture"), project, { recursive: true });
  run("npm", ["install", "--loglevel=error", "--no-audit", "--no-fund", "--prefer-offline", `./${packed}`]);
}

/** The rest has to work before these are there: msw is an optional peer, and a browser has no types of Node. */
function addForNode(): void {
  for (const name of ["msw", "@types"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "dir");
  }
}

function typeCheck(platform: "browser" | "node"): void {
  for (const resolution of ["nodenext", "bundler"]) {
    run("node", [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      `tsconfig.${platform}.${resolution}.json`,
    ]);
  }
}

/** Go-to-definition and stack traces land in readable source only if that source is in the package. */
function followMaps(): void {
  const maps = globSync("dist/**/*.map", { cwd: installed });
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(installed, map), "utf8")) as { sources: string[] };
    const missing = sources.find((source) => !existsSync(resolve(installed, dirname(map), source)));
    if (missing !== undefined) throw new Error(`${map} names ${missing}, which is not in the package`);
  }
  if (maps.length === 0) throw new Error("the package has no source maps");
}

const steps: [string, () => void][] = [
  ["installs in an empty project", install],
  ["imports without msw", () => run("node", ["import.mjs"])],
  ["loads with require() without msw", () => run("node", ["require.cjs"])],
  ["holds the sources of its maps", followMaps],
  ["type-checks without the types of Node", () => typeCheck("browser")],
  ["gets msw and the types of Node", addForNode],
  ["imports with msw", () => run("node", ["import-msw.mjs"])],
  ["type-checks with them", () => typeCheck("node")],
  ["runs its command", () => run(join(project, "node_modules/.bin/shelfleet"), ["--help"])],
];

try {
  for (const [name, step] of steps) {
    step();
    console.log(`ok ${name}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
