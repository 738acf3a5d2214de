/** Returns the message for a query parameter that an operation does not have; `known` are those that it has. */
export function unknownParameter(known: readonly string[]): string {
  if (known.length === 0) return "is not a parameter: this operation has no query parameters";
  return `is not a parameter of this operation. Expected one of ${known.join(", ")}`;
}
