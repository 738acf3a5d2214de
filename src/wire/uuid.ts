/** Whether a value has the form of a UUID, of any version. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}
