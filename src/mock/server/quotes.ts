/** The largest number of characters of a quoted value: a part of a longer one could be a part of a secret. */
const MAX_QUOTE = 60;

/** Returns a value for a message: quoted if it is short, otherwise what it is. */
export function nameValue(value: unknown): string {
  if (typeof value === "string")
    return value.length <= MAX_QUOTE ? JSON.stringify(value) : `a string of ${value.length} characters`;
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Returns the end of a message about an unknown ID: the one with the same letters and digits, if there is one. */
export function suggest(given: string, known: { keys(): Iterable<unknown> }): string {
  if (given.length > MAX_QUOTE) return "";
  const wanted = lettersOf(given);
  for (const id of known.keys())
    if (lettersOf(String(id)) === wanted) return `. Did you mean ${JSON.stringify(id)}?`;
  return "";
}

function lettersOf(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
