import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";

// Generates the clients of @hey-api/openapi-ts and of Redocly CLI from the documents and compiles them like packages, so
// that bundling and type checking find JavaScript and declarations, as with the other contenders.

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

rmSync(path("generated"), { recursive: true, force: true });
mkdirSync(path("generated/redocly/source"), { recursive: true });
for (const api of ["store", "fleet"]) {
  const document = path(`../specs/${api}.openapi.yaml`);
  const plain = ["@hey-api/typescript", "@hey-api/client-fetch"] as const;
  const shared = { input: document, logs: { level: "error" } } as const;
  await createClient({
    ...shared,
    output: { path: path(`generated/hey-api/source/${api}`) },
    plugins: [...plain, "@hey-api/sdk"],
  });
  // requests and responses are checked, as by `validate: "full"`
  await createClient({
    ...shared,
    output: { path: path(`generated/hey-api-zod/source/${api}`) },
    plugins: [...plain, "zod", { name: "@hey-api/sdk", validator: true }],
  });
  const output = path(`generated/redocly/source/${api}.ts`);
  run("../node_modules/@redocly/cli/bin/cli.js", ["generate-client", document, "-o", output]);
}
compile("hey-api", ["store/index", "fleet/index"]);
compile("hey-api-zod", ["store/index", "fleet/index"]);
compile("redocly", ["store", "fleet"]);

function compile(name: string, entries: readonly string[]): void {
  const source = path(`generated/${name}/source`);
  const files = entries.map((entry) => `${source}/${entry}.ts`);
  const output = ["--declaration", "--rootDir", source, "--outDir", path(`generated/${name}/built`)];
  const options = [
    "--ignoreConfig",
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2023",
    "--module",
    "nodenext",
  ];
  run("node_modules/typescript/lib/tsc.js", [
    ...files,
    ...output,
    ...options,
    "--lib",
    "es2023,dom,dom.iterable",
  ]);
}

function run(script: string, args: readonly string[]): void {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  execFileSync(process.execPath, [path(script), ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
}
