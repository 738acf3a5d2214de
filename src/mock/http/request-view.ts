import { parseBody } from "./body.ts";
import type { UncheckedQuery } from "./query.ts";
import type { CoreRequest, RequestHeaders } from "./request.ts";

/** The view of a request for matchers. */
export interface RequestView<Operation extends string = string, Base extends string = string> {
  readonly operation: Operation;
  readonly base: Base;
  /** The method, in capitals. */
  readonly method: string;
  /** Decoded path parameters: `{ externalId: "S-1" }`. */
  readonly path: Readonly<Record<string, string>>;
  /** The decoded query; a repeated parameter has an array. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  readonly body: unknown;
}

/** Returns the view of a request. Its headers and its body are read when a matcher needs them. */
export function requestView(
  request: CoreRequest,
  operation: string,
  path: Readonly<Record<string, string>>,
  query: UncheckedQuery,
): RequestView {
  const { base, method } = request;
  let headers: Readonly<Record<string, string>> | undefined;
  let body: { value: unknown } | undefined;
  return {
    operation,
    base,
    method,
    path,
    query,
    get headers() {
      return (headers ??= joinHeaders(headersOf(request)));
    },
    get body() {
      return (body ??= { value: bodyValue(request.body) }).value;
    },
  };
}

/** Parses a body. A body that is not JSON, or is nested too deeply, stays a string. */
export function bodyValue(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  const parsed = parseBody(text);
  return "value" in parsed ? parsed.value : text;
}

/** Returns the headers of a request; an adapter may give only those that the APIs read. */
export function headersOf(request: CoreRequest): RequestHeaders {
  const { authorization, contentType, apiVersion, headers } = request;
  return headers ?? { authorization, "content-type": contentType, "x-service-api-version": apiVersion };
}

/** Returns headers with lower-case names and one string each. */
export function joinHeaders(given: RequestHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined)
      headers[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  return headers;
}
