import { type Fault, HTML, MALFORMED, transportFault } from "./faults.ts";
import type { CoreResponse } from "./request.ts";

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

const BODILESS = new Set([204, 205, 304]);

export function serialize({ status, body, headers }: ApiResponse): CoreResponse {
  if (body === undefined || BODILESS.has(status)) {
    return { status, headers: { ...headers }, body: null, delay: 0, fault: null };
  }
  const isText = typeof body === "string";
  return {
    status,
    headers: { "content-type": isText ? "text/plain" : "application/json", ...headers },
    body: isText ? body : toJson(body),
    delay: 0,
    fault: null,
  };
}

function toJson(body: unknown): string {
  return body instanceof SerializedJson ? body.text : JSON.stringify(body);
}

/** Applies a fault to a response; the transport applies the rest. */
export function applyFault(response: CoreResponse, fault: Fault): CoreResponse {
  switch (fault.kind) {
    case "malformed":
      return { ...serialize({ status: 200, body: {} }), body: MALFORMED };
    case "html":
      return serialize({ status: 200, body: HTML, headers: { "content-type": "text/html" } });
    default:
      return { ...response, fault: transportFault(fault) };
  }
}
