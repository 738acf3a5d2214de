/** One issue of a request; the parts of `path` are separated by dots: `limit`, `contacts.0.name`. */
export interface Issue {
  path: string;
  message: string;
  code?: string;
}

/** A body that is already serialized as JSON. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The response of a handler; a body of `undefined` is an empty body. */
export interface ApiResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** The issues of the request, for the journal. */
  violations?: readonly Issue[];
}

/** A plain 200. */
export function ok(body: unknown): ApiResponse {
  return { status: 200, body };
}

/** Marks the three responses that no contract describes: unknown path, wrong method, body too large. */
export const OUTSIDE_HEADER = "x-reference-outside-contract";
