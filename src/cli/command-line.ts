import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { UsageError, parseFault } from "./failure.ts";
import { type MockCommand, readMockArguments } from "./mock-arguments.ts";

/** A parsed command line. */
export type Command =
  | { name: "help"; of: "shelfleet" }
  | { name: "version" }
  | { name: "probe" | "proxy" | "compare" | "prove"; args: string[] }
  | MockCommand;

const topOptions = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[], env: NodeJS.ProcessEnv = {}): Command {
  const [command] = args;
  if (command === "mock") return readMockArguments(args.slice(1), env);
  if (command === "probe" || command === "proxy" || command === "compare" || command === "prove")
    return { name: command, args: args.slice(1) };
  if (command !== undefined && !command.startsWith("-"))
    throw new UsageError(`Unknown command "${command}"; see shelfleet --help`);
  return parseOptions(args, topOptions).version === true
    ? { name: "version" }
    : { name: "help", of: "shelfleet" };
}

function parseOptions<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(parseFault(error as NodeJS.ErrnoException, "mock")); // parseArgs throws only this error
  }
}
