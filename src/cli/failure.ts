/** An error of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A file, a reading or a port of the command line is not available. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Returns the last lines of the output and the exit code for an error. An unexpected error may quote a service. */
export function describeFailure(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof UsageError) return { lines: [`shelfleet: ${error.message}`], exitCode: 2 };
  if (error instanceof StartError) return { lines: [`shelfleet: ${error.message}`], exitCode: 1 };
  const stack = error instanceof Error ? error.stack : undefined;
  return { lines: ["shelfleet: unexpected error", ...(stack ?? String(error)).split("\n")], exitCode: 1 };
}

/** Returns the message for an error of `parseArgs` in a command. */
export function parseFault({ code, message }: NodeJS.ErrnoException, command: string): string {
  // an unexpected argument may be a token, so it is not quoted
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return `Unexpected argument; see shelfleet ${command} --help`;
  const [sentence = message] = message.split(/\. |\n/, 1);
  return `${sentence.replace(/\.$/, "")}; see shelfleet ${command} --help`;
}
