import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "../wire/json.ts";
import type { ExportedState } from "../mock/index.ts";
import { StartError } from "./failure.ts";
import { replaceFile } from "./output-file.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";

/**
 * Checks that a state can be saved to a file, before the server starts.
 *
 * @throws {StartError}
 */
export function checkSavable(file: string): void {
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(
      `--save ${file}: ${code === "ENOENT" ? `the folder does not exist: ${folder}` : `${folder} cannot be written (${code})`}`,
    );
  }
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new StartError(`--save ${file}: is a folder`);
  // the saved file takes its place: a root user would lose /dev/null
  if (existing?.isFile() === false) throw new StartError(`--save ${file}: is a device or a pipe, not a file`);
}

/**
 * Saves a state atomically: a reader never sees a part of it. Only the user can read the file.
 *
 * @throws {StartError}
 */
export function saveState(file: string, state: ExportedState): void {
  try {
    replaceFile(file, textOf(state), 0o600);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(`--save ${file}: the state was not saved (${code ?? messageOf(error)})`);
  }
}

/** The approximate number of characters in one write. */
const PART = 1_000_000;

/**
 * Returns the JSON of a state in parts: each element of a list is on a separate line, so that differences are
 * readable.
 */
export function* textOf(state: ExportedState): Generator<string> {
  let waiting = "";
  for (const piece of pieces(state, "")) {
    waiting += piece;
    if (waiting.length < PART) continue;
    yield waiting;
    waiting = "";
  }
  yield `${waiting}\n`;
}

function* pieces(value: unknown, indent: string): Generator<string> {
  const inner = `${indent} `;
  if (Array.isArray(value) && value.length > 0) {
    let separator = "[\n";
    for (const element of value) {
      yield `${separator}${inner}${JSON.stringify(element)}`;
      separator = ",\n";
    }
    yield `\n${indent}]`;
  } else if (isObject(value)) {
    yield* propertyPieces(Object.entries(value), indent);
  } else yield JSON.stringify(value);
}

function* propertyPieces(properties: [string, unknown][], indent: string): Generator<string> {
  const inner = `${indent} `;
  let separator = "{\n";
  for (const [name, property] of properties) {
    yield `${separator}${inner}${JSON.stringify(name)}: `;
    yield* pieces(property, inner);
    separator = ",\n";
  }
  yield properties.length === 0 ? "{}" : `\n${indent}}`;
}
