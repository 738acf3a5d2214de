// npm run docs: builds the site into docs/site/dist. With --dev it serves the site while its files are edited.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { readPages, writePages } from "./content.ts";
import { writeDocuments } from "./documents.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

const playground = fileURLToPath(new URL("../../examples/playground/", import.meta.url));

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, {
    cwd: here,
    stdio: "inherit",
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs what the lock file of a folder says, unless it is there already. */
function install(folder: string): void {
  const installed = `${folder}node_modules/.package-lock.json`;
  const isCurrent =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs;
  if (!isCurrent) run("npm", "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund");
}

function copyImages(): void {
  mkdirSync(`${here}public/images`, { recursive: true });
  for (const image of globSync("{docs,bench}/*.svg", { cwd: root }))
    copyFileSync(root + image, `${here}public/images/${basename(image)}`);
}

const isDev = process.argv.includes("--dev");
install(here);
install(playground);
// it needs what was just installed
const { buildPlayground } = await import("../../examples/playground/build.ts");
writePages(readPages(root), root, `${here}src/content/docs`);
copyImages();
writeDocuments(root, `${here}.documents`);
await buildPlayground(`${here}public/try`);
run(process.execPath, "node_modules/astro/bin/astro.mjs", isDev ? "dev" : "build");
if (!isDev) {
  const pages = globSync("dist/**/*.html", { cwd: here }).length;
  console.log(`\n${pages} pages are in docs/site/dist; npm run docs:dev shows them while you write`);
}
