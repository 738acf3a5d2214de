import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentFile, programOf } from "../foreign/tool.ts";

const tools = fileURLToPath(new URL("../foreign", import.meta.url));

/** Generates the client of an API with hey-api into a folder, and returns a module with all of it. */
export function generateHeyApi(api: "store" | "fleet", folder: string): string {
  if (!existsSync(`${tools}/node_modules`))
    execFileSync("npm", ["ci", "--prefix", tools, "--no-audit", "--no-fund"]);
  const [output, module] = [`${folder}/hey-api/${api}`, `${folder}/hey-api-${api}.ts`];
  const plugins = ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"];
  const args = ["--no-log-file", "--input", documentFile(api), "--output", output, "--plugins", ...plugins];
  execFileSync(process.execPath, [programOf("@hey-api/openapi-ts", "openapi-ts"), ...args], {
    stdio: "ignore",
  });
  const parts = ["sdk.gen.ts", "client/index.ts"];
  writeFileSync(module, parts.map((part) => `export * from "./hey-api/${api}/${part}";\n`).join(""));
  return module;
}
