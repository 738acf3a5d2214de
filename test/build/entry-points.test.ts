import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { entrySources, sourcesByImport } from "../../build/entry-sources.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): unknown =>
  ts.parseConfigFileTextToJson(name, readFileSync(root + name, "utf8")).config;
const sources = Object.values(entrySources).map((source) => `${source}.ts`);

describe("the entry points of build/entry-sources.ts", () => {
  it("are those that package.json exports, from files of their names", () => {
    const { exports } = read("package.json") as { exports: Record<string, string | Record<string, string>> };
    const declared = Object.entries(exports).filter(([, target]) => typeof target === "object");
    const expected = Object.keys(entrySources).map((name) => [
      name === "index" ? "." : `./${name}`,
      expect.objectContaining({ types: `./dist/${name}.d.ts` }) as unknown,
    ]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
    for (const [name, target] of declared) {
      const file = name === "." ? "./dist/index.js" : `./dist/${name.slice(2)}.js`;
      expect(Object.values(target as Record<string, string>)).toContain(file);
    }
  });

  it("are those that TypeScript finds by the names of users", () => {
    const { compilerOptions } = read("tsconfig.json") as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const expected = Object.entries(sourcesByImport).map(([name, source]) => [name, [`./${source}`]]);
    expect(compilerOptions.paths).toEqual(Object.fromEntries(expected));
  });

  it("are entries of knip", () => {
    const { entry } = read("knip.json") as { entry: string[] };
    const found = new Set(globSync(entry, { cwd: root }));
    expect(sources.filter((source) => !found.has(source) && source !== "src/index.ts")).toEqual([]);
  });
});
