/** Lets pages read a response and its headers. */
export const CORS_HEADERS = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };

/** A request in either form of Node's or of `fetch`. */
interface AnyRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Returns the headers of the response to a CORS preflight, which the APIs do not define; `undefined` for another request. */
export function preflightHeaders({ method, headers }: AnyRequest): Record<string, string> | undefined {
  const wanted = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers["origin"] === undefined || wanted === undefined) return undefined;
  return {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": String(wanted),
    // by name, because * does not cover Authorization
    "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "*"),
    "access-control-max-age": "600",
    vary: "access-control-request-method, access-control-request-headers",
  };
}
