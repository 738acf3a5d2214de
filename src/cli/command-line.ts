import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { UsageError } from "./failure.ts";

/** The settings of `shelfleet mock`. */
export interface MockSettings {
  port: number;
  host: string | undefined;
  cors: boolean;
  json: boolean;
  control: boolean;
  seed: number | undefined;
  stores: number | undefined;
  protocols: number | undefined;
  vehicles: number | undefined;
  token: string | undefined;
  keys: string[] | undefined;
  now: string | undefined;
  /** The path of a file. */
  readings: string | undefined;
}

/** A parsed command line. */
export type Command =
  | { name: "help"; of: "shelfleet" | "mock" }
  | { name: "version" }
  | { name: "mock"; settings: MockSettings }
  | { name: "probe"; args: string[] };

const DEFAULT_PORT = 4010;

/** More rows would not fit into the memory of most machines. */
const MOST_ROWS = 1_000_000;

const topOptions = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** The flags of `shelfleet mock`. */
export const mockOptions = {
  port: { type: "string" },
  host: { type: "string" },
  cors: { type: "boolean" },
  seed: { type: "string" },
  stores: { type: "string" },
  protocols: { type: "string" },
  vehicles: { type: "string" },
  token: { type: "string" },
  key: { type: "string", multiple: true },
  now: { type: "string" },
  readings: { type: "string" },
  json: { type: "boolean" },
  control: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[]): Command {
  const [command] = args;
  if (command === "mock") return readMock(args.slice(1));
  if (command === "probe") return { name: "probe", args: args.slice(1) };
  if (command !== undefined && !command.startsWith("-"))
    throw new UsageError(`Unknown command "${command}"; see shelfleet --help`);
  return parsed(args, topOptions).version === true ? { name: "version" } : { name: "help", of: "shelfleet" };
}

function readMock(args: string[]): Command {
  const values = parsed(args, mockOptions);
  if (values.help === true) return { name: "help", of: "mock" };
  const settings: MockSettings = {
    port: integer("--port", values.port, 0, 65_535) ?? DEFAULT_PORT,
    host: filled("--host", values.host),
    cors: values.cors ?? false,
    json: values.json ?? false,
    control: values.control ?? false,
    seed: integer("--seed", values.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    stores: integer("--stores", values.stores, 0, MOST_ROWS),
    protocols: integer("--protocols", values.protocols, 0, MOST_ROWS),
    vehicles: integer("--vehicles", values.vehicles, 0, MOST_ROWS),
    token: filled("--token", values.token),
    keys: values.key,
    now: filled("--now", values.now),
    readings: filled("--readings", values.readings),
  };
  return { name: "mock", settings };
}

function parsed<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(fault(error as NodeJS.ErrnoException)); // parseArgs throws nothing else
  }
}

function fault({ code, message }: NodeJS.ErrnoException): string {
  // a stray argument may be a token: it is not quoted
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return "Unexpected argument; see shelfleet mock --help";
  const [sentence = message] = message.split(/\. |\n/, 1);
  return `${sentence.replace(/\.$/, "")}; see shelfleet mock --help`;
}

function integer(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "" : ` from ${least} to ${most}`;
  throw new UsageError(`${flag} must be an integer${range}, not "${text}"`);
}

function filled(flag: string, text: string | undefined): string | undefined {
  if (text === "") throw new UsageError(`${flag} must not be empty`);
  return text;
}
