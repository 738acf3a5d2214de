import { constants, accessSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "./failure.ts";
import { codeOf } from "../wire/thrown.ts";

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

/** @throws {StartError} that names the flag and the file */
export function writeTextFile(flag: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw notWritable(flag, file, error);
  }
}

function notWritable(flag: string, file: string, error: unknown): StartError {
  const code = codeOf(error);
  return new StartError(`${flag} ${file}: cannot be written (${String(code)})`);
}
