import { renamedIds } from "../../generated/readings.ts";

/** Returns the sentence that names the present ID of a gap, or of a reading of it; empty if it was never renamed. */
export function describeRename(gap: string, reading?: unknown): string {
  const name = typeof reading === "string" ? `${gap}: ${reading}` : gap;
  return Object.hasOwn(renamedIds, name) ? `. It is now "${renamedIds[name]}"` : "";
}
