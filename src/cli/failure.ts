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
