/** Rejects an unknown operation with an error that names the known ones. */
export function assertOperation(operation: string, known: readonly string[]): void {
  if (known.includes(operation)) return;
  throw new Error(`Unknown operation "${operation}". Expected one of ${known.join(", ")}`);
}
