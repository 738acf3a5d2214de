/** The largest number of characters of a quoted value: a part of a longer one could be a part of a secret. */
const MAX_QUOTE = 60;

/** Returns a value for a message: quoted if it is short, otherwise what it is. */
export function nameValue(value: unknown): string {
  if (typeof value === "string")
    return value.length <= MAX_QUOTE ? JSON.stringify(value) : `a string of ${value.length} characters`;
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** The largest number of IDs among which a similar one is searched. */
const MAX_SEARCHED = 10_000;

/** Returns the end of a message about an unknown ID: the one with the same letters and digits, if there is one. */
export function suggest(given: string, known: { readonly size: number; keys(): Iterable<unknown> }): string {
  if (known.size > MAX_SEARCHED || given.length > MAX_QUOTE) return "";
  const wanted = lettersOf(given);
  for (const id of known.keys())
    if (lettersOf(String(id)) === wanted) return `. Did you mean ${JSON.stringify(id)}?`;
  return "";
}

function lettersOf(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The largest number of characters of the path of an issue. A longer name is not one of a contract. */
const MAX_PATH_LENGTH = 200;

/** Returns the path of an issue, or its length if it is very long. */
export function shortenPath(path: string): string {
  return path.length <= MAX_PATH_LENGTH ? path : `(a name of ${path.length} characters)`;
}
