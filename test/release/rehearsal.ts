// Makes a release of a copy of the repository, with everything but the upload: the placeholders are refused, the version and the
// changelog are set, and README's first example runs in an empty project with the tarball.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../package/command.ts";
import { install } from "../package/packed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "rehearsal-"));
const copy = join(home, "repository");
const project = join(home, "project");
const version = "99.0.0";
/** Nothing listens there: what is not refused before cannot be uploaded either. */
const nowhere = "--registry=http://127.0.0.1:1";

interface Outcome {
  status: number | null;
  output: string;
}

function attempt(command: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

function check(what: string, isOk: boolean, output: string): void {
  if (!isOk) throw new Error(`${what}: failed\n${output}`);
  console.log(`ok  ${what}`);
}

function copyRepository(): void {
  for (const name of run("git", ["ls-files"], root).trim().split("\n")) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(root, name), join(copy, name));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  run("git", ["init", "--quiet"], copy);
  run("git", ["config", "user.name", "Rehearsal"], copy);
  run("git", ["config", "user.email", "rehearsal@example.com"], copy);
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  commit("the copy");
}

function commit(message: string): void {
  run("git", ["add", "--all"], copy);
  run("git", ["commit", "--quiet", "--message", message], copy);
}

function refusePlaceholders(): void {
  const { status, output } = attempt("npm", ["publish", "--ignore-scripts=false", nowhere]);
  const sentence = "package.json has placeholders: set `repository`, `homepage`, `bugs`";
  check("a release with placeholders is refused", status !== 0 && output.includes(sentence), output);
}

function setVersion(): void {
  const url = "https://code.example.com/shelfleet";
  const urls = [`repository.url=git+${url}.git`, `homepage=${url}`, `bugs=${url}/issues`];
  run("npm", ["pkg", "set", ...urls], copy);
  const file = join(copy, "CHANGELOG.md");
  const changelog = readFileSync(file, "utf8");
  writeFileSync(file, changelog.replace("\n## [", "\n## [Unreleased]\n\n- An entry.\n\n## ["));
  commit("the URLs of the repository");
  run("npm", ["version", version, "--ignore-scripts=false"], copy);
  const tagged = run("git", ["show", `v${version}`, "--stat"], copy);
  const files = ["CHANGELOG.md", "package-lock.json", "package.json", "src/wire/version.ts"];
  check(
    "npm version commits and tags",
    files.every((name) => tagged.includes(name)),
    tagged,
  );
  const [first] = readFileSync(file, "utf8").match(/^## .*\n\n.*/m) ?? [];
  check(
    "the changelog has the version",
    /^## \[99\.0\.0\] - \S+\n\n- An entry\.$/.test(first ?? ""),
    String(first),
  );
}

/** Builds and packs as `npm publish` does, and returns the tarball. */
function pack(): string {
  run("npm", ["run", "build"], copy);
  run("npm", ["run", "prepublishOnly"], copy);
  const { status, output } = attempt("npm", ["publish", "--dry-run", "--ignore-scripts"]);
  const warnings = output.split("\n").filter((line) => line.startsWith("npm warn"));
  const unknown = warnings.filter((line) => !line.includes("requires you to be logged in"));
  check("npm publish --dry-run warns of nothing but the login", status === 0 && unknown.length === 0, output);
  run("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", home], copy);
  return join(home, `shelfleet-${version}.tgz`);
}

/** Runs README's first example, as it is, against the command of the package. */
function runExample(tarball: string): void {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  install(project, tarball);
  const [, example = ""] = /```ts\n([^]*?)```/.exec(readFileSync(join(copy, "README.md"), "utf8")) ?? [];
  writeFileSync(join(project, "example.ts"), example);
  const program = [
    'import { createReferenceServer } from "shelfleet/mock";',
    'import { serve } from "shelfleet/mock/node";',
    "const ref = createReferenceServer();",
    "const { storeUrl, fleetUrl, close } = await serve(ref, { port: 0 });",
    "process.env.SHELFLEET_STORE_URL = storeUrl;",
    "process.env.SHELFLEET_FLEET_URL = fleetUrl;",
    "process.env.SHELFLEET_TOKEN = ref.token;",
    "process.env.SHELFLEET_KEY = ref.key;",
    'await import("./example.ts");',
    "await close();",
    "console.log(`${ref.journal.all().length} requests`);",
  ];
  writeFileSync(join(project, "start.mjs"), program.join("\n"));
  const output = run(process.execPath, ["start.mjs"], project);
  check("README's first example runs", /^[1-9]\d* requests$/m.test(output), output);
  const shown = run(process.execPath, ["node_modules/shelfleet/dist/cli.js", "--version"], project);
  check("the command says the version", shown.includes(version), shown);
}

try {
  copyRepository();
  refusePlaceholders();
  setVersion();
  runExample(pack());
} finally {
  rmSync(home, { recursive: true, force: true });
}
