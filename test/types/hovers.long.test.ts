import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { operationsOf } from "../operations/operations.ts";
import { everyOperation } from "./every-operation.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => readFileSync(path, "utf8")) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** The editor's hover on each method in a file that calls every operation of an API. */
function hoversOf(api: "store" | "fleet"): Map<string, string> {
  const file = fileURLToPath(new URL(`every-${api}-operation.ts`, import.meta.url));
  const text = everyOperation(api, `../../src/client/${api}/index.ts`);
  const textOf = (path: string): string | undefined => (path === file ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, types: [] }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const code = textOf(path);
      return code === undefined ? undefined : ts.ScriptSnapshot.fromString(code);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: textOf,
  });
  const calls = [...text.matchAll(/(?:store|fleet)\.(\w+\.)(\w+)\(/g)];
  return new Map(
    calls.map(({ index, 0: call, 1: resource = "", 2: method = "" }) => {
      const info = service.getQuickInfoAtPosition(file, index + call.length - 2);
      return [resource + method, ts.displayPartsToString(info?.displayParts)];
    }),
  );
}

it.each(["store", "fleet"] as const)(
  "an editor shows less than 170 characters in the hover of each method of the %s client",
  (api) => {
    const hovers = hoversOf(api);
    expect(hovers.size).toBe(operationsOf(api).length);
    for (const [method, hover] of hovers) {
      expect(hover, method).toMatch(/^\((method|property)\)/);
      expect(hover, method).not.toMatch(/\bany\b/);
      expect(hover.length, hover).toBeLessThan(170);
    }
  },
);
