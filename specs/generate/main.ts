import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { differences } from "./comparison.ts";
import { generatedFiles } from "./modules.ts";
import { Refusal } from "./refusal.ts";

const root = new URL("../../", import.meta.url);

function presentFiles(): Map<string, string> {
  mkdirSync(new URL("generated", root), { recursive: true });
  const paths = readdirSync(new URL("generated", root)).map((name) => `generated/${name}`);
  for (const guide of ["docs/gaps.md", "docs/operations.md"])
    if (existsSync(new URL(guide, root))) paths.push(guide);
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

function write(files: Map<string, string>, present: Map<string, string>): void {
  for (const [path, code] of files) {
    if (present.get(path) !== code) writeFileSync(new URL(path, root), code);
  }
  for (const path of present.keys()) if (!files.has(path)) rmSync(new URL(path, root));
}

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const present = presentFiles();

try {
  const files = await generatedFiles({ gapsGuide: present.get("docs/gaps.md") });
  const found = differences(files, present);
  if (values.check) {
    for (const line of found) console.error(line);
    process.exitCode = found.length > 0 ? 1 : 0;
  } else {
    write(files, present);
    console.log(`${files.size} files generated, ${found.length} of them changed`);
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
