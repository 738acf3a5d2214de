import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  types: [],
};

/** The packages of a project, by their folders here. */
const installed: Record<string, string> = {
  shelfleet: "..",
  "openapi-fetch": "node_modules/openapi-fetch",
  ky: "node_modules/ky",
  "hey-api": "generated/hey-api/built",
  redocly: "generated/redocly/built",
  openai: "node_modules/openai",
  stripe: "node_modules/stripe",
};

/** Creates a project that uses a client: everything is installed as packages with declarations. Returns its folder. */
export function makeProject(work: string, name: string, files: Record<string, string>): string {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  for (const [module, place] of Object.entries(installed)) {
    symlinkSync(here(place), join(folder, "node_modules", module), "junction");
  }
  writePaths(join(folder, "node_modules/paths"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

/** The types that openapi-typescript generates from the document, for a project without shelfleet. */
function writePaths(folder: string): void {
  mkdirSync(folder);
  for (const api of ["store", "fleet"]) {
    const options = [
      "--declaration",
      "--emitDeclarationOnly",
      "--allowImportingTsExtensions",
      "--module",
      "nodenext",
    ];
    execFileSync(here("../node_modules/.bin/tsc"), [
      ...options,
      "--target",
      "es2023",
      "--skipLibCheck",
      "--ignoreConfig",
      "--outDir",
      folder,
      here(`../generated/${api}.ts`),
    ]);
  }
  const exports = { "./store": { types: "./store.d.ts" }, "./fleet": { types: "./fleet.d.ts" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "paths", type: "module", exports }));
}
