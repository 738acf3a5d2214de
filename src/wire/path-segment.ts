/** Encodes any text as one segment of a path. Lone surrogates, which have no encoding, become U+FFFD. */
export function pathSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
