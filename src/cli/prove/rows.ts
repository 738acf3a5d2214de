import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { nestsTooDeep } from "../../wire/json.ts";
import { messageOf } from "../../wire/thrown.ts";
import { UnreadableRowsError } from "./process.ts";

/** The largest number of bytes of rows that are read. */
export const maxRows = 268_435_456;

/** Returns the rows in the NDJSON files of a folder. @throws {UnreadableRowsError} if they cannot be read */
export async function readFolder(folder: string): Promise<unknown[]> {
  try {
    const names = (await readdir(folder)).filter((name) => /\.(ndjson|jsonl)$/.test(name)).toSorted();
    const files = names.map((name) => join(folder, name));
    await checkFiles(files);
    const rows: unknown[][] = [];
    for (const file of files) rows.push(parseRows(await readFile(file, "utf8"))); // a process may open few files at once
    return rows.flat();
  } catch (error) {
    throw new UnreadableRowsError(`the rows cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the contents of all files in a folder, for the search for secrets. */
export async function readFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const contents: string[] = [];
  let size = 0;
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const file = join(parentPath, name);
    size += (await stat(file).catch(() => ({ size: 0 }))).size;
    if (size > maxRows) break;
    contents.push(await readFile(file, "latin1").catch(() => ""));
  }
  return contents;
}

/** A pipe or a device may have no end. */
async function checkFiles(files: readonly string[]): Promise<void> {
  let size = 0;
  for (const file of files) {
    const found = await stat(file);
    if (!found.isFile()) throw new Error(`${file} is not a file`);
    size += found.size;
  }
  if (size > maxRows) throw new Error(`they have ${size} bytes, more than ${maxRows}`);
}

/** Parses NDJSON, with or without a byte order mark. A line that is not JSON, or is nested too deeply, is a row that no list contains. */
export function parseRows(text: string): unknown[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      try {
        return nestsTooDeep(line) ? line : (JSON.parse(line, keepDigits) as unknown);
      } catch {
        return line;
      }
    });
}

/** A number that a double cannot hold stays a string of its digits. */
function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}
