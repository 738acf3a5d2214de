import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { sourceOfTypes } from "../build/entry-sources.ts";
import { fleetClientReadings, gaps, repeatableReadings, storeClientReadings } from "../generated/gaps.ts";
import { type Block, blocks } from "./documentation.ts";
import { ambientGlobals } from "./guides/ambient-globals.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Declarations of the names that a block uses without an import: those of vitest, and those that stand for the
 * reader's code.
 */
const known: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["test", "expect", "beforeAll", "afterAll", "beforeEach", "afterEach"].map((name) => [
      name,
      `import { ${name} } from "vitest";`,
    ]),
  ),
  ...Object.fromEntries(Object.entries(ambientGlobals).map(([name, { declared }]) => [name, declared])),
};

/** The compiler's errors about a name that it cannot find. */
const UNKNOWN_NAME = new Set([2304, 2552, 2582, 2593, 18004]);

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => readFileSync(path, "utf8")) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  return { ...options, paths: { ...sources() } };
}

/** The package's name leads to its sources, so that the test needs no build. */
function sources(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, target]) =>
      typeof target === "string" ? [] : [[`shelfleet${name.slice(1)}`, [`./${sourceOfTypes(target.types)}`]]],
    ),
  );
}

/** The compiler's errors for each text, as a module next to package.json. */
function complaints(texts: ReadonlyMap<string, string>, before?: ts.Program) {
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, rest[0]);
    return before?.getSourceFile(path) ?? getSourceFile(path, ...rest);
  };
  const program = ts.createProgram([...texts.keys()], options, host, before);
  const found = new Map(
    [...texts.keys()].map((path) => {
      const file = program.getSourceFile(path);
      return [path, [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]];
    }),
  );
  return { program, found };
}

function findStatement(
  { document, line }: Block,
  { file, start, messageText }: ts.Diagnostic,
  added: number,
): string {
  const at = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line;
  return `${document}:${line + 1 + at - added}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}

test("every TypeScript block of README.md and docs/ compiles under the strictest options", () => {
  // `npm run test:recipes` checks the blocks for Playwright and Storybook, which are installed there
  const written = blocks().filter(
    ({ language, text }) => language === "ts" && !/"@(?:playwright|storybook)\//.test(text),
  );
  expect(written.length).toBeGreaterThan(10);
  const paths = written.map((_, index) => join(root, `block-${index}.ts`));
  const plain = new Map(written.map(({ text }, index) => [paths[index] ?? "", `${text}\nexport {};\n`]));
  const first = complaints(plain);

  const heads = paths.map((path) => {
    const text = plain.get(path) ?? "";
    const unknown = (first.found.get(path) ?? [])
      .filter(({ code }) => UNKNOWN_NAME.has(code))
      .map(({ start = 0, length = 0 }) => text.slice(start, start + length));
    return [...new Set(unknown)].flatMap((name) => known[name] ?? []);
  });
  const whole = new Map(
    paths.map((path, index) => [path, [...(heads[index] ?? []), plain.get(path)].join("\n")]),
  );
  const { found } = complaints(whole, first.program);
  const statements = written.flatMap((block, index) =>
    (found.get(paths[index] ?? "") ?? []).map((one) => findStatement(block, one, heads[index]?.length ?? 0)),
  );
  expect(statements).toEqual([]);
});

const guides = globSync("docs/*.md", { cwd: root }).toSorted();

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

describe("README.md", () => {
  test("has at most 120 lines and 1 200 words", () => {
    const readme = read("README.md");
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1200);
  });
});

test.each(["README.md", "llms.txt"])("%s links every guide", (path) => {
  const text = read(path);
  expect(guides.filter((guide) => !text.includes(`](${guide}`))).toEqual([]);
});

/** The tables of a guide that a script writes. */
const written = /<!-- \w+: begin, written by.*?<!-- \w+: end -->/gs;

test.each(guides)("%s has at most 250 lines besides written tables", (path) => {
  expect(read(path).replace(written, "").trimEnd().split("\n").length).toBeLessThanOrEqual(250);
});

test.each(guides)("%s begins with code, and says what the reader will have at the end", (path) => {
  const text = read(path);
  expect(text).toMatch(/^# .+\n\n```/);
  expect(text).toMatch(/\b(?:with|after|on) this\s+page\b/i);
});

test.each(guides)("%s names only gaps that exist", (path) => {
  const resources = new Set(Object.keys(gaps).map((id) => id.split(".")[0]));
  const named = [...read(path).matchAll(/gap `([\w.-]+)`|`([a-z-]+\.[a-z]+-[a-z-]+)`/g)].map(
    ([, after, hyphenated = ""]) => after ?? hyphenated,
  );
  const unknown = named.filter((id) => resources.has(id.split(".")[0] ?? "") && !(id in gaps));
  expect(unknown).toEqual([]);
});

test("docs/readings.md lists the readings that a client needs to know, with the default first", () => {
  const options: Record<string, readonly string[]> = { ...storeClientReadings, ...fleetClientReadings };
  // the client works without the readings that only decide about retries
  const aboutRetries = (gap: string) => gap in repeatableReadings || gap.endsWith("-not-processed");
  const needed = Object.entries(options).filter(([gap]) => !aboutRetries(gap));
  const rows = [...read("docs/readings.md").matchAll(/^\| `([^`]+)` \| (store|fleet) \| (`.+`) \|$/gm)];
  const listed = rows.map(({ 1: gap = "", 3: readings = "" }) => [
    gap,
    readings.replaceAll("`", "").split(", "),
  ]);
  expect(listed).toEqual(needed);
  const apis = rows.map(({ 1: gap = "", 2: api }) => [gap in storeClientReadings ? "store" : "fleet", api]);
  expect(apis.filter(([expected, api]) => expected !== api)).toEqual([]);
  const defaults = new Map(
    Object.entries(gaps).map(([id, gap]) => [id, "default" in gap ? gap.default : ""]),
  );
  expect(needed.filter(([gap, readings]) => defaults.get(gap) !== readings[0])).toEqual([]);
});
