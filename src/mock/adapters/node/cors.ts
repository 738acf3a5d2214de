import type { IncomingMessage, ServerResponse } from "node:http";

/** Seconds for which a browser remembers a preflight. */
const PREFLIGHT_MAX_AGE = "600";

/** Answers a preflight of a page, which the APIs themselves do not know; tells whether it was one. */
export function handlePreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const wanted = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers.origin === undefined || wanted === undefined) return false;
  response.writeHead(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": wanted,
    // by name, as * does not cover Authorization
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
    "access-control-max-age": PREFLIGHT_MAX_AGE,
    vary: "access-control-request-method, access-control-request-headers",
  });
  response.end();
  return true;
}

/** Lets pages read an answer and its headers. */
export function addCorsHeaders(headers: Record<string, string>): void {
  headers["access-control-allow-origin"] ??= "*";
  headers["access-control-expose-headers"] ??= "*";
}
