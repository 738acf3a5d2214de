/** Encodes any text as one segment of a path. Lone surrogates, which have no encoding, become U+FFFD. */
export function pathSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Whether an ID can be a segment of a path. URL parsers remove dot segments, so that the path would be another one. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id !== "." && id !== "..";
}

/** Whether a path has a dot segment, also a percent-encoded one, or a backslash, which URL parsers take for a slash. */
export function hasDotSegment(path: string): boolean {
  return path.includes("\\") || path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
