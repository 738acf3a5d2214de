/** An error of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A file, a reading or a port of the command line is not available. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Returns the last line of the output and the exit code for an error; rethrows unexpected errors. */
export function describeFailure(error: unknown): { line: string; exitCode: number } {
  if (error instanceof UsageError) return { line: `shelfleet: ${error.message}`, exitCode: 2 };
  if (error instanceof StartError) return { line: `shelfleet: ${error.message}`, exitCode: 1 };
  throw error;
}
