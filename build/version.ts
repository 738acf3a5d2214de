// Run by `npm version`, after it has set the version in package.json: writes it into the code, and moves the entries below
// [Unreleased] of the changelog to it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { moveEntries } from "./changelog.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
const code = `${root}src/wire/version.ts`;
const changelog = `${root}CHANGELOG.md`;
const today = new Date().toISOString().slice(0, 10);
writeFileSync(code, readFileSync(code, "utf8").replace(/"[\d.]+[^"]*"/, `"${version}"`));
writeFileSync(changelog, moveEntries(readFileSync(changelog, "utf8"), version, today));
