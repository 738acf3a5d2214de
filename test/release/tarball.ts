import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";

// Looks into the tarball that npm would publish; wants a build.

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Packed {
  path: string;
  mode: number;
}

/** What a user gets, and nothing else: programs with their maps, declarations with theirs, the sources that both lead to, the documents. */
const meant = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(?!types\/)[\w/-]+\.js(\.map)?$/,
  /^dist\/types\/(src|generated)\/[\w./-]+\.d\.ts(\.map)?$/,
  /^(src|generated)\/[\w./-]+\.ts$/,
  /^specs\/(store\.openapi|fleet\.openapi|gaps)\.yaml$/,
];

const command = "dist/cli.js";

/** What is wrong with the tarball that npm would make, a sentence each. */
function problems(files: readonly Packed[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const all = [...paths];
  const runnable = files.filter(({ path, mode }) => path !== command && (mode & 0o111) !== 0);
  const findings: [string, string[]][] = [
    ["is not meant to be there", all.filter((path) => !meant.some((form) => form.test(path)))],
    ["is missing", missing(paths)],
    ["is reached from no entry point", unreached(paths)],
    ["has no source", withoutSource(all)],
    ["may be run", runnable.map(({ path }) => path)],
    ["names a place on the machine that built it", all.filter(namesAPlace)],
  ];
  return findings.flatMap(([what, found]) => found.map((path) => `${path} ${what}`));
}

function packedFiles(): Packed[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  const [packed] = JSON.parse(stdout) as { files: Packed[] }[];
  if (packed === undefined) throw new Error("npm pack named no package");
  return packed.files;
}

/** The files that `exports` and `bin` name. */
function entries(): string[] {
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string; default: string }>;
    bin: Record<string, string>;
  };
  const targets = Object.values(exports).flatMap((one) =>
    typeof one === "string" ? [one] : [one.types, one.default],
  );
  return [...targets, ...Object.values(bin)].map(normalize).filter((path) => !path.includes("*"));
}

/** The programs in `dist` that no entry point leads to: left over from another build. */
function unreached(paths: ReadonlySet<string>): string[] {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path) || !paths.has(path)) return;
    reached.add(path);
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), "utf8"), true, true);
    for (const { fileName } of importedFiles)
      if (fileName.startsWith(".")) follow(join(path, "..", fileName));
  };
  for (const entry of entries()) if (entry.endsWith(".js")) follow(entry);
  return [...paths].filter((path) => /^dist\/.*\.js$/.test(path) && !reached.has(path));
}

/** Declarations of sources that are there no more. */
function withoutSource(paths: readonly string[]): string[] {
  const declarations = paths.filter((path) => path.endsWith(".d.ts"));
  return declarations.filter(
    (path) => !existsSync(join(root, path.replace(/^dist\/types\//, "").replace(/\.d\.ts$/, ".ts"))),
  );
}

/** Entry points and sources that did not make it into the tarball. */
function missing(paths: ReadonlySet<string>): string[] {
  const sources = globSync(["src/**/*.ts", "generated/*.ts"], { cwd: root });
  return [...entries(), ...sources].filter((path) => !paths.has(path));
}

function namesAPlace(path: string): boolean {
  const text = readFileSync(join(root, path), "utf8");
  return text.includes(normalize(`${root}/`)) || /file:\/\/\/(home|Users|root|work)\//.test(text);
}

const files = packedFiles();
const found = problems(files);
for (const problem of found) console.error(`the tarball: ${problem}`);
if (found.length === 0) console.log(`the tarball holds ${files.length} files, each of them meant`);
else process.exitCode = 1;
