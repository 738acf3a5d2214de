// Runs the static checks, or those of the built package: `npm run check [-- NAME…]`, `npm run check:package [-- NAME…]`.
// A failure does not stop the others. Its output is printed, and the exit code is 1.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const contract = "../shared/contract/check/check-spec.mjs";

/** Checks of the source; none needs a build. */
const sourceChecks: Readonly<Record<string, string>> = {
  format: "biome format",
  // checks the types too, with the native compiler; the build checks those of the package with TypeScript 6
  lint: "npm run lint",
  specs: "npm run lint:specs",
  generated: "npm run generate -- --check",
  knip: "knip",
  sizes: "npm run sizes",
  // the contracts are not part of the repository
  ...(existsSync(`${root}${contract}`) ? { contract: `node ${contract}` } : {}),
};

/**
 * The one line in which the documents differ from the contract's checker. The contract does not say whether the persons of
 * a damage may be null, and gap fleet.absent-properties lets null pass there. The checker also applies the row of Person
 * itself at these places, and this row has no null, because an inspection always has a person.
 */
const EXPECTED_DISCREPANCY = "fleet Person: not nullable: accepts null (GET /damages/{id} 200)";

/** Checks of what is published; all need `npm run build`. */
const packageChecks: Readonly<Record<string, string>> = {
  api: "npm run api -- --check",
  exports: "npm run lint:package",
  tarball: "node test/release/tarball.ts",
  size: "node test/package/size.ts",
  audit: "node test/release/audit.ts",
};

/** Whether the checker of the contract found the expected discrepancy and nothing else; its last lines are totals. */
function isExpected(output: string): boolean {
  const discrepancies = output.split("\n").filter((line) => line !== "" && !/^\w+: \d+ of \d+ /.test(line));
  return discrepancies.length === 1 && discrepancies[0] === EXPECTED_DISCREPANCY;
}

function run(name: string, command: string): boolean {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: root,
    shell: true,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  const isOk = name === "contract" ? isExpected(stdout) : status === 0;
  console.log(`${isOk ? "ok    " : "FAILED"}  ${name.padEnd(10)} ${seconds} s`);
  if (!isOk || name === "audit") console.log(`${command}\n${stdout}${stderr}`);
  return isOk;
}

const given = process.argv.slice(2);
const checks = given.includes("--package") ? packageChecks : sourceChecks;
const selected = given.filter((name) => name !== "--package");
const unknown = selected.find((name) => !Object.hasOwn(checks, name));
if (unknown !== undefined) {
  console.error(`Unknown check "${unknown}". Expected one of ${Object.keys(checks).join(", ")}`);
  process.exitCode = 2;
} else {
  const results = Object.entries(checks)
    .filter(([name]) => selected.length === 0 || selected.includes(name))
    .map(([name, command]) => run(name, command));
  console.log(`${results.filter(Boolean).length} passed, ${results.filter((isOk) => !isOk).length} failed`);
  if (results.includes(false)) process.exitCode = 1;
}
