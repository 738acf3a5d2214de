import { type ParseArgsConfig, parseArgs } from "node:util";
import { isSendableSecret } from "../wire/header-text.ts";
import { HOST_NAME_EXPECTED, isHostName } from "../wire/host-guard.ts";
import { namesOf, tableOf } from "../wire/names.ts";
import { findSimilar } from "../wire/similar-name.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";
import { UsageError } from "./output.ts";

/** A key as the command line or the configuration file describes it. */
export interface GivenKey {
  key: string;
  scopes?: string[];
  expires?: string;
  revoked?: boolean;
}

export interface Given {
  readonly value: boolean | string | string[] | GivenKey[];
  /** The source of the value, for errors: `--port`, `SHELFLEET_PORT`, or `"port" in config.json`. */
  readonly source: string;
}

export interface Flag<Value> {
  readonly kind: "switch" | "integer" | "number" | "text" | "texts" | "keys";
  /** Returns the value of the setting. @throws {UsageError} that names the source */
  readonly read: (given: Given | undefined) => Value;
  /** Whether the value is the path of a file. */
  readonly path?: true;
}

/** The flags of a command, by their names. */
type Flags = Readonly<Record<string, Flag<unknown>>>;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The values of flags: `maxRequests` for `--max-requests`. */
export type Settings<Table extends Flags> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ReturnType<Table[Name]["read"]>;
};

export const toggle: Flag<boolean> = { kind: "switch", read: (given) => given?.value === true };

export const text: Flag<string | undefined> = {
  kind: "text",
  read: (given) => given && requireNonEmpty(given.source, stringOf(given)),
};

export const path: Flag<string | undefined> = { ...text, path: true };

/** A string that a header can contain; errors do not quote it. */
export const headerText: Flag<string | undefined> = {
  kind: "text",
  read: (given) => {
    if (given === undefined || isSendableSecret(stringOf(given))) return text.read(given);
    throw new UsageError(`${given.source} must be a string of visible characters that a header can contain`);
  },
};

/** A flag that can be given several times. */
export const texts: Flag<string[] | undefined> = {
  kind: "texts",
  read: (given) => given?.value as string[] | undefined, // the kind of the flag
};

/** Names that the header `Host` can have. */
export const hostNames: Flag<string[]> = {
  kind: "texts",
  read: (given) => {
    const names = texts.read(given) ?? [];
    const wrong = names.find((name) => !isHostName(name));
    if (wrong === undefined) return names;
    throw new UsageError(`${given?.source} ${HOST_NAME_EXPECTED}, not "${wrong}"`);
  },
};

export function integer(minimum: number, maximum: number): Flag<number | undefined> {
  const range = maximum === Number.MAX_SAFE_INTEGER ? "" : ` from ${minimum} to ${maximum}`;
  return {
    kind: "integer",
    read: (given) => {
      if (given === undefined) return undefined;
      const digits = stringOf(given);
      const value = Number(digits);
      if (/^-?\d+$/.test(digits) && value >= minimum && value <= maximum) return value;
      throw new UsageError(`${given.source} must be an integer${range}, not "${digits}"`);
    },
  };
}

export const decimal: Flag<number | undefined> = {
  kind: "number",
  read: (given) => {
    if (given === undefined) return undefined;
    const digits = stringOf(given);
    if (/^\d+(\.\d+)?$/.test(digits) && Number(digits) > 0) return Number(digits);
    throw new UsageError(`${given.source} must be a positive number, not "${digits}"`);
  },
};

/** Returns a flag with a default. */
export function withDefault<Value>(flag: Flag<Value | undefined>, fallback: Value): Flag<Value> {
  return { ...flag, read: (given) => flag.read(given) ?? fallback };
}

/** Returns the string of a value; only lists and switches have no string. */
function stringOf({ value }: Given): string {
  return typeof value === "string" ? value : "";
}

