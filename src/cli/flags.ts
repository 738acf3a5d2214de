import { parseArgs } from "node:util";
import { findSimilar, namesOf, tableOf } from "../wire/names.ts";
import { codeOf, messageOf } from "../wire/message.ts";
import { CommandError } from "./output.ts";

/** What `parseArgs` returns for a flag. */
type Given = string | boolean | string[] | undefined;

/** How the value of a flag is read. */
interface Kind<Value> {
  readonly type: "boolean" | "string";
  readonly multiple?: true;
  /** @throws {CommandError} that names the flag */
  readonly read: (given: Given, flag: string) => Value;
}

/** A flag of a command, with its line in the help. */
export interface Flag<Value> extends Kind<Value> {
  readonly argument: string;
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of flags. */
export type Settings<Table extends Flags> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]["read"]>;
};

/** Creates a flag. */
export function flag<Value>(kind: Kind<Value>, argument: string, help: string): Flag<Value> {
  return { ...kind, argument, help };
}

export const toggle: Kind<boolean> = { type: "boolean", read: (given) => given === true };

export const text: Kind<string | undefined> = {
  type: "string",
  read: (given, name) => {
    if (given === "") throw new CommandError(`${name} must not be empty`);
    return given as string | undefined; // the type of the flag
  },
};

/** A flag that can be given several times. */
export const texts: Kind<string[] | undefined> = {
  type: "string",
  multiple: true,
  read: (given) => given as string[] | undefined, // the type of the flag
};

export const number: Kind<number | undefined> = {
  type: "string",
  read: (given, name) => {
    if (given === undefined) return undefined;
    if (/^-?\d+(\.\d+)?$/.test(String(given))) return Number(given);
    throw new CommandError(`${name} must be a number, not "${String(given)}"`);
  },
};

/** A flag that is a positive number, or an integer, of at most nine digits. */
export function positive(standard: number, isInteger: boolean): Kind<number> {
  return {
    type: "string",
    read: (given, name) => {
      const value = number.read(given, name) ?? standard;
      if (value > 0 && value < 1e9 && (!isInteger || Number.isInteger(value))) return value;
      throw new CommandError(`${name} must be a positive ${isInteger ? "integer" : "number"}`);
    },
  };
}

/** Returns the lines of the help about flags. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries(flags).map(
    ([name, { argument, help }]) => [`--${name} ${argument}`.trimEnd(), help] as const,
  );
  rows.push(["--help", "prints this"]);
  return rows.map(([name, help]) => `  ${name.padEnd(25)}${help}`).join("\n");
}

/**
 * Reads the flags of a command; undefined with `--help`. A flag that is given twice and has one value is an error.
 *
 * @throws {CommandError}
 */
export function readFlags<Table extends Flags>(
  command: string,
  flags: Table,
  args: readonly string[],
): Settings<Table> | undefined {
  if (args.length === 1 && args[0] === "help") return undefined;
  const { values, tokens } = parse(command, flags, [...args]);
  const given: Readonly<Record<string, Given>> = values; // of the types above
  if (values.help === true) return undefined;
  const names = tokens.flatMap((token) =>
    token.kind === "option" && flags[token.name]?.multiple !== true ? token.name : [],
  );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new CommandError(`--${repeated} is given twice`);
  const settings = Object.entries(flags).map(([name, { read }]) => [name, read(given[name], `--${name}`)]);
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
    throw new CommandError(`${fault}; see shelfleet ${command} --help`);
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
