import { codeOf, escapeLine } from "../wire/message.ts";

/** An error of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A file, a reading or a port of the command line is not available. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Returns the last lines of the output and the exit code for an error. An unexpected error may quote a service. */
export function describeFailure(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof UsageError) return { lines: [`shelfleet: ${error.message}`], exitCode: 2 };
  if (error instanceof StartError) return { lines: [`shelfleet: ${error.message}`], exitCode: 1 };
  const stack = error instanceof Error ? error.stack : undefined;
  const lines = ["unexpected error", ...(stack ?? String(error)).split("\n")];
  return { lines: lines.map((line) => `shelfleet: ${line}`), exitCode: 1 }; // no line is a command of a CI service
}

/** The exit code of a program whose output was lost. */
const OUTPUT_LOST = 2;

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
      process.exitCode = OUTPUT_LOST;
    });
  });
}

/** The number of characters of a line that are printed. */
const MAX_LENGTH = 4_000;

/** Prints a line for the user to the error output; it may contain text of a service or a file. */
export function printError(text: string): void {
  console.error(toLine(text));
}

/** Prints own text of several lines. */
export function printText(text: string): void {
  console.log(text);
}

/** Returns text on one line without characters that a terminal could interpret. A very long line is cut. */
export function toLine(text: string): string {
  const line = escapeLine(text.slice(0, MAX_LENGTH));
  return text.length > MAX_LENGTH ? `${line}…` : line;
}
