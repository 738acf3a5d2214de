/** One thing wrong with a request or a response. */
export interface Issue {
  /** The path, dotted: `limit`, `contacts.0.name`; empty for the whole value. */
  path: string;
  message: string;
}

type PathSegment = PropertyKey | { readonly key: PropertyKey };

/** Converts a schema's issue path to the form that the API's own errors use. */
export function formatPath(path: readonly PathSegment[] | undefined): string {
  return (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}
