/** Throws for an unknown operation. The error lists the known ones. */
export function assertOperation(operation: string, known: readonly string[]): void {
  if (known.includes(operation)) return;
  throw new Error(`Unknown operation "${operation}". Expected one of ${known.join(", ")}`);
}
