import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import ts from "typescript";

// Generates the clients of @hey-api/openapi-ts from the documents and compiles them like a package, so that bundling
// and type checking find JavaScript and declarations, as with the other contenders.

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const home = "./generated/hey-api";

rmSync(path(home), { recursive: true, force: true });

for (const api of ["store", "fleet"]) {
  await createClient({
    input: path(`../specs/${api}.openapi.yaml`),
    output: { path: path(`${home}/source/${api}`) },
    plugins: ["@hey-api/typescript", "@hey-api/client-fetch", "@hey-api/sdk"],
    logs: { level: "error" },
  });
}

const program = ts.createProgram(
  ["store", "fleet"].map((api) => path(`${home}/source/${api}/index.ts`)),
  {
    rootDir: path(`${home}/source`),
    outDir: path(`${home}/built`),
    declaration: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  },
);
const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
for (const { messageText } of problems) console.error(ts.flattenDiagnosticMessageText(messageText, "\n"));
const manifest = {
  name: "hey-api",
  type: "module",
  sideEffects: false,
  exports: { "./store": "./store/index.js", "./fleet": "./fleet/index.js" },
};
writeFileSync(path(`${home}/built/package.json`), JSON.stringify(manifest));
if (problems.length > 0) process.exitCode = 1;
