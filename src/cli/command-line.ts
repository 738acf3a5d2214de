import { UsageError } from "./failure.ts";
import { parseFlags } from "./flags.ts";
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
  return parseFlags("mock", args, { options: topOptions }).values.version === true
    ? { name: "version" }
    : { name: "help", of: "shelfleet" };
}
