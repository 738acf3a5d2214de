/** Whether two external IDs are equal under some reading of gap stores.external-id-equality. */
export function isSimilarId(one: string, other: string): boolean {
  return foldId(one) === foldId(other);
}

function foldId(id: string): string {
  return id.normalize("NFC").trim().toLowerCase();
}
