import { type ApiResponse, RawJson } from "./api-response.ts";
import { type Fault, HTML, MALFORMED, transportFault } from "./faults.ts";
import type { CoreAnswer } from "./request.ts";

const BODILESS = new Set([204, 205, 304]);

/** An answer as it leaves: its body as text. */
export function serialize({ status, body, headers }: ApiResponse): CoreAnswer {
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
  return body instanceof RawJson ? body.text : JSON.stringify(body);
}

/** An answer that a fault spoils; what only a transport can do is left to it. */
export function applyFault(answer: CoreAnswer, fault: Fault): CoreAnswer {
  switch (fault.kind) {
    case "malformed":
      return { ...serialize({ status: 200, body: {} }), body: MALFORMED };
    case "html":
      return serialize({ status: 200, body: HTML, headers: { "content-type": "text/html" } });
    default:
      return { ...answer, fault: transportFault(fault) };
  }
}
