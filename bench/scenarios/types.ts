import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consumerCode, type Library } from "../../test/operations/consumer-code.ts";
import { packageFolder } from "../package-under-test.ts";
import type { Scenario } from "../scenario.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  types: [],
  paths: {
    shelfleet: [`${packageFolder}/dist/index.d.ts`],
    "paths/*": [here("../../generated/*.ts")],
    "hey-api/*": [here("../generated/hey-api/built/*/index.d.ts")],
  },
};

/** The type instantiations of a file that uses every operation, above those of an empty file. */
export function prepare(contender: string): Scenario {
  const folder = here(`../work/types-${contender}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  const count = (code: string): number => {
    writeFileSync(`${folder}/index.ts`, code);
    const args = [here("../node_modules/typescript/lib/tsc.js"), "-p", folder, "--extendedDiagnostics"];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`tsc: ${stdout.split("\n", 1)[0]}`);
    return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
  };
  return { run: () => count(consumerCode(contender as Library)) - count("export {};\n") };
}
