import { parseArgs } from "node:util";
import { namesOf, tableOf } from "../wire/names.ts";
import { findSimilar } from "../wire/similar-name.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";
import { UsageError } from "./output.ts";

/** What `parseArgs` returns for a flag. */
type Given = string | boolean | string[] | undefined;

export interface Flag<Value> {
  readonly type: "boolean" | "string";
  readonly multiple?: true;
  /** @throws {UsageError} that names the flag */
  readonly read: (given: Given, flag: string) => Value;
}

type Flags = Readonly<Record<string, Flag<unknown>>>;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The values of flags: `maxRequests` for `--max-requests`. */
export type Settings<Table extends Flags> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ReturnType<Table[Name]["read"]>;
};

export const toggle: Flag<boolean> = { type: "boolean", read: (given) => given === true };

export const text: Flag<string | undefined> = {
  type: "string",
  read: (given, flag) => {
    if (given === "") throw new UsageError(`${flag} must not be empty`);
    return given as string | undefined; // the type of the flag
  },
};

/** A flag that can be given several times. */
export const texts: Flag<string[] | undefined> = {
  type: "string",
  multiple: true,
  read: (given) => given as string[] | undefined, // the type of the flag
};

export const number: Flag<number | undefined> = {
  type: "string",
  read: (given, flag) => {
    if (given === undefined) return undefined;
    if (/^-?\d+(\.\d+)?$/.test(String(given))) return Number(given);
    throw new UsageError(`${flag} must be a number, not "${String(given)}"`);
  },
};

/**
 * Reads the flags of a command; undefined with `--help`. A flag that is given twice and has one value is an error.
 *
 * @throws {UsageError}
 */
export function readFlags<Table extends Flags>(
  command: string,
  flags: Table,
  args: string[],
): Settings<Table> | undefined {
  const { values, tokens } = parse(command, flags, args);
  const given: Readonly<Record<string, Given>> = values; // of the types above
  if (values.help === true) return undefined;
  const names = tokens.flatMap((token) =>
    token.kind === "option" && flags[token.name]?.multiple !== true ? token.name : [],
  );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`);
  const settings = Object.entries(flags).map(([name, { read }]) => [
    name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    read(given[name], `--${name}`),
  ]);
  return Object.fromEntries(settings) as Settings<Table>; // the names and values of the table
}

function parse(command: string, flags: Flags, args: string[]) {
  const options = tableOf(namesOf(flags), (name) => {
    const { type, multiple = false } = flags[name] as Flag<unknown>; // a name of the table
    return { type, multiple };
  });
  try {
    const help = { type: "boolean", short: "h" } as const;
    return parseArgs({ args, strict: true, tokens: true, options: { ...options, help } });
  } catch (error) {
    const fault = describeFault(error, [...Object.keys(flags), "help"]);
    throw new UsageError(`${fault}; see shelfleet ${command} --help`);
  }
}

function describeFault(error: unknown, known: readonly string[]): string {
  // an unexpected argument may be a token, so it is not quoted
  if (codeOf(error) === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return "Unexpected argument, which belongs to no option";
  const [sentence = ""] = messageOf(error).split(/\. |\n/, 1);
  const [, unknown = ""] = /^Unknown option '--(.*)'/.exec(sentence) ?? [];
  const similar = findSimilar(unknown, known);
  return sentence.replace(/\.$/, "") + (similar === undefined ? "" : ` (did you mean --${similar}?)`);
}
