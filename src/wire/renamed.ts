/** The present ID of each renamed gap, and of each renamed reading after the ID of its gap. */
type RenamedIds = Readonly<Record<string, string>>;

/** Returns the sentence that names the present ID of a gap, or of a reading of it; empty if it was never renamed. */
export function describeRename(renamedIds: RenamedIds, gap: string, reading?: unknown): string {
  const name = typeof reading === "string" ? `${gap}: ${reading}` : gap;
  return Object.hasOwn(renamedIds, name) ? `. It is now "${renamedIds[name]}"` : "";
}
