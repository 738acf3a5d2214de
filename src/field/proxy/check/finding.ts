/** The half of an exchange that violates the contract: the program's request or the service's response. */
export type Side = "request" | "response";

/** One violation of the contract in an exchange. */
export interface Finding {
  /** The ID: eight hexadecimal digits, the same in every run for the same operation, place and expectation. */
  readonly id: string;
  readonly side: Side;
  /** The operation, or `-` if the contract has no such operation. */
  readonly operation: string;
  /** The status of the response; `undefined` for a request. */
  readonly status: number | undefined;
  /** A JSON pointer into the body, `query limit`, `path expositionId`, `header content-type`, or `status`. */
  readonly place: string;
  readonly expected: string;
  /** The type of the received value, such as `a string`; never a value of a body. */
  readonly actual: string;
  /** The gap that leaves this place open. A finding with a gap is not a violation. */
  readonly gap?: string;
}

/** A finding before it is assigned to an exchange. */
export interface Fault extends Pick<Finding, "place" | "expected" | "actual" | "gap"> {
  /** A string that is not in the enum. Only the checks use it. */
  readonly unlisted?: string;
}

/** The place of a violation. */
export type FindingContext = Pick<Finding, "side" | "operation" | "status">;

/** The number of characters of a place that are kept: a body can contain names of any length. */
const MAX_PLACE_LENGTH = 500;

export function findingOf(context: FindingContext, { unlisted: _, ...fault }: Fault): Finding {
  const place = formOf(fault.place.slice(0, MAX_PLACE_LENGTH));
  const key = [context.side, context.operation, context.status, place, fault.expected].join("\n");
  return { id: shortHash(key), ...context, ...fault, place: fault.place.slice(0, MAX_PLACE_LENGTH) };
}

/** Returns a place without the indexes: a rule that is violated in every row of a list is one violation. */
export function formOf(place: string): string {
  return place.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/** Returns the FNV-1a hash, 32 bits. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Returns the type of a JSON value for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number";
  return `a ${typeof value}`;
}
