/**
 * `npm run sizes`: prints the size of each room in lines of code (without comments and blank lines) and files, the longest
 * functions, and after a build README's import and the tarball. Only the lines of `src` have a limit.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { countLines, type FunctionSize, listFunctions } from "./code-lines.ts";
import { measureImport } from "./import-size.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** `src` has fewer lines of code than this. */
const limit = 18_000;
const read = (name: string): string => readFileSync(root + name, "utf8");
const print = (label: string, ...cells: string[]): void =>
  console.log(`${label.padEnd(20)}${cells.map((cell) => cell.padStart(9)).join("")}`);

/** The rooms of a tracked file: its folder at the root, and in `src` the one below. */
function roomsOf(name: string): string[] {
  const [first = "", second = "", ...more] = name.split("/");
  if (second === "") return [];
  return first === "src" && more.length > 0 ? ["src", `src/${second}`] : [first];
}

/** Prints the rooms, and returns the lines of `src`. */
function printRooms(code: readonly string[]): number {
  const rooms = new Map<string, { lines: number; files: number }>();
  for (const name of code) {
    const lines = countLines(name, read(name));
    for (const room of roomsOf(name)) {
      const before = rooms.get(room) ?? { lines: 0, files: 0 };
      rooms.set(room, { lines: before.lines + lines, files: before.files + 1 });
    }
  }
  print("room", "lines", "files");
  for (const [room, { lines, files }] of [...rooms].toSorted(([a], [b]) => a.localeCompare(b)))
    print(room, String(lines), String(files));
  return rooms.get("src")?.lines ?? 0;
}

function printLongest(functions: readonly FunctionSize[]): void {
  console.log("\nthe longest functions of src, in lines of code");
  for (const { place, lines } of functions.toSorted((a, b) => b.lines - a.lines).slice(0, 8))
    console.log(`${String(lines).padStart(6)}  ${place}`);
}

async function printPackage(): Promise<void> {
  if (!existsSync(`${root}dist/index.js`)) {
    console.log("\nREADME's import and the tarball are measured after npm run build");
    return;
  }
  const { now, later } = await measureImport("storeFromEnv", "shelfleet");
  console.log(`\nREADME's import: ${now} bytes gzip at once, ${later} when needed`);
  const wanted = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const output = execFileSync("npm", wanted, { cwd: root, encoding: "utf8" });
  const [packed] = JSON.parse(output) as { size: number; entryCount: number }[];
  if (packed !== undefined) console.log(`the tarball: ${packed.size} bytes, ${packed.entryCount} files`);
}

const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const code = tracked.filter((name) => /\.(?:ts|tsx|js|mjs|css|html)$/.test(name) && existsSync(root + name));
const lines = printRooms(code);
printLongest(
  code.filter((name) => name.startsWith("src/")).flatMap((name) => listFunctions(name, read(name))),
);
await printPackage();
if (lines >= limit) {
  console.error(`src has ${lines} lines of code; it must have fewer than ${limit} (docs/CONTRIBUTING.md)`);
  process.exitCode = 1;
}
