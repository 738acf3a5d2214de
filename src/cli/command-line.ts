import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { isPublicHost } from "../mock/control/controlled-server.ts";
import { UsageError } from "./failure.ts";

/** The settings of `shelfleet mock`. */
export interface MockSettings {
  port: number;
  host: string | undefined;
  cors: boolean;
  json: boolean;
  /** Names that the header `Host` may have besides the address that the server listens on. */
  allowHosts: string[];
  control: boolean;
  /** Default: a random one. */
  controlToken: string | undefined;
  seed: number | undefined;
  stores: number | undefined;
  protocols: number | undefined;
  vehicles: number | undefined;
  token: string | undefined;
  keys: string[] | undefined;
  now: string | undefined;
  /** The path of a file. */
  readings: string | undefined;
  /** The path of a log of `shelfleet proxy`. */
  twin: string | undefined;
}

/** A parsed command line. */
export type Command =
  | { name: "help"; of: "shelfleet" | "mock" }
  | { name: "version" }
  | { name: "mock"; settings: MockSettings }
  | { name: "probe" | "proxy" | "compare"; args: string[] };

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
  "allow-host": { type: "string", multiple: true },
  seed: { type: "string" },
  stores: { type: "string" },
  protocols: { type: "string" },
  vehicles: { type: "string" },
  token: { type: "string" },
  key: { type: "string", multiple: true },
  now: { type: "string" },
  readings: { type: "string" },
  twin: { type: "string" },
  json: { type: "boolean" },
  control: { type: "boolean" },
  "control-token": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[]): Command {
  const [command] = args;
  if (command === "mock") return readMock(args.slice(1));
  if (command === "probe" || command === "proxy" || command === "compare")
    return { name: command, args: args.slice(1) };
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
    allowHosts: values["allow-host"] ?? [],
    control: values.control ?? false,
    controlToken: headerText("--control-token", values["control-token"]),
    seed: integer("--seed", values.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    stores: integer("--stores", values.stores, 0, MOST_ROWS),
    protocols: integer("--protocols", values.protocols, 0, MOST_ROWS),
    vehicles: integer("--vehicles", values.vehicles, 0, MOST_ROWS),
    token: filled("--token", values.token),
    keys: values.key,
    now: filled("--now", values.now),
    readings: filled("--readings", values.readings),
    twin: filled("--twin", values.twin),
  };
  checkPublicHost(settings);
  return { name: "mock", settings };
}

/** A server that other machines reach must have a token that its user chose. */
function checkPublicHost({ host, token, control, controlToken }: MockSettings): void {
  if (!isPublicHost(host)) return;
  if (token === undefined) throw new UsageError(`--host ${host} lets other machines in: it needs --token`);
  if (control && controlToken === undefined)
    throw new UsageError(`--host ${host} lets other machines in: --control needs --control-token`);
}

/** @throws {UsageError} for a text that a header cannot carry; it is not quoted */
function headerText(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError(`${flag} must be a text of visible characters that a header can carry`);
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
