/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something that the command line names cannot be had: a file, a reading, a port. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** What the program says about an error as its last line, and its exit code. Faults of our own are thrown on. */
export function explained(error: unknown): { line: string; exitCode: number } {
  if (error instanceof UsageError) return { line: `shelfleet: ${error.message}`, exitCode: 2 };
  if (error instanceof StartError) return { line: `shelfleet: ${error.message}`, exitCode: 1 };
  throw error;
}
