import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { codeSample } from "../../specs/generate/code-samples.ts";
import { endpoints, readDocument } from "../../specs/generate/document.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** A module with the samples of both documents, as a user pastes them. */
function moduleOfSamples(): string {
  const samples = (["store", "fleet"] as const).flatMap((api) => {
    const document = readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url));
    return endpoints(document).map((endpoint) => codeSample(api, document, endpoint));
  });
  return [
    'import type { FleetClient, StoreClient } from "../../src/index.ts";',
    "declare const store: StoreClient;",
    "declare const fleet: FleetClient;",
    ...samples,
  ].join("\n");
}

/** The errors of the compiler in a module beside this file. */
function compile(text: string): string[] {
  const file = `${root}test/specs/samples.ts`;
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, target) =>
    path === file ? ts.createSourceFile(path, text, target, true) : read(path, target);
  const program = ts.createProgram([file], { ...options, noEmit: true, types: [] }, host);
  const errors = program.getSemanticDiagnostics(program.getSourceFile(file));
  return errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

it("the samples of the documents compile", () => {
  const samples = moduleOfSamples();
  expect(samples.match(/await/g)?.length).toBe(47);
  expect(compile(samples)).toEqual([]);
});

it("a sample with a wrong property does not compile", () => {
  expect(compile(`${moduleOfSamples()}\nawait store.stores.upsert("S-1", { nme: "" });`)).toHaveLength(1);
});
