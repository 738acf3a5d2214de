import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import ts from "typescript";

// Generates the clients of @hey-api/openapi-ts and of Redocly CLI from the documents and compiles them like packages, so
// that bundling and type checking find JavaScript and declarations, as with the other contenders.

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const apis = ["store", "fleet"];

rmSync(path("./generated"), { recursive: true, force: true });

for (const api of apis) {
  await createClient({
    input: path(`../specs/${api}.openapi.yaml`),
    output: { path: path(`./generated/hey-api/source/${api}`) },
    plugins: ["@hey-api/typescript", "@hey-api/client-fetch", "@hey-api/sdk"],
    logs: { level: "error" },
  });
  const output = path(`./generated/redocly/source/${api}.ts`);
  mkdirSync(path("./generated/redocly/source"), { recursive: true });
  execFileSync(
    process.execPath,
    [
      path("../node_modules/@redocly/cli/bin/cli.js"),
      "generate-client",
      path(`../specs/${api}.openapi.yaml`),
      "-o",
      output,
    ],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
}

compile("hey-api", (api) => `${api}/index`);
compile("redocly", (api) => api);

/** Compiles the sources of a generated package and describes it. */
function compile(name: string, entryOf: (api: string) => string): void {
  const home = path(`./generated/${name}`);
  const program = ts.createProgram(
    apis.map((api) => `${home}/source/${entryOf(api)}.ts`),
    {
      rootDir: `${home}/source`,
      outDir: `${home}/built`,
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
  const exports = Object.fromEntries(apis.map((api) => [`./${api}`, `./${entryOf(api)}.js`]));
  const manifest = { name, type: "module", sideEffects: false, exports };
  writeFileSync(`${home}/built/package.json`, JSON.stringify(manifest));
  if (problems.length > 0) process.exitCode = 1;
}
