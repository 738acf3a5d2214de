import { randomUUID } from "node:crypto";
import {
  type Stats,
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isObject, type JsonObject } from "../wire/json.ts";
import { StartError, UsageError } from "./output.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";
import { dirname, join, resolve } from "node:path";
import type { ExportedState } from "../mock/index.ts";

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
    const isJson = file.startsWith("{");
    const problem = code === "ENOENT" ? "no such file" : `cannot be read (${code})`;
    throw new StartError(
      `${option} ${file}: ${problem}${isJson ? "; write the JSON to a file, and name it" : ""}`,
    );
  }
}

/**
 * Checks that a file can be written, before work is done that would be lost. Creates nothing.
 *
 * @throws {StartError} that names the flag and the file
 */
export function assertWritable(flag: string, file: string): void {
  try {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isDirectory() === true) throw new StartError(`${flag} ${file}: is a folder`);
    accessSync(existing === undefined ? dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw error instanceof StartError ? error : notWritable(flag, file, error);
  }
}

/**
 * Checks that a file that is written is neither another one that is written nor one that is read.
 *
 * @param written the files by their flags
 * @throws {UsageError} that names both flags
 */
export function assertDistinct(
  written: Readonly<Record<string, string | undefined>>,
  read: Readonly<Record<string, string | undefined>>,
): void {
  const flags = new Map<string, string>();
  for (const [flag, file] of [...Object.entries(read), ...Object.entries(written)]) {
    if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() === false) continue;
    const path = resolveLink(resolve(file));
    const other = flags.get(path);
    if (other !== undefined && flag in written)
      throw new UsageError(`${other} and ${flag} name the same file`);
    flags.set(path, flag);
  }
}

/** @throws {StartError} that names the flag and the file */
export function writeTextFile(flag: string, file: string, text: string): void {
  try {
    const existing = statSync(file, { throwIfNoEntry: false });
    const canReplace = existing === undefined || isReplaceable(existing);
    if (!canReplace || !tryReplace(file, text, existing?.mode)) writeFileSync(file, text);
  } catch (error) {
    throw notWritable(flag, file, error);
  }
}

/** Whether nothing is lost if another file takes the place of this one: its owner or further names. */
function isReplaceable(existing: Stats): boolean {
  return existing.isFile() && existing.nlink === 1 && existing.uid === (process.getuid?.() ?? existing.uid);
}

/** Returns false for a file in a folder of another user, or one that is mounted into a container. */
function tryReplace(file: string, text: string, mode: number | undefined): boolean {
  try {
    replaceFile(file, [text], mode);
    if (mode !== undefined) chmodSync(file, mode); // the umask is for new files
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EBUSY"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

/** Replaces a file in one step: a reader never sees a part of it, and after an error the old file is still there. */
export function replaceFile(file: string, parts: Iterable<string>, mode = 0o666): void {
  const target = resolveLink(file);
  const temporary = join(dirname(target), `${randomUUID()}.tmp`);
  try {
    writeAll(temporary, parts, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the target of a link, so that the link is not replaced. The target may not exist yet. */
function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink || codeOf(error) !== "ENOENT") return file;
    return resolveLink(resolve(dirname(file), readlinkSync(file)));
  }
}

function writeAll(file: string, parts: Iterable<string>, mode: number): void {
  const opened = openSync(file, "wx", mode);
  try {
    for (const part of parts) writeText(opened, part);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Writes a text to an open file. A system may write a part of it first. */
export function writeText(opened: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(opened, rest));
}

function notWritable(flag: string, file: string, error: unknown): StartError {
  const code = codeOf(error);
  return new StartError(`${flag} ${file}: cannot be written (${String(code)})`);
}

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
