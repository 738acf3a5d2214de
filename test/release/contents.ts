import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import ts from "typescript";

/** A file in the output of `npm pack --json`. */
export interface Packed {
  path: string;
  mode: number;
}

/** The only files that users get: programs and declarations, the sources that their maps name, and the documents. */
const meant = [
  /^(package\.json|README\.md|LICENSE|AGENTS\.md|CHANGELOG\.md)$/,
  /^docs\/([\w-]+\.(md|svg)|llms\.txt|skills\/shelfleet\/SKILL\.md)$/,
  /^examples\/([\w-]+\/)?[\w.-]+\.(md|ts|csv)$/,
  /^bench\/(README\.md|figures\.svg)$/,
  /^dist\/([\w/-]+|(store|fleet)\.\w+-\w+)\.js$/,
  /^dist\/[\w./-]+\.d\.ts(\.map)?$/,
  /^src\/(client|sync|wire)\/[\w./-]+\.ts$/,
  /^generated\/(store|fleet)\.(enums|limits)\.ts$/,
  /^specs\/(store\.openapi|fleet\.openapi|control\.openapi|gaps)\.yaml$/,
  /^specs\/state\.schema\.json$/,
];

const command = "dist/cli.js";

/** The problems of a tarball with these files of `root`, one sentence each. */
export function tarballProblems(root: string, files: readonly Packed[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const all = [...paths];
  const reached = reachedFrom(root, entries(root));
  const runnable = files.filter(({ path, mode }) => path !== command && (mode & 0o111) !== 0);
  const findings: [string, string[]][] = [
    ["is not meant to be there", all.filter((path) => !meant.some((form) => form.test(path)))],
    ["is missing", [...reached, ...mapped(root, all)].filter((path) => !paths.has(path))],
    [
      "is reached from no entry point",
      all.filter((path) => /^dist\/.*\.(js|d\.ts)$/.test(path) && !reached.has(path)),
    ],
    ["may be run", runnable.map(({ path }) => path)],
    ["names a place on the machine that built it", all.filter((path) => namesAPlace(root, path))],
  ];
  const dead = all.flatMap((path) => deadLinks(root, path, all).map((link) => `${path} links to ${link}`));
  return [
    ...findings.flatMap(([problem, found]) => found.map((path) => `${path} ${problem}`)),
    ...dead.map((sentence) => `${sentence}, which it does not contain`),
  ];
}

/** The relative links of a document that lead out of the tarball, and links to headings that do not exist. */
function deadLinks(root: string, document: string, paths: readonly string[]): string[] {
  if (!/\.(md|txt)$/.test(document)) return [];
  const links = [...prose(root, document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [path = "", anchor = ""] = link.split("#");
    const target = path === "" ? document : normalize(join(dirname(document), path));
    if (!paths.some((one) => one === target || one.startsWith(`${target}/`))) return true;
    return anchor !== "" && target.endsWith(".md") && !headings(root, target).has(anchor);
  });
}

/** The anchors of a document's headings. */
function headings(root: string, document: string): ReadonlySet<string> {
  const titles = [...prose(root, document).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** A document without its blocks of code. */
function prose(root: string, document: string): string {
  return readFileSync(join(root, document), "utf8").replace(/^```.*?^```$/gms, "");
}

/** The files that `exports` and `bin` name. */
function entries(root: string): string[] {
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | Record<string, string>>;
    bin: Record<string, string>;
  };
  const targets = Object.values(exports).flatMap((one) =>
    typeof one === "string" ? [one] : Object.values(one),
  );
  return [...targets, ...Object.values(bin)].map(normalize).filter((path) => !path.includes("*"));
}

/**
 * The entry points and every program or declaration that they import. Any other file in `dist` is left over from
 * another build.
 */
function reachedFrom(root: string, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    if (!/\.(js|d\.ts)$/.test(path) || !existsSync(join(root, path))) return;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), "utf8"), true, true);
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith(".")) continue;
      const target = join(path, "..", fileName);
      follow(path.endsWith(".js") ? target : target.replace(/\.js$/, ".d.ts"));
    }
  };
  for (const start of starts) follow(start);
  return reached;
}

/** The sources to which the maps of declarations lead. */
function mapped(root: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.endsWith(".d.ts.map"))
    .flatMap((path) => {
      const { sources = [] } = JSON.parse(readFileSync(join(root, path), "utf8")) as { sources?: string[] };
      return sources.map((source) => normalize(join(dirname(path), source)));
    });
}

function namesAPlace(root: string, path: string): boolean {
  const text = readFileSync(join(root, path), "utf8");
  return text.includes(normalize(`${root}/`)) || /file:\/\/\/(home|Users|root|work)\//.test(text);
}
