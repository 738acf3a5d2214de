/** One thing that is wrong with a request; `path` is dotted: `limit`, `contacts.0.name`. */
export interface Issue {
  path: string;
  message: string;
  code?: string;
}

/** A body whose JSON is there already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a handler answers; a body of `undefined` is none. */
export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** What was wrong with the request, for the journal. */
  unmet?: readonly Issue[];
}

/** A plain 200. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** Marks the three answers that no contract describes. */
export const OUTSIDE_HEADER = "x-reference-outside-contract";
