import { format } from "node:util";
import ts from "typescript";
import * as vitest from "vitest";
import { vi } from "vitest";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import type { Block } from "../documentation.ts";
import { baseUrls, ambientGlobals } from "./ambient-globals.ts";

/** Files in memory, so that a block writes nothing to the disk. */
const files = new Map<string, string>();
const memoryFiles = {
  writeFileSync: (path: string, text: string) => void files.set(path, text),
  readFileSync: (path: string) => files.get(path),
};

const modules: Readonly<Record<string, () => Promise<object>>> = {
  shelfleet: () => import("../../src/index.ts"),
  "shelfleet/store": () => import("../../src/client/store/index.ts"),
  "shelfleet/fleet": () => import("../../src/client/fleet/index.ts"),
  "shelfleet/store/schemas": () => import("../../generated/store.schemas.ts"),
  "shelfleet/mock": () => import("../../src/mock/index.ts"),
  "shelfleet/mock/msw": () => import("../../src/mock/msw.ts"),
  "shelfleet/mock/node": () => import("../../src/mock/node.ts"),
  "shelfleet/mock/scenarios": () => import("../../src/mock/scenarios/index.ts"),
  "shelfleet/node": () => import("./node-transport.ts"),
  "shelfleet/gaps": () => import("../../generated/gaps.ts"),
  "shelfleet/raw": () => import("../../src/client/raw/index.ts"),
  "shelfleet/opentelemetry": () => import("../../src/client/opentelemetry/index.ts"),
  "@tanstack/query-core": () => import("@tanstack/query-core"),
  "@opentelemetry/api": () => import("@opentelemetry/api"),
  "msw/node": () => import("msw/node"),
  "node:fs": async () => memoryFiles,
  "node:sqlite": () => import("node:sqlite"),
  ky: () => import("ky"),
  undici: () => import("./undici.ts"),
  vitest: async () => vitest,
  zod: () => import("zod"),
};

type Run = (...values: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Run;

/** The outcome of a block. */
export interface BlockResult {
  /** The number of requests to the reference servers: those of the block, and that of its ambient names. */
  requests: number;
  /** The requests that violated the contract. */
  violations: unknown[];
  /** The number of results that were compared with their comments. */
  results: number;
  wrong: { comment: string; logged: string[] }[];
}

/** Compiles a block to a function and runs it. */
export async function run({ text, document, line }: Block): Promise<BlockResult> {
  const servers: ReferenceServer[] = [];
  const make = (...options: Parameters<typeof createReferenceServer>): ReferenceServer => {
    const server = createReferenceServer(...options);
    servers.push(server);
    return server;
  };
  const ref = make(baseUrls);
  const results = new Results();
  const { outputText } = ts.transpileModule(results.watch(text), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const imported = await importsOf(outputText, `${document}:${line}`);
  const mock = imported.get("shelfleet/mock");
  if (mock !== undefined) Object.assign(mock, { createReferenceServer: make });
  const values = {
    ...(await valuesOf(text, ref)),
    require: (name: string) => imported.get(name),
    exports: {},
    show: results.show,
    console: { ...console, log() {}, error() {}, warn() {} },
  };
  vi.stubGlobal("fetch", ref.fetch);
  try {
    // in braces, because a block may use the same names
    await new AsyncFunction(...Object.keys(values), `{\n${outputText}\n}`)(...Object.values(values));
  } finally {
    vi.unstubAllGlobals();
  }
  return {
    requests: servers.reduce((sum, { journal }) => sum + journal.all().length, 0),
    violations: servers.flatMap(({ journal }) => journal.violations()),
    results: results.count,
    wrong: results.wrong(),
  };
}

async function importsOf(code: string, place: string): Promise<Map<string, object>> {
  const loaded = new Map<string, object>();
  for (const [, name = ""] of code.matchAll(/require\("([^"]+)"\)/g)) {
    if (modules[name] === undefined) throw new Error(`${place}: nothing stands for the import of ${name}`);
    loaded.set(name, { ...(await modules[name]()), __esModule: true });
  }
  return loaded;
}

/** The values of the names that the block does not declare. */
async function valuesOf(text: string, ref: ReferenceServer): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = { ...vitest };
  for (const [name, { real }] of Object.entries(ambientGlobals))
    if (text.includes(name)) values[name] = await real(ref);
  ref.reset(); // the requests above are not the block's
  return values;
}

/** Compares the value of each `console.log(…); // …` with its comment. */
class Results {
  readonly #comments: string[] = [];
  readonly #logged: string[][] = [];

  /** The block with calls that record its results. Every line keeps its number. */
  watch(text: string): string {
    return text.replace(/console\.log\((.*)\); \/\/ (.*)$/gm, (_, args: string, comment: string) => {
      this.#logged.push([]);
      return `show(${this.#comments.push(comment) - 1}, ${args});`;
    });
  }

  readonly show = (place: number, ...args: unknown[]): void => {
    this.#logged[place]?.push(format(...args));
  };

  /**
   * The comments that were not logged. A loop must log its comment once; a comment that ends with … is the beginning
   * of a value.
   */
  wrong(): { comment: string; logged: string[] }[] {
    return this.#comments
      .map((comment, place) => ({ comment, logged: this.#logged[place] ?? [] }))
      .filter(({ comment, logged }) => !logged.some((line) => fits(line, comment)));
  }

  get count(): number {
    return this.#comments.length;
  }
}

function fits(line: string, comment: string): boolean {
  return comment.endsWith("…") ? line.startsWith(comment.slice(0, -1)) : line === comment;
}
