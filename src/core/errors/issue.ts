/** One thing wrong with a request or a response. */
export interface Issue {
  /** Where, dotted: `limit`, `contacts.0.name`; empty for the whole. */
  path: string;
  message: string;
}

type PathSegment = PropertyKey | { readonly key: PropertyKey };

/** Brings a schema's issue path into the form that the API's own errors have. */
export function dotted(path: readonly PathSegment[] | undefined): string {
  return (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}
