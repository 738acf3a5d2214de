// Run by `npm publish` before anything else: ends a release that lacks something. A dry run only says so.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { version as codeVersion } from "../src/wire/version.ts";
import { findReleaseProblems, type Release } from "./release-problems.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): string => readFileSync(root + name, "utf8");
const manifest = JSON.parse(read("package.json")) as Release["manifest"];
const { version: lockVersion } = JSON.parse(read("package-lock.json")) as { version: string };
const problems = findReleaseProblems({ manifest, lockVersion, codeVersion, changelog: read("CHANGELOG.md") });
const isDryRun = process.env["npm_config_dry_run"] === "true";
for (const problem of problems)
  console.error(`${isDryRun ? "a release would be refused" : "refused"}: ${problem}`);
if (problems.length > 0 && !isDryRun) process.exitCode = 1;
