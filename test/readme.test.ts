import { globSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { sourceOfTypes } from "../build/entry-sources.ts";
import { readGaps } from "../specs/generate/gaps.ts";
import type { NodeTransportOptions } from "../src/client/node.ts";
import type { CallOptions, FleetClientOptions, StoreClientOptions } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";
import { serve } from "../src/mock/adapters/serve.ts";
import type { ApplyResult, EnsureResult } from "../src/sync/index.ts";
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
  // Playwright is installed for `npm run test:recipes`, and pg for `npm run test:postgres`
  const written = blocks().filter(
    ({ language, text }) => language === "ts" && !/"@playwright\/|from "pg"/.test(text),
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

const guides = globSync("docs/[a-z]*.md", { cwd: root }).toSorted();

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const onOneLine = (text: string): string => text.replaceAll(/[*\s]+/g, " ");

describe("README.md", () => {
  const readme = read("README.md");

  test("has at most 90 lines and 500 words", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(500);
  });

  test("promises what docs/guarantees.md says, word for word", () => {
    const promises = [...readme.matchAll(/^- \*\*(.*?)\*\*$/gms)].map(([, promise = ""]) =>
      onOneLine(promise),
    );
    expect(promises).toHaveLength(4);
    const guarantees = onOneLine(read("docs/guarantees.md"));
    expect(promises.filter((promise) => !guarantees.includes(promise))).toEqual([]);
  });

  test("has the numbers of docs/prove.md", () => {
    const [, all = "", right = "", loud = "", silent = ""] =
      /Of (\d+) scenarios .* right in (\d+), stops with an error in (\d+), and is silently wrong in (\d+)/.exec(
        onOneLine(readme),
      ) ?? [];
    const [row = ""] = read("docs/prove.md").match(/^\| shelfleet, the guides \|.*$/m) ?? [];
    expect(
      row
        .split("|")
        .slice(3, 7)
        .map((cell) => cell.trim()),
    ).toEqual([all, right, loud, silent]);
  });
});

test.each(["README.md", "docs/llms.txt"])("%s links every guide", (path) => {
  const text = read(path);
  const linkTo = (guide: string): string => `](${relative(dirname(path), guide)}`;
  expect(guides.filter((guide) => !text.includes(linkTo(guide)))).toEqual([]);
});

/** The options of the clients and of a call; the compiler names a missing one. */
const options: Record<
  keyof (StoreClientOptions & FleetClientOptions & CallOptions & NodeTransportOptions),
  true
> = {
  allowInsecure: true,
  apiVersion: true,
  baseUrl: true,
  cache: true,
  connect: true,
  connections: true,
  dispatcher: true,
  environments: true,
  fetch: true,
  headers: true,
  hooks: true,
  http2: true,
  identify: true,
  key: true,
  keyPrefix: true,
  limiter: true,
  log: true,
  maxConcurrency: true,
  maxResponseBytes: true,
  onDrift: true,
  photoPage: true,
  protocolPages: true,
  proxy: true,
  repeatable: true,
  retry: true,
  runtime: true,
  scopes: true,
  shapes: true,
  signal: true,
  templateFilters: true,
  timePrecision: true,
  timeout: true,
  token: true,
  totalTimeout: true,
  transport: true,
  validate: true,
  wholeLists: true,
};

test("the guides name each option of the clients", () => {
  const code = guides.flatMap((path) => read(path).match(/`[^`\n]+`|^```.*?^```/gms) ?? []).join("\n");
  const missing = Object.keys(options).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(missing).toEqual([]);
});

/** What a job can say about a row; the compiler names a missing one. */
const results: Record<ApplyResult["outcome"] | EnsureResult<object>["outcome"], true> = {
  conflict: true,
  differs: true,
  done: true,
  failed: true,
  kept: true,
  planned: true,
  skipped: true,
  unchanged: true,
};

test("docs/write.md names each outcome of a row", () => {
  const guide = read("docs/write.md");
  expect(Object.keys(results).filter((outcome) => !guide.includes(`\`${outcome}\``))).toEqual([]);
});

test("docs/other-languages.md names the status of a request with another Host", async () => {
  const { port, close } = await serve(createReferenceServer());
  const headers = { host: `mock:${port}` };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = get({ port, headers }, (response) => resolve(response.resume().statusCode));
    request.on("error", reject);
  });
  await close();
  expect(read("docs/other-languages.md")).toContain(`| ${status} from a container |`);
});

test("there are at most 12 guides, besides the guarantees and the generated tables", () => {
  const others = /(?:gaps|guarantees|operations|scenarios)\.md$/;
  expect(guides.filter((guide) => !others.test(guide)).length).toBeLessThanOrEqual(12);
});

test.each(guides)("%s begins with code", (path) => {
  expect(read(path)).toMatch(/^# .+\n\n```/);
});

test.each(guides)("%s names only gaps that exist", (path) => {
  const gaps = new Set(readGaps().map(({ id }) => id));
  const resources = new Set([...gaps].map((id) => id.split(".")[0]));
  const named = [...read(path).matchAll(/gap `([\w.-]+)`|`([a-z-]+\.[a-z]+-[a-z-]+)`/g)].map(
    ([, after, hyphenated = ""]) => after ?? hyphenated,
  );
  const unknown = named.filter((id) => resources.has(id.split(".")[0] ?? "") && !gaps.has(id));
  expect(unknown).toEqual([]);
});
