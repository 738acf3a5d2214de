import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOperation } from "./every-operation.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "consumer-"));

async function tsc(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    ...args,
  ]);
  return stdout;
}

/** The number of types that the compiler instantiates for a consumer's file with the emitted declarations. */
async function instantiations(name: string, text: string): Promise<number> {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "consumer.ts"), text);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: [],
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const report = await tsc("-p", home, "--extendedDiagnostics");
  return Number(/^Instantiations:\s+(\d+)/m.exec(report)?.[1]);
}

beforeAll(async () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const project = {
    extends: join(root, "build/tsconfig.json"),
    compilerOptions: { rootDir: root, outDir: join(folder, "types"), declarationMap: false, noCheck: true },
    include: [],
    files: [join(root, "src/client/store/index.ts"), join(root, "src/client/fleet/index.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  await tsc("-p", folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("a consumer's file that calls every operation", () => {
  it.each(["store", "fleet"] as const)(
    "of the %s client costs at most 1 000 type instantiations more than an empty file",
    async (api) => {
      const compiled = everyOperation(api, `../types/src/client/${api}/index.js`);
      const [empty, full] = await Promise.all([
        instantiations(`empty-${api}`, "export {};"),
        instantiations(`full-${api}`, compiled),
      ]);
      expect(full).toBeGreaterThan(empty);
      expect(full - empty).toBeLessThanOrEqual(1000);
    },
  );
});
