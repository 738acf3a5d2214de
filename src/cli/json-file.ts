import { readFileSync } from "node:fs";
import { type JsonObject, isObject } from "../wire/json.ts";
import { StartError } from "./failure.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";

/**
 * Reads a JSON file that an option names.
 *
 * @throws {StartError} that names the option and the file, but does not quote the file, which may contain secrets
 */
export function readJsonFile(option: string, file: string): unknown {
  const text = readTextFile(option, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place] = /line \d+ column \d+/.exec(messageOf(error)) ?? [];
    throw new StartError(`${option} ${file}: not JSON${place === undefined ? "" : `, at ${place}`}`);
  }
}

/** Reads a JSON file that must contain an object. */
export function readJsonObject(option: string, file: string, content: string): JsonObject {
  const value = readJsonFile(option, file);
  if (isObject(value)) return value;
  throw new StartError(`${option} ${file}: must be a JSON object of ${content}`);
}

/**
 * Reads a text file that an option names.
 *
 * @throws {StartError} that names the option and the file
 */
export function readTextFile(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(
      `${option} ${file}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`,
    );
  }
}
