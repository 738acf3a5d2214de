import { readFileSync } from "node:fs";
import { isObject } from "../internal/json.ts";
import { UsageError } from "./failure.ts";

/** The text of a file. @throws {UsageError} that names the flag and the file */
export function textIn(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // readFileSync throws nothing else
    throw new UsageError(
      `${flag} ${path}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`,
    );
  }
}

/** The JSON object in a file. @throws {UsageError} that names the flag and the file */
export function jsonObjectIn(flag: string, path: string): Record<string, unknown> {
  const text = textIn(flag, path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${flag} ${path}: not JSON`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} ${path}: must be a JSON object`);
}
