import { execFileSync, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readAudit } from "./advisories.ts";

// Requests the known vulnerabilities of the packages in every lock file: of the root those that users install, which fail the
// check, and of tools those of every kind, which it names. If the registry does not answer, it says so, and with `--strict`
// fails.

const root = fileURLToPath(new URL("../..", import.meta.url));
const isStrict = process.argv.includes("--strict");

const locks = execFileSync("git", ["ls-files", "package-lock.json", "**/package-lock.json"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n");

for (const lock of locks) {
  const isPublished = lock === "package-lock.json";
  const scope = isPublished ? ["--omit=dev"] : [];
  const wanted = [
    "audit",
    "--package-lock-only",
    ...scope,
    "--json",
    "--fetch-retries=0",
    "--fetch-timeout=20000",
  ];
  const cwd = root + dirname(lock);
  const { stdout } = spawnSync("npm", wanted, { cwd, encoding: "utf8", timeout: 60_000 });
  const { known, line } = readAudit(stdout);
  console.log(`audit ${lock}: ${line}`);
  const isFailure = known === undefined ? isStrict : isPublished && known > 0;
  if (isFailure) process.exitCode = 1;
}
