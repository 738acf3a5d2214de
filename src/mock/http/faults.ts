import type { TransportFault } from "./request.ts";

export const faultKinds = ["reset", "close", "truncate", "malformed", "html", "stall"] as const;

/** A fault that a response can have. */
export type FaultKind = (typeof faultKinds)[number];

export const faultPlaces = ["before", "after", "head", "body"] as const;

/**
 * The place at which a fault applies: `before` or `after` a write is executed; at the `head` or the `body` of a
 * response.
 */
export type FaultPlace = (typeof faultPlaces)[number];

/** The fault of an operation. */
export interface Fault {
  readonly kind: FaultKind;
  readonly at: FaultPlace | undefined;
}

/** Throws for an unknown fault or place. */
export function validateFault(kind: FaultKind, at: FaultPlace | undefined): Fault {
  if (!faultKinds.includes(kind))
    throw new Error(`Unknown fault "${kind}". Expected one of ${faultKinds.join(", ")}`);
  if (at !== undefined && !faultPlaces.includes(at)) {
    throw new Error(`Unknown place "${at}" of a fault. Expected one of ${faultPlaces.join(", ")}`);
  }
  if ((at === "head" || at === "body") && kind !== "stall" && kind !== "truncate") {
    throw new Error(`fault: only stall and truncate apply at "${at}"; "${kind}" applies before or after`);
  }
  return { kind, at };
}

/** Whether the request is executed although its response is faulty. GET requests are always executed. */
export function isExecuted(fault: Fault, method: string): boolean {
  return method === "GET" || (fault.at !== undefined && fault.at !== "before");
}

/** JSON that is cut off. */
export const MALFORMED = '{"items":[{"id":';

/** The response of a proxy in front of the server. */
export const HTML =
  "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** Returns the part of a fault that the transport applies; `null` for a fault that is in the response itself. */
export function transportFault({ kind, at }: Fault): TransportFault | null {
  if (kind === "malformed" || kind === "html") return null;
  if (kind === "stall") return { kind, at: at === "body" ? "body" : "head" };
  return { kind, at: at === "head" ? "head" : "body" };
}
