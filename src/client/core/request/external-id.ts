/** Whether two external IDs are equal under some reading of gap stores.external-id-equality. */
export function isSimilarId(first: string, second: string): boolean {
  return foldId(first) === foldId(second);
}

function foldId(id: string): string {
  return id.normalize("NFC").trim().toLowerCase();
}
