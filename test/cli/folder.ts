import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder with files for the current test. Returns the paths of the files. */
export function folderWith(
  files: Readonly<Record<string, string>>,
): Record<string, string> & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "shelfleet-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const paths: Record<string, string> & { folder: string } = { folder };
  for (const [name, content] of Object.entries(files)) {
    paths[name] = join(folder, name);
    writeFileSync(join(folder, name), content);
  }
  return paths;
}
