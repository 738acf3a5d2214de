import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publishSteps, releaseProblems } from "./readiness.ts";

// Checks whether this commit can be published, and prints the commands. Publishes nothing.

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const folder = "reports/release";

function run(command: string, args: string[], output: "inherit" | "pipe" = "inherit"): string {
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", output, "inherit"],
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${status}`);
  return stdout;
}

function check(): void {
  const problems = releaseProblems({
    status: run("git", ["status", "--porcelain"], "pipe"),
    manifest: JSON.parse(read("package.json")) as object,
    lock: JSON.parse(read("package-lock.json")) as object,
    changelog: read("CHANGELOG.md"),
    npm: run("npm", ["--version"], "pipe").trim(),
  });
  for (const problem of problems) console.error(`not ready: ${problem}`);
  if (problems.length > 0) throw new Error("this cannot be published as it stands");
}

/** Packs the files that were built and tested, so that publishing the packed file builds nothing. */
function pack(): string {
  mkdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true });
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const [packed] = JSON.parse(run("npm", args, "pipe")) as { filename: string; integrity: string }[];
  if (packed === undefined) throw new Error("npm pack wrote no file");
  console.log(`packed ${folder}/${packed.filename}, ${packed.integrity}`);
  return `${folder}/${packed.filename}`;
}

try {
  check();
  run(".ci/run", []); // installs, tests, builds, checks the package
  run(process.execPath, ["test/release/audit.ts"]); // runs again to print whether the registry responded
  check(); // the checks must not have changed a file of the commit
  const file = pack();
  console.log(["ready:", ...publishSteps(file, process.env)].join("\n"));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
