/** Encodes any text as one segment of a path. Lone surrogates, which have no encoding, become U+FFFD. */
export function pathSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Whether an ID can be a segment of a path. URL parsers remove dot segments, so that the path would be another one. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id !== "." && id !== "..";
}

/**
 * Whether a server or a proxy could take a part of a path for a dot segment: also a percent-encoded one, one between
 * encoded slashes or with parameters; or whether it has a character that no path has.
 */
export function hasDotSegment(path: string): boolean {
  if (/[\\#]/.test(path)) return true;
  return path.split(/\/|%2f|%5c/i).some((segment) => /^(?:\.|%2e){1,2}(?:;.*|%3b.*)?$/i.test(segment));
}
