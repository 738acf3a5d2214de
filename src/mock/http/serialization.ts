import { type ApiResponse, SerializedJson } from "./api-response.ts";
import { type Fault, HTML, MALFORMED, transportFault } from "./faults.ts";
import type { CoreResponse } from "./request.ts";

const BODILESS = new Set([204, 205, 304]);

/** Serializes the body of a response. */
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
