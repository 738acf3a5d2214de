import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./failure.ts";
import { type Given, listOf } from "./given-values.ts";
import { decimal, integer, textValue } from "./setting-values.ts";

/** The flags of a command, and what `parseArgs` accepts besides them. */
type FlagConfig = ParseArgsConfig & { options: NonNullable<ParseArgsConfig["options"]> };

/**
 * Parses the flags of a command.
 * @throws {UsageError}
 */
export function parseFlags<const Config extends FlagConfig>(command: string, args: string[], config: Config) {
  try {
    return parseArgs({ args, strict: true, ...config });
  } catch (error) {
    throw new UsageError(describeFault(error as NodeJS.ErrnoException, command)); // parseArgs throws only this error
  }
}

function describeFault({ code, message }: NodeJS.ErrnoException, command: string): string {
  // an unexpected argument may be a token, so it is not quoted
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return `Unexpected argument; see shelfleet ${command} --help`;
  const [sentence = message] = message.split(/\. |\n/, 1);
  return `${sentence.replace(/\.$/, "")}; see shelfleet ${command} --help`;
}

/** Reads the values of parsed flags. Each method throws a `UsageError` that names the flag. */
export class Flags<Values extends object> {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  has(name: keyof Values & string): boolean {
    return this.#values[name] === true;
  }

  /** A string that is not empty. */
  text(name: keyof Values & string): string | undefined {
    return textValue(this.#given(name));
  }

  integer(name: keyof Values & string, minimum: number, maximum: number): number | undefined {
    return integer(this.#given(name), minimum, maximum);
  }

  /** A positive number. */
  decimal(name: keyof Values & string): number | undefined {
    return decimal(this.#given(name));
  }

  /** The elements of a comma-separated list. */
  list(name: keyof Values & string): string[] | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? listOf(value) : undefined;
  }

  #given(name: keyof Values & string): Given | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? { value, source: `--${name}` } : undefined;
  }
}
