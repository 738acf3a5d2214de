import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const biome = fileURLToPath(import.meta.resolve("@biomejs/biome/bin/biome"));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** `code` as `npm run format` would leave it. */
export function formatted(file: string, code: string): string {
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], {
    cwd: root,
    input: code,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
}
