import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => readFileSync(path, "utf8")) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** What an editor shows over each method that a file calls on `client`. */
function hoversIn(file: string): Map<string, string> {
  const text = readFileSync(file, "utf8");
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, types: [] }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")) : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
  });
  const calls = [...text.matchAll(/client\.(\w+\.)(\w+)\(/g)];
  return new Map(
    calls.map(({ index, 0: call, 1: resource = "", 2: method = "" }) => {
      const info = service.getQuickInfoAtPosition(file, index + call.length - 2);
      return [resource + method, ts.displayPartsToString(info?.displayParts)];
    }),
  );
}

it.each([
  ["every-store-operation.ts", Object.keys(storeOperations).length],
  ["every-fleet-operation.ts", Object.keys(fleetOperations).length],
])("%s: an editor shows less than 150 characters over each method", (file, operations) => {
  const hovers = hoversIn(fileURLToPath(new URL(file, import.meta.url)));
  expect(hovers.size).toBe(operations);
  for (const [method, hover] of hovers) {
    expect(hover, method).toContain("(method)");
    expect(hover, method).not.toMatch(/\bany\b/);
    expect(hover.length, hover).toBeLessThan(150);
  }
});
