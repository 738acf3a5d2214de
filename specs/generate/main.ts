import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { generatedFiles } from "./modules.ts";

const root = new URL("../../", import.meta.url);

function present(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), "utf8");
  } catch {
    return undefined;
  }
}

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const files = await generatedFiles();
mkdirSync(new URL("generated", root), { recursive: true });
const stale = readdirSync(new URL("generated", root))
  .map((name) => `generated/${name}`)
  .filter((path) => !files.has(path));
const changed = [...files].filter(([path, code]) => present(path) !== code);

if (values.check) {
  for (const [path] of changed) console.error(`${path} is not what npm run generate writes`);
  for (const path of stale) console.error(`${path} is not generated any more`);
  process.exitCode = changed.length + stale.length > 0 ? 1 : 0;
} else {
  for (const [path, code] of changed) writeFileSync(new URL(path, root), code);
  for (const path of stale) rmSync(new URL(path, root));
  console.log(`${files.size} files, ${changed.length} changed, ${stale.length} removed`);
}