export function requireNonEmpty(source: string, value: string): string {
  if (value === "") throw new UsageError(`${source} must not be empty`);
  return value;
}

/** Returns the elements of a comma-separated list. */
export function listOf(elements: string): string[] {
  return elements.split(",").flatMap((element) => (element.trim() === "" ? [] : [element.trim()]));
}

/** Returns the options of `parseArgs`. */
export function optionsOf<Name extends string>(flags: Readonly<Record<Name, Flag<unknown>>>) {
  const options = tableOf(namesOf(flags), (name) => {
    const { kind } = flags[name];
    const type: "boolean" | "string" = kind === "switch" ? "boolean" : "string";
    return { type, multiple: kind === "texts" || kind === "keys" };
  });
  return {
    ...options,
    help: { type: "boolean", short: "h" },
  } as const;
}

/** Reads the values of all flags. @throws {UsageError} */
export function readSettings<Table extends Flags>(
  flags: Table,
  givenValues: Readonly<Record<string, Given | undefined>>,
): Settings<Table> {
  const settings = Object.entries(flags).map(([name, { read }]) => [
    name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    read(givenValues[name]),
  ]);
  return Object.fromEntries(settings) as Settings<Table>; // the names and values of the table
}

/** The flags of a command, and what `parseArgs` accepts besides them. */
type FlagConfig = ParseArgsConfig & { options: NonNullable<ParseArgsConfig["options"]> };

/**
 * Parses the flags of a command.
 * @throws {UsageError}
 */
export function parseFlags<const Config extends FlagConfig>(command: string, args: string[], config: Config) {
  try {
    refuseRepeated(args, config);
    return parseArgs({ args, strict: true, ...config });
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(describeFault(error, command, Object.keys(config.options)));
  }
}

/**
 * Rejects a flag that is given twice and has one value: `parseArgs` would only take the last one. Each `--key` may
 * have its own `--key-expires`.
 */
function refuseRepeated(args: string[], config: FlagConfig): void {
  // the value of a misspelled flag counts as positional here
  const { tokens } = parseArgs({ ...config, args, strict: false, allowPositionals: true, tokens: true });
  let seen: string[] = [];
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name } = token;
    if (config.options[name]?.multiple === true) seen = seen.filter((other) => !other.startsWith(`${name}-`));
    else if (seen.includes(name)) throw new UsageError(`--${name} is given twice`);
    else seen.push(name);
  }
}

function describeFault(error: unknown, command: string, known: readonly string[]): string {
  // an unexpected argument may be a token, so it is not quoted
  if (codeOf(error) === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return `Unexpected argument, which belongs to no option; see shelfleet ${command} --help`;
  const [sentence = ""] = messageOf(error).split(/\. |\n/, 1);
  const [, unknown = ""] = /^Unknown option '--(.*)'/.exec(sentence) ?? [];
  const similar = findSimilar(unknown, known);
  const question = similar === undefined ? "" : ` (did you mean --${similar}?)`;
  return `${sentence.replace(/\.$/, "")}${question}; see shelfleet ${command} --help`;
}

/**
 * Reads the command line of a command whose flags only the command line sets. The settings are undefined with `--help`.
 * @throws {UsageError}
 */
export function readFlags<Table extends Flags>(
  command: string,
  flags: Table,
  args: string[],
  allowPositionals = false,
): { settings: Settings<Table> | undefined; positionals: string[] } {
  const { values, positionals } = parseFlags(command, args, { options: optionsOf(flags), allowPositionals });
  const { help, ...others } = values as Readonly<Record<string, Given["value"] | undefined>>; // the kinds of the flags
  const given = Object.entries(others).flatMap(([name, value]): [string, Given][] =>
    value === undefined ? [] : [[name, { value, source: `--${name}` }]],
  );
  return {
    settings: help === true ? undefined : readSettings(flags, Object.fromEntries(given)),
    positionals,
  };
}
