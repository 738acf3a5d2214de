/** The form of a UUID, of any version. */
export const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a value is a UUID. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && uuidForm.test(value);
}

/** Whether two IDs are equal but for case, Unicode form and blanks at their ends. gap stores.external-id-equality */
export function isSimilarId(first: unknown, second: unknown): boolean {
  return fold(first) === fold(second);
}

function fold(id: unknown): string {
  return String(id).normalize("NFC").trim().toLowerCase();
}
