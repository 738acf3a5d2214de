// Tests the examples, the tests and the TypeScript blocks of the last release against this build, and prints what broke:
// `npm run test:previous [-- COMMIT]`. Before the first release there is nothing to compare. Needs a build.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { blocksOf } from "../documentation.ts";
import { ambientGlobals } from "../guides/ambient-globals.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// below the package, so that its name leads to `dist`
const folder = `${root}reports/previous/`;

/** Declares the names that blocks use without declaring them, such as `store`. */
const globals = "globals.d.ts";

/** The compiler's errors about names and packages of the reader, which the project does not have, and what follows. */
const ignored = new Set([2304, 2307, 2552, 2580, 2582, 2593, 7006, 7031, 18004, 18046]);

function capture(command: string, args: readonly string[], cwd = root): { isOk: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 120_000 });
  return { isOk: status === 0, text: `${stdout}${stderr}` };
}

/** Returns the last release: the given commit, or the newest tag of a version. */
function findRelease(): string | undefined {
  const [given] = process.argv.slice(2);
  if (given !== undefined) return given;
  const { isOk, text } = capture("git", ["describe", "--tags", "--abbrev=0", "--match", "v*"]);
  return isOk ? text.trim() : undefined;
}

/** Writes the files of the release that use the package by its name; returns their paths. */
function extract(release: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}release.tar`;
  for (const [command, args] of [
    ["git", ["archive", "-o", archive, release, "README.md", "docs", "examples"]],
    ["tar", ["-xf", archive, "-C", folder]],
  ] as const) {
    const { isOk, text } = capture(command, args);
    if (!isOk) throw new Error(`${command}: ${text}`);
  }
  const examples = globSync("examples/*.ts", { cwd: folder });
  for (const path of examples) {
    const source = readFileSync(folder + path, "utf8");
    const named = source.replace(
      /"\.\.\/src(?:\/client|\/field)?(\/.*?)??(?:\/index)?\.ts"/g,
      '"shelfleet$1"',
    );
    writeFileSync(folder + path, named);
  }
  const documents = globSync(["README.md", "docs/*.md"], { cwd: folder });
  const blocks = documents.flatMap((document) => blocksOf(document, folder));
  const written = blocks
    .filter(({ language }) => language === "ts")
    .map(({ document, line, text }) => {
      const kind = text.includes('from "vitest"') ? ".test.ts" : ".ts";
      const path = `${document.replaceAll(/[/.]/g, "-")}-${line}${kind}`;
      writeFileSync(folder + path, `${text}\nexport {};\n`);
      return path;
    });
  const declarations = Object.values(ambientGlobals).map(({ declared }) => declared);
  writeFileSync(folder + globals, declarations.join("\n"));
  return [...examples, ...written].toSorted();
}

/** Returns the errors of the compiler, by file. */
function compile(paths: readonly string[]): Map<string, string[]> {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => readFileSync(path, "utf8")) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const program = ts.createProgram(
    [globals, ...paths].map((path) => folder + path),
    { ...options, noUnusedLocals: false },
  );
  const found = new Map<string, string[]>();
  for (const { file, code, messageText } of ts.getPreEmitDiagnostics(program)) {
    const path = file?.fileName.replace(folder, "") ?? "";
    if (ignored.has(code) || !paths.includes(path)) continue;
    found.set(path, [...(found.get(path) ?? []), ts.flattenDiagnosticMessageText(messageText, " ")]);
  }
  return found;
}

/** Runs an example or tests; returns the error if they end with one. An exit code alone may be what an example shows. */
function runComplete(path: string): string[] {
  const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", "--root", folder, path];
  const args = path.endsWith(".test.ts") ? vitest : [folder + path];
  const { isOk, text } = capture(process.execPath, args, folder); // where an example may write its files
  return isOk || !/^\s+at /m.test(text) ? [] : [/^.*Error: .*$/m.exec(text)?.[0] ?? "fails"];
}

const release = findRelease();
if (release === undefined) {
  console.log("no tag of a release (v1.2.3): nothing to compare; `-- COMMIT` names another version");
} else {
  const paths = extract(release);
  const errors = compile(paths);
  const broken = paths.flatMap((path) => {
    const isComplete = path.startsWith("examples/") || path.endsWith(".test.ts");
    const problems = errors.get(path) ?? (isComplete ? runComplete(path) : []);
    return problems.map((problem) => `${path}: ${problem}`);
  });
  for (const line of broken) console.log(line);
  const count = new Set(broken.map((line) => line.split(":")[0])).size;
  console.log(
    `${release}: ${paths.length} examples and blocks, ${count} broken by this build (docs/upgrade.md says what to do)`,
  );
}
