/** Whether two external IDs are equal under some reading of gap stores.external-id-equality. */
export function isSimilarId(first: unknown, second: unknown): boolean {
  return fold(first) === fold(second);
}

function fold(id: unknown): string {
  return String(id).normalize("NFC").trim().toLowerCase();
}
