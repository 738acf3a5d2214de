/** Copies what the simulation needs, so that the copy of the clients can be changed. */
import { cpSync, globSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

const parts = [
  "src",
  "generated",
  "specs",
  "test/simulation",
  "test/models",
  "test/generate",
  "package.json",
  ...globSync("docs/*.md", { cwd: root }),
];

/** Returns the folder of the copy. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "planted-"));
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}
