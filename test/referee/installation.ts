import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Installs Prism as its lock says, unless that was done already. Vitest calls this before the tests. */
export function setup(): void {
  const [locked, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map(prismIn);
  if (installed === locked) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit",
  });
}

function prismIn(lock: string): string | undefined {
  if (!existsSync(folder + lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(folder + lock, "utf8")) as {
    packages: Record<string, { version?: string }>;
  };
  return packages["node_modules/@stoplight/prism-cli"]?.version;
}
