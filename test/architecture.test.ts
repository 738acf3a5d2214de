import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync(["src/**/*.ts", "generated/*.ts"], { cwd: root }).toSorted();

/** JSON, formats, secrets: what the wings share, without knowledge of a contract. */
const WIRE = /^src\/wire\//;
/** The path of a call: what both clients share. */
const CORE = /^src\/client\/[^/]+$/;
/** All that an adapter sees of the server. */
const ENDPOINT = /^src\/mock\/server\/(clock|exchange|schemas)\.ts$/;

/** The assembled server. */
const SERVER = /^src\/mock\/reference-server\.ts$/;

/** Which part of the package a file belongs to, and what that part may import besides itself. */
const parts: { part: string; files: RegExp; imports: RegExp[] }[] = [
  {
    part: "generated",
    files: /^generated\//,
    imports: [/^src\/wire\/(operation|schema)\.ts$/],
  },
  { part: "wire", files: WIRE, imports: [] },

  // wing 1, client: a call and what both clients share; the lists; one folder for each client
  {
    part: "client",
    files: /^src\/client\/[^/]+$/,
    imports: [/^src\/client\/lists\/(page|query|source)\.ts$/, WIRE],
  },
  { part: "client/lists", files: /^src\/client\/lists\//, imports: [CORE, WIRE] },
  ...["store", "fleet"].map((api) => ({
    part: `client/${api}`,
    files: new RegExp(`^src/client/${api}/`),
    imports: [CORE, /^src\/client\/lists\//, new RegExp(`^generated/${api}\\.`), WIRE],
  })),

  // the jobs on top of the clients use what users can import: the entries, and a few helpers
  {
    part: "sync, the clients",
    files: /^src\/sync\/clients\.ts$/,
    imports: [
      /^src\/client\/(store|fleet)\/index\.ts$/,
      /^src\/client\/(serialization|time|written)\.ts$/, // a wait, and one reading and one comparison of what is written
      /^src\/client\/store\/contract-check\.ts$/, // the check of bodies, with the messages of a request
      /^generated\/(store\.inputs|(store|fleet)\.operations)\.ts$/,
      /^src\/wire\/(json|names|operation)\.ts$/,
    ],
  },
  {
    part: "sync",
    files: /^src\/sync\//,
    imports: [/^src\/wire\/(hash|instant|json|message|names|operation)\.ts$/],
  },

  // wing 2, mock: each API knows only the server; `server` assembles both
  {
    part: "mock/testing",
    files: /^src\/mock\/testing\//,
    imports: [/^src\/mock\/server\/(exchange|operations|random|schemas|secrets)\.ts$/, WIRE],
  },
  {
    part: "mock/store",
    files: /^src\/mock\/store\//,
    imports: [/^src\/mock\/server\//, /^generated\/store\b/, WIRE],
  },
  {
    part: "mock/fleet",
    files: /^src\/mock\/fleet\//,
    imports: [/^src\/mock\/(server|testing)\//, /^generated\/fleet\b/, WIRE],
  },
  {
    part: "mock/server",
    files: /^src\/mock\/server\//,
    imports: [SERVER, /^src\/mock\/(testing|store|fleet)\//, /^generated\//, WIRE],
  },
  {
    part: "mock/adapters/fetch",
    files: /^src\/mock\/adapters\/fetch\.ts$/,
    imports: [ENDPOINT, WIRE],
  },
  {
    part: "mock, the assembled server",
    files: SERVER,
    imports: [/^src\/mock\/(testing|server|store|fleet|adapters\/fetch\.ts$)/, /^generated\//],
  },
  {
    part: "mock/adapters",
    files: /^src\/mock\/adapters\//,
    imports: [ENDPOINT, SERVER, /^src\/mock\/server\/(operations|options)\.ts$/, /^generated\//, WIRE],
  },
  {
    part: "mock, the entries",
    files: /^src\/mock\/(index|msw|node)\.ts$/,
    imports: [/^src\/mock\//, /^generated\//],
  },

  {
    part: "cli",
    files: /^src\/cli\//,
    imports: [
      /^src\/mock\/(index|msw|node)\.ts$/,
      /^src\/mock\/adapters\/(control|serve|http-listener)\.ts$/,
      /^src\/doctor\/\w+\.ts$/,
      /^src\/prove\/\w+\.ts$/,
      /^generated\//,
      WIRE,
    ],
  },
  // a command about programs: it uses what users can import
  { part: "prove", files: /^src\/prove\//, imports: [/^src\/mock\/(index|node)\.ts$/, WIRE] },
  // a command about live services: it uses what users can import
  {
    part: "doctor",
    files: /^src\/doctor\//,
    imports: [/^generated\/\w+\.(enums|operations|schemas)\.ts$/, WIRE],
  },
  {
    part: "index",
    files: /^src\/index\.ts$/,
    imports: [/^src\/client\/(exports\.ts$|store\/|fleet\/)/, /^generated\//],
  },
];

/** The imports of a file, including types and dynamic imports: paths from the project's root, or names of packages. */
function importsOf(file: string, text = readFileSync(join(root, file), "utf8")): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? normalize(join(file, "..", fileName)) : fileName,
  );
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));
/** The same without the imports of types, which are not there when the program runs. */
const loaded = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [file, importsOf(file, text.replaceAll(/^(?:import|export) type [^;]*;/gm, ""))];
  }),
);
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
  for (const target of loaded.get(file) ?? []) {
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
        (file) => !/^src\/(mock\/adapters|cli|client\/node|doctor|prove|wire\/address)(\/|\.ts|-)/.test(file),
      ),
    ).toEqual([]);
  });

  it.each([
    ["ky", /^src\/doctor\/client\.ts$/],
    ["msw", /^src\/mock\/msw\.ts$/],
    ["undici", /^src\/client\/node\.ts$/],
    ["@opentelemetry/api", /^src\/client\/opentelemetry\.ts$/],
    ["openapi-fetch", /^src\/client\/http\.ts$/],
    [
      "zod",
      /^generated\/\w+\.(schemas|contract)\.ts$|^src\/(client\/contract-check\.ts$|mock\/|wire\/schema\.ts$)/,
    ],
  ])("of %s are only where they belong", (name, place) => {
    const users = edges.filter(({ target }) => target === name || target.startsWith(`${name}/`));
    expect(users.filter(({ file }) => !place.test(file)).map(arrow)).toEqual([]);
  });
});
