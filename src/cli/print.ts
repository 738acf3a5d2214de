import { escapeLine } from "../wire/foreign-text.ts";

/** The number of characters of a line that are printed. */
const MAX_LENGTH = 4_000;

/** Prints a line, which may contain text of a service or a file. */
export function printLine(text: string): void {
  console.log(toLine(text));
}

/** Prints a line for the user to the error output; it may contain text of a service or a file. */
export function printError(text: string): void {
  console.error(toLine(text));
}

/** Prints own text of several lines. */
export function printText(text: string): void {
  console.log(text);
}

/** Prints a value as JSON on several lines. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2).split("\n").map(escapeLine).join("\n"));
}

/** Returns text on one line without characters that a terminal could interpret. A very long line is cut. */
export function toLine(text: string): string {
  const line = escapeLine(text.slice(0, MAX_LENGTH));
  return text.length > MAX_LENGTH ? `${line}…` : line;
}
