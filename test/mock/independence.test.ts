import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mockReadings } from "../../generated/readings.ts";

const files = globSync("src/mock/**/*.ts");
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

function importsOf(source: string): string[] {
  return [...source.matchAll(/(?:from|import) "([^"]+)"/g)].map(([, path = ""]) => path);
}

test("the reference server imports generated files, and nothing of the clients", () => {
  for (const [file, source] of sources) {
    const outside = importsOf(source).filter(
      (path) => /\/(core|cli|index\.ts)(\/|$)/.test(path) && !path.startsWith("./"),
    );
    const clients = importsOf(source).filter((path) =>
      /\.\.\/\.\.\/(\.\.\/)?(store|fleet|core)\//.test(path),
    );
    expect([file, outside.filter((path) => path !== "../index.ts"), clients]).toEqual([file, [], []]);
  }
});

test("node is used in the HTTP adapter alone, and msw in its own", () => {
  const importers = (name: RegExp) =>
    [...sources]
      .filter(([, source]) => importsOf(source).some((path) => name.test(path)))
      .map(([file]) => file);
  expect(importers(/^node:/).filter((file) => !file.startsWith("src/mock/node"))).toEqual([]);
  expect(importers(/^msw/)).toEqual(["src/mock/msw.ts"]);
});

test("every gap that affects it is named where it decides", () => {
  const all = [...sources.values()].join("\n");
  expect(Object.keys(mockReadings).filter((gap) => !all.includes(`"${gap}"`))).toEqual([]);
});
