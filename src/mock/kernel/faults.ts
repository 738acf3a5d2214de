import type { TransportFault } from "./request.ts";

/** What can go wrong with one answer. */
export const faultKinds = ["reset", "close", "truncate", "malformed", "html", "stall"] as const;

/** What can go wrong with one answer. */
export type FaultKind = (typeof faultKinds)[number];

/** Where a fault strikes. */
export const faultPlaces = ["before", "after", "head", "body"] as const;

/** Where a fault strikes: `before` or `after` a write is carried out; `head` or `body` of an answer. */
export type FaultPlace = (typeof faultPlaces)[number];

/** A fault that an operation is under. */
export interface Fault {
  readonly kind: FaultKind;
  readonly at: FaultPlace | undefined;
}

/** Refuses what is no fault, by name. */
export function validateFault(kind: FaultKind, at: FaultPlace | undefined): Fault {
  if (!faultKinds.includes(kind))
    throw new Error(`fault: no fault "${kind}"; there are ${faultKinds.join(", ")}`);
  if (at !== undefined && !faultPlaces.includes(at)) {
    throw new Error(`fault: no place "${at}"; there are ${faultPlaces.join(", ")}`);
  }
  if ((at === "head" || at === "body") && kind !== "stall" && kind !== "truncate") {
    throw new Error(
      `fault: only stall and truncate strike at "${at}", and "${kind}" strikes before or after`,
    );
  }
  return { kind, at };
}

/** Whether the request is carried out although its answer is spoilt; reads always are. */
export function isExecuted(fault: Fault, method: string): boolean {
  return method === "GET" || (fault.at !== undefined && fault.at !== "before");
}

/** A text with the beginning of JSON and no end. */
export const MALFORMED = '{"items":[{"id":';

/** What a proxy answers in the name of the server. */
export const HTML =
  "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** The part of a fault that is left to the transport; nothing where the answer itself is the fault. */
export function transportFault({ kind, at }: Fault): TransportFault | null {
  if (kind === "malformed" || kind === "html") return null;
  if (kind === "stall") return { kind, at: at === "body" ? "body" : "head" };
  return { kind, at: at === "head" ? "head" : "body" };
}
