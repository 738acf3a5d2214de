/** Whether two external IDs are equal under some reading of gap stores.external-id-equality. */
export function isSimilarId(first: unknown, second: unknown): boolean {
  return foldId(first) === foldId(second);
}

/** Returns the form that similar IDs share. */
export function foldId(id: unknown): string {
  return String(id).normalize("NFC").trim().toLowerCase();
}
