/** Which half of an exchange breaks the contract: the program's request or the service's response. */
export type Side = "request" | "response";

/** One place of an exchange that is not as the contract says. */
export interface Finding {
  /** Eight hexadecimal digits; the same in every run for the same operation, place and expectation. */
  readonly id: string;
  readonly side: Side;
  /** The operation, or `-` where the contract has none. */
  readonly operation: string;
  /** The status of the response; `undefined` for a request. */
  readonly status: number | undefined;
  /** A JSON pointer into the body, `query limit`, `path expositionId`, `header content-type`, or `status`. */
  readonly place: string;
  readonly expected: string;
  /** The kind of what was there, such as `a string`; never a value of a body. */
  readonly actual: string;
  /** The gap that leaves this place open. A finding with a gap is not a violation. */
  readonly gap?: string;
}

/** A finding before it is assigned to an exchange. */
export interface Fault extends Pick<Finding, "place" | "expected" | "actual" | "gap"> {
  /** A string that no enumeration lists; it stays inside the checks. */
  readonly unlisted?: string;
}

/** Where a fault was found. */
export type Scene = Pick<Finding, "side" | "operation" | "status">;

export function findingOf(scene: Scene, { unlisted: _, ...fault }: Fault): Finding {
  // one rule broken in every row of a list is one violation
  const place = fault.place.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  const key = [scene.side, scene.operation, scene.status, place, fault.expected].join("\n");
  return { id: shortHash(key), ...scene, ...fault };
}

/** FNV-1a, 32 bits. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The kind of a JSON value, as a message names it. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number";
  return `a ${typeof value}`;
}
