import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Packed, tarballProblems } from "./contents.ts";

// Checks the tarball that npm would publish. Requires a build.

const root = fileURLToPath(new URL("../..", import.meta.url));

function packedFiles(): Packed[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  const [packed] = JSON.parse(stdout) as { files: Packed[] }[];
  if (packed === undefined) throw new Error("npm pack named no package");
  return packed.files;
}

const files = packedFiles();
const found = tarballProblems(root, files);
for (const problem of found) console.error(`the tarball: ${problem}`);
if (found.length === 0) console.log(`the tarball holds ${files.length} files, each of them meant`);
else process.exitCode = 1;
