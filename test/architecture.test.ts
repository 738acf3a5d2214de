import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync(["src/**/*.ts", "generated/*.ts"], { cwd: root }).toSorted();

/** Utilities without knowledge of a contract. */
const INTERNAL = /^src\/internal\//;

/** All that an adapter sees of the kernel. */
const ENDPOINT = /^src\/mock\/kernel\/endpoint\.ts$/;

/** The assembled server and its types. */
const SERVER = /^src\/mock\/(reference-server|state)\.ts$/;

/** Which part of the package a file belongs to, and what that part may import besides itself. */
const parts: { part: string; files: RegExp; imports: RegExp[] }[] = [
  { part: "generated", files: /^generated\//, imports: [] },
  { part: "internal", files: INTERNAL, imports: [] },
  // the layers inside core, lowest first
  { part: "core/transport", files: /^src\/core\/transport\//, imports: [INTERNAL] },
  { part: "core/errors", files: /^src\/core\/errors\//, imports: [INTERNAL] },
  {
    part: "core/options",
    files: /^src\/core\/options\//,
    imports: [/^src\/core\/(errors|transport)\//, INTERNAL],
  },
  {
    part: "core/request",
    files: /^src\/core\/request\//,
    imports: [/^src\/core\/(errors|transport|options)\//, /^generated\/operation\.ts$/, INTERNAL],
  },
  {
    part: "core/pagination",
    files: /^src\/core\/pagination\//,
    imports: [/^src\/core\/(errors|options|request)\//, INTERNAL],
  },
  { part: "core", files: /^src\/core\/[^/]+$/, imports: [/^src\/core\//, INTERNAL] },
  {
    part: "store",
    files: /^src\/store\//,
    imports: [/^src\/core\//, /^generated\/(store\b|gaps|readings)/, INTERNAL],
  },
  {
    part: "fleet",
    files: /^src\/fleet\//,
    imports: [/^src\/core\//, /^generated\/(fleet\b|gaps|readings)/, INTERNAL],
  },
  { part: "node", files: /^src\/node\//, imports: [/^src\/core\/(transport|errors)\//] },
  {
    part: "opentelemetry",
    files: /^src\/opentelemetry\//,
    imports: [/^src\/core\/(options|errors)\//, /^src\/core\/version\.ts$/],
  },
  {
    part: "tanstack-query",
    files: /^src\/tanstack-query\//,
    imports: [/^src\/core\/(options|errors)\//],
  },
  // the layers inside mock, lowest first: the kernel knows neither API, and adapters know the kernel by its endpoint
  {
    part: "mock/kernel",
    files: /^src\/mock\/kernel\//,
    imports: [/^generated\/(gaps|readings)\.ts$/, INTERNAL],
  },
  {
    part: "mock/seed",
    files: /^src\/mock\/seed\//,
    imports: [/^src\/mock\/kernel\//, INTERNAL],
  },
  {
    part: "mock/apis/store",
    files: /^src\/mock\/apis\/store\//,
    imports: [/^src\/mock\/(kernel|seed)\//, /^generated\/store\b/, INTERNAL],
  },
  {
    part: "mock/apis/fleet",
    files: /^src\/mock\/apis\/fleet\//,
    imports: [/^src\/mock\/(kernel|seed)\//, /^generated\/(fleet\b|operation\.ts)/, INTERNAL],
  },
  {
    part: "mock/apis",
    files: /^src\/mock\/apis\/[^/]+$/,
    imports: [/^src\/mock\/kernel\//, /^src\/mock\/apis\//, /^generated\//],
  },
  {
    part: "mock/adapters/fetch",
    files: /^src\/mock\/adapters\/fetch\//,
    imports: [ENDPOINT, INTERNAL],
  },
  {
    part: "mock server",
    files:
      /^src\/mock\/(reference-server|server-state|state|exported-state|credentials|options|option-checks)\.ts$/,
    imports: [/^src\/mock\/(kernel|seed|apis|adapters\/fetch)\//, /^generated\//],
  },
  {
    part: "mock/adapters/msw",
    files: /^src\/mock\/adapters\/msw\//,
    imports: [ENDPOINT, SERVER, /^src\/mock\/adapters\/fetch\//],
  },
  {
    part: "mock/adapters/node",
    files: /^src\/mock\/adapters\/node\//,
    imports: [ENDPOINT, SERVER, INTERNAL],
  },
  {
    part: "mock entries",
    files: /^src\/mock\/(index|msw|node)\.ts$/,
    imports: [/^src\/mock\//, /^generated\/control\.ts$/],
  },
  {
    part: "mock/control",
    files: /^src\/mock\/control\//,
    imports: [ENDPOINT, SERVER, /^src\/mock\/(index\.ts|adapters\/node\/|apis\/fleet\/keys\.ts)/, INTERNAL],
  },
  {
    part: "cli",
    files: /^src\/cli(\/|\.ts)/,
    imports: [
      /^src\/mock\/(index|msw|node)\.ts$/,
      /^src\/mock\/control\//,
      /^src\/(probe|proxy|compare)\//,
      /^generated\//,
      INTERNAL,
    ],
  },
  { part: "proxy", files: /^src\/proxy\//, imports: [/^generated\//, INTERNAL] },
  {
    part: "compare",
    files: /^src\/compare\//,
    imports: [/^src\/mock\/index\.ts$/, /^src\/proxy\/check\//, /^generated\//, INTERNAL],
  },
  { part: "probe", files: /^src\/probe\//, imports: [/^generated\//, INTERNAL] },
  { part: "index", files: /^src\/index\.ts$/, imports: [/^src\/(core|store|fleet)\//, /^generated\//] },
];

/** The imports of a file, including types and dynamic imports: paths from the project's root, or names of packages. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), "utf8"), true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? normalize(join(file, "..", fileName)) : fileName,
  );
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));
const edges = [...graph].flatMap(([file, imports]) => imports.map((target) => ({ file, target })));
const isOurs = (target: string): boolean => /^(src|generated)\//.test(target);

function partOf(file: string): (typeof parts)[number] | undefined {
  return parts.find((one) => one.files.test(file));
}

function isAllowed({ file, target }: { file: string; target: string }): boolean {
  const part = partOf(file);
  return part !== undefined && [part.files, ...part.imports].some((pattern) => pattern.test(target));
}

/** The first circle of imports that `file` leads into. */
function findCycle(file: string, above: string[], done: Set<string>): string[] | undefined {
  if (above.includes(file)) return [...above.slice(above.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const target of graph.get(file) ?? []) {
    const found = findCycle(target, [...above, file], done);
    if (found) return found;
  }
  done.add(file);
  return undefined;
}

const arrow = ({ file, target }: { file: string; target: string }): string => `${file} → ${target}`;

describe("imports", () => {
  it("come from files that each belong to a part of the architecture", () => {
    expect(files.filter((file) => partOf(file) === undefined)).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });

  it("only go downward", () => {
    expect(
      edges
        .filter(({ target }) => isOurs(target))
        .filter((edge) => !isAllowed(edge))
        .map(arrow),
    ).toEqual([]);
  });

  it("name files that exist", () => {
    expect(edges.filter(({ target }) => isOurs(target) && !graph.has(target)).map(arrow)).toEqual([]);
  });

  it("have no cycles", () => {
    const done = new Set<string>();
    expect(files.map((file) => findCycle(file, [], done)).filter((found) => found !== undefined)).toEqual([]);
  });

  it("of Node's own modules are only in the transport, the HTTP servers and the command line", () => {
    const users = edges.filter(({ target }) => target.startsWith("node:")).map(({ file }) => file);
    expect(
      users.filter(
        (file) =>
          !/^src\/(node|mock\/(adapters\/node|control)|proxy|cli|internal\/host-guard)(\/|\.ts|-)/.test(file),
      ),
    ).toEqual([]);
  });

  it.each([
    ["msw", /^src\/mock\/adapters\/msw\//],
    ["ky", /^src\/probe\//],
    ["undici", /^src\/node\//],
    ["@opentelemetry/api", /^src\/opentelemetry\//],
    ["@tanstack/query-core", /^src\/tanstack-query\//],
    ["openapi-fetch", /^src\/(core|store|fleet)\/client\.ts$/],
    [
      "zod",
      /^generated\/\w+\.((strict-)?schemas|responses)\.ts$|^src\/(core\/request\/|mock\/kernel\/|proxy\/check\/|compare\/|internal\/issue-message\.ts$)/,
    ],
  ])("of %s are only where they belong", (name, place) => {
    const users = edges.filter(({ target }) => target === name || target.startsWith(`${name}/`));
    expect(users.filter(({ file }) => !place.test(file)).map(arrow)).toEqual([]);
  });
});
