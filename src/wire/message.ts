import { isObject } from "./json.ts";

/**
 * Characters that a terminal, a log or an editor could interpret, or that nobody sees: control and format characters, line
 * separators, invisible letters and marks. Also noncharacters, which XML does not allow, and the beginning of commands such
 * as `##vso[`, which CI services execute anywhere in a line.
 */
const unsafe = /[\p{Zl}\p{Zp}\p{Cs}\p{Cc}\p{Cf}\p{DI}\p{NChar}\u2800]|(?<=#)#(?=\w*\[)/gu;

/**
 * Returns text of others on one line for a terminal or a log: no character is a command. The escapes are those of JSON,
 * so that a line of JSON keeps its meaning.
 */
export function escapeLine(text: string): string {
  return text.replace(unsafe, (sign) => sign.split("").map(escapeUnit).join(""));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns the message of an error, or the text of another thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the code of an error of Node, such as `ENOENT`. */
export function codeOf(thrown: unknown): string | undefined {
  return isObject(thrown) && typeof thrown.code === "string" ? thrown.code : undefined;
}
