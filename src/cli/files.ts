import { accessSync, constants, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf } from "../wire/message.ts";
import { CommandError } from "./output.ts";

/**
 * Reads a file that a flag or a variable names, without the byte order mark of an editor.
 *
 * @throws {CommandError} that names the flag and the file, but does not quote the file, which may contain secrets
 */
export function readTextFile(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = codeOf(error);
    const reason = code === "ENOENT" ? "no such file" : `cannot be read (${code})`;
    throw new CommandError(`${flag} ${file}: ${reason}`);
  }
}

/** Reads a JSON file that a flag names. @throws {CommandError} as above */
export function readJsonFile(flag: string, file: string): unknown {
  const text = readTextFile(flag, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place] = /line \d+ column \d+/.exec(messageOf(error)) ?? [];
    throw new CommandError(`${flag} ${file}: not JSON${place === undefined ? "" : `, at ${place}`}`);
  }
}

/**
 * Checks that a file can be written, before work is done that would be lost. Creates nothing.
 *
 * @throws {CommandError} that names the flag and the file
 */
export function assertWritable(flag: string, file: string): void {
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new CommandError(`${flag} ${file}: is a folder`);
  try {
    accessSync(existing === undefined ? dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw notWritable(flag, file, error);
  }
}

/** Writes a file that a flag names. @throws {CommandError} that names the flag and the file */
export function writeFile(flag: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw notWritable(flag, file, error);
  }
}

function notWritable(flag: string, file: string, error: unknown): CommandError {
  return new CommandError(`${flag} ${file}: cannot be written (${codeOf(error)})`);
}
