import type { Writable } from "node:stream";
import { codeOf, escapeLine } from "../wire/message.ts";

/** Wrong use of the command line, or a file or port that it names and that cannot be used. The message is for its user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The exit code of a `CommandError`, and of a program whose output was lost. */
export const WRONG_USE = 2;

/** Returns the last lines of the output and the exit code for an error. An unexpected error may quote a service. */
export function describeFailure(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof CommandError) return { lines: [`shelfleet: ${error.message}`], exitCode: WRONG_USE };
  const stack = error instanceof Error ? error.stack : undefined;
  const lines = ["unexpected error", ...(stack ?? String(error)).split("\n")];
  return { lines: lines.map((line) => `shelfleet: ${line}`), exitCode: 1 }; // no line is a command of a CI service
}

/**
 * Reports output that cannot be written, for example to a full disk. A reader that has closed its pipe needs no more, and
 * a terminal that was closed shows no error.
 */
export function watchOutput(): void {
  let isLost = false;
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error) => {
    if (isLost || codeOf(error) === "EPIPE") return;
    isLost = true;
    printError(`shelfleet: the output cannot be written (${codeOf(error)})`);
    process.on("exit", () => {
      process.exitCode = WRONG_USE;
    });
  });
}

/** The number of characters of a line that are printed. */
const MAX_LENGTH = 4_000;

/** Prints a line for the user to the error output; it may contain text of a service or a file. */
export function printError(text: string): void {
  console.error(toLine(text));
}

/** Prints lines, which may contain text of a program. */
export function print(...texts: readonly string[]): void {
  const lines = texts.flatMap((text) => text.split("\n"));
  console.log(lines.map(escapeLine).join("\n")); // one write: all reports in JSON have 200 000 lines
}

/** Returns text on one line without characters that a terminal could interpret. A very long line is cut. */
export function toLine(text: string): string {
  const line = escapeLine(text.slice(0, MAX_LENGTH));
  return text.length > MAX_LENGTH ? `${line}…` : line;
}

/** Returns text as one word of a shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The number of characters that may wait for a slow reader; further lines are dropped. */
const MAX_BUFFERED = 1_000_000;

/** The time for which lines are collected, in milliseconds: one write for each line would slow down the requests. */
const FLUSH_DELAY = 10;

/** Buffered output of lines, which never waits for its reader. */
export class LineOutput {
  readonly #stream: Writable;
  #buffer = "";

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  add(text: string): void {
    if (this.#buffer === "") setTimeout(() => this.#flush(), FLUSH_DELAY);
    this.#buffer += `${escapeLine(text)}\n`;
  }

  /** Resolves when every line is written, or cannot be written any more. */
  end(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  #flush(): void {
    if (this.#stream.writable && this.#stream.writableLength < MAX_BUFFERED) this.#stream.write(this.#buffer);
    this.#buffer = "";
  }
}
