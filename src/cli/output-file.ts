import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
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
    const existing = statSync(file, { throwIfNoEntry: false });
    const isFile = existing === undefined || existing.isFile();
    if (!isFile || !tryReplace(file, text, existing?.mode ?? 0o666)) writeFileSync(file, text);
  } catch (error) {
    throw notWritable(flag, file, error);
  }
}

/** Returns false for a file in a folder of another user, or one that is mounted into a container. */
function tryReplace(file: string, text: string, mode: number): boolean {
  try {
    replaceFile(file, [text], mode);
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EBUSY"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

/** Replaces a file in one step: a reader never sees a part of it, and after an error the old file is still there. */
export function replaceFile(file: string, parts: Iterable<string>, mode: number): void {
  const target = resolveLink(file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeAll(temporary, parts, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the target of a link, so that the link is not replaced. */
function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it does not exist yet
  }
}

function writeAll(file: string, parts: Iterable<string>, mode: number): void {
  rmSync(file, { force: true });
  const opened = openSync(file, "wx", mode);
  try {
    for (const part of parts) writeText(opened, part);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function writeText(opened: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(opened, rest));
}

function notWritable(flag: string, file: string, error: unknown): StartError {
  const code = codeOf(error);
  return new StartError(`${flag} ${file}: cannot be written (${String(code)})`);
}
