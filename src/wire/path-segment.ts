/** Encodes any text as one segment of a path. Lone surrogates, which have no encoding, become U+FFFD. */
export function pathSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Whether an ID can be a segment of a path. URL parsers remove dot segments, so that the path would be another one. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id !== "." && id !== "..";
}

/** One or two dots, also those that only some servers decode, before the end of a segment, its parameters or what ends a path. */
const dots = /^(?:\.|%2e|%u002e|%c0%ae|%ef%bc%8e){1,2}(?:(?:;|%3b|%3f|%23|%00).*)?$/i;

/** Encoded control characters and blanks, which some servers remove. */
const blanks = /%(?:0[1-9a-f]|1[\da-f]|20|7f)/gi;

/**
 * Whether a server or a proxy could take a part of a path for a dot segment: also an encoded one, one between encoded
 * slashes, with parameters or with blanks; or whether it has a character that no path has.
 */
export function hasDotSegment(path: string): boolean {
  if (/[\\#]/.test(path)) return true;
  const segments = path.replace(blanks, "").split(/\/|%2f|%5c|%u002f|%u005c|%c0%af|%ef%bc%8f/i);
  return segments.some((segment) => dots.test(segment));
}
