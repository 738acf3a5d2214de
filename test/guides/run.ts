import { format } from "node:util";
import ts from "typescript";
import * as vitest from "vitest";
import { vi } from "vitest";
import { sourceOfTypes } from "../../build/entry-sources.ts";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import type { Block } from "../documentation.ts";
import { ambientGlobals, baseUrls, keyOf } from "./ambient-globals.ts";
import * as node from "./node-transport.ts";

type Run = (...values: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Run;

/** The outcome of a block. */
export interface BlockResult {
  /** The number of requests of the block to reference servers. */
  requests: number;
  /** The requests that violated the contract. */
  violations: unknown[];
  /** The number of results that were compared with their comments. */
  results: number;
  wrong: { comment: string; logged: string[] }[];
}

/** Compiles a block to a function and runs it, with a reference server at the URLs of the guides. */
export async function run({ text }: Block): Promise<BlockResult> {
  const servers: ReferenceServer[] = [];
  const make = (...options: Parameters<typeof createReferenceServer>): ReferenceServer => {
    const server = createReferenceServer(...options);
    servers.push(server);
    return server;
  };
  const ref = make({ ...baseUrls, now: "system" });
  const results = new Results();
  const { outputText } = ts.transpileModule(results.watch(text), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const imported = await importsOf(outputText);
  const mock = imported.get("shelfleet/mock");
  if (mock !== undefined) Object.assign(mock, { createReferenceServer: make });
  const values = {
    ...vitest,
    ...(await valuesOf(text, ref)),
    require: (name: string) => imported.get(name),
    exports: {},
    show: results.show,
    console: { ...console, log() {}, error() {}, warn() {} },
  };
  vi.stubGlobal("fetch", ref.fetch);
  vi.stubEnv("SHELFLEET_STORE_URL", ref.storeUrl);
  vi.stubEnv("SHELFLEET_TOKEN", ref.token);
  vi.stubEnv("SHELFLEET_FLEET_URL", ref.fleetUrl);
  vi.stubEnv("SHELFLEET_KEY", keyOf(ref));
  try {
    // in braces, because a block may use the same names
    await new AsyncFunction(...Object.keys(values), `{\n${outputText}\n}`)(...Object.values(values));
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
  return {
    requests: servers.reduce((sum, { journal }) => sum + journal.all().length, 0),
    violations: servers.flatMap(({ journal }) => journal.violations()),
    results: results.count,
    wrong: results.wrong(),
  };
}

/** The modules that a block imports; the package's own come from their sources. */
async function importsOf(code: string): Promise<Map<string, object>> {
  const loaded = new Map<string, object>();
  for (const [, name = ""] of code.matchAll(/require\("([^"]+)"\)/g)) {
    const entry = /^shelfleet(?:\/(.*))?$/.exec(name);
    const path = entry === null ? name : `../../${sourceOfTypes(entry[1] ?? "index")}`;
    const module = name === "shelfleet/node" ? node : ((await import(/* @vite-ignore */ path)) as object);
    loaded.set(name, { ...module, __esModule: true });
  }
  return loaded;
}

/** The values of the names that the block does not declare. */
async function valuesOf(text: string, ref: ReferenceServer): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, { real }] of Object.entries(ambientGlobals))
    if (text.includes(name)) values[name] = await real(ref);
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

  /** The comments that were not logged. A loop must log its comment once. */
  wrong(): { comment: string; logged: string[] }[] {
    return this.#comments
      .map((comment, place) => ({ comment, logged: this.#logged[place] ?? [] }))
      .filter(({ comment, logged }) => !logged.includes(comment));
  }

  get count(): number {
    return this.#comments.length;
  }
}
