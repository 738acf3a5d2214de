import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Returns the rows in the NDJSON files of a folder. */
export async function readFolder(folder: string): Promise<unknown[]> {
  const files = (await readdir(folder)).filter((name) => /\.(ndjson|jsonl)$/.test(name)).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap(parseRows);
}

/** Parses NDJSON. A line that is not JSON is a row that no list contains. */
export function parseRows(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      try {
        return JSON.parse(line, keepDigits) as unknown;
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
