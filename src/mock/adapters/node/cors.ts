import type { IncomingMessage, ServerResponse } from "node:http";

/** The time for which a browser caches a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = "600";

/** Responds to a CORS preflight, which the APIs do not define; returns whether the request was a preflight. */
export function handlePreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const wanted = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers.origin === undefined || wanted === undefined) return false;
  response.writeHead(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": wanted,
    // by name, because * does not cover Authorization
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
    "access-control-max-age": PREFLIGHT_MAX_AGE,
    vary: "access-control-request-method, access-control-request-headers",
  });
  response.end();
  return true;
}

/** Lets pages read a response and its headers. */
export function addCorsHeaders(headers: Record<string, string>): void {
  headers["access-control-allow-origin"] ??= "*";
  headers["access-control-expose-headers"] ??= "*";
}
