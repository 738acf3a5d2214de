import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);

/** The documents that ship. */
export const documents = ["store", "fleet", "control"] as const;

/** The file of a document. */
export function documentFile(name: (typeof documents)[number]): string {
  return fileURLToPath(new URL(`../../specs/${name}.openapi.yaml`, import.meta.url));
}

/** Returns the program of a package in this folder. */
export function programOf(packageName: string, program: string): string {
  const manifest = join(here, "node_modules", packageName, "package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | Record<string, string> };
  const file = typeof bin === "string" ? bin : bin[program];
  if (file === undefined) throw new Error(`${packageName} has no program ${program}`);
  return join(dirname(manifest), file);
}

/** Imports a package in this folder. */
export function load(packageName: string): unknown {
  return require(join(here, "node_modules", packageName));
}

/** What a tool may print about a document that it does not like. */
const COMPLAINT = /\b(?:warn(?:ing)?s?|errors?|deprecated|failed|not supported|unsupported)\b|⚠|✖/i;

/** The lines of a program that count as no complaint. */
const HARMLESS = /\b(?:0|no) (?:errors?|warnings?)\b|No results with a severity/i;

/** Runs a program. Throws if it fails, or prints a warning. */
export async function run(program: string, args: readonly string[], cwd = here): Promise<string> {
  const env = {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    ORVAL_TELEMETRY_DISABLED: "1",
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { cwd, env });
  const printed = `${stdout}\n${stderr}`;
  const complaints = printed.split("\n").filter((line) => COMPLAINT.test(line) && !HARMLESS.test(line));
  if (complaints.length > 0) throw new Error(`${program} ${args.join(" ")}:\n${complaints.join("\n")}`);
  return printed;
}

/** Creates a folder for what a tool writes, in which TypeScript finds the packages of this folder. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "foreign-"));
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
