/** Changes one value of a resume token or a state, as a program that stores it wrongly might do. */

import type { SimulatedWorld } from "./client.ts";

interface Node {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  /** The names from the outside to the value. */
  readonly path: readonly string[];
}

const manners = [
  "remove",
  "object",
  "null",
  "text",
  "fraction",
  "negative",
  "huge",
  "longer",
  "empty",
  "many",
  "overlong",
  "sign",
] as const;

/** The value with a number, counted from the outside to the inside, and what becomes of it. */
export interface Tampering {
  readonly node: number;
  readonly how: (typeof manners)[number];
}

/** Values that need not be there, that may be null, and texts that may be another one. */
const optional: ReadonlySet<string> = new Set(["size"]);
const nullable: ReadonlySet<string> = new Set(["run", "resume", "limit", "0"]);
const free: ReadonlySet<string> = new Set(["cursor"]);
const emptyTexts: ReadonlySet<string> = new Set(["keys", "kept", "passing", "recent", "delivered"]);
/** Times of a state, which may be before 1970. */
const times: ReadonlySet<string> = new Set(["since", "end", "ends", "from", "to"]);

interface Tampered {
  readonly text: string;
  /** The words of the client about it. */
  readonly says: string;
}

/** Changes a token or state as the director of a history says. */
export function tamperBy({ director }: Pick<SimulatedWorld, "director">, text: string): Tampered | undefined {
  const tampering = director.tampering(text);
  return tampering && tamper(text, tampering);
}

/** Returns what has to be refused; undefined where the value does not exist, or may have the other value. */
function tamper(text: string, { node, how }: Tampering): Tampered | undefined {
  const root = JSON.parse(text) as Record<string, unknown>; // both are JSON objects
  const kind = "ends" in root ? "`state` of a batch" : "`resume` of a page";
  const found = nodesOf(root)[node];
  if (found === undefined) return undefined;
  const { owner, name, path } = found;
  if (how === "overlong") {
    if (node > 0 || "ends" in root) return undefined;
    // few callers need the long text
    const says = `must be the ${kind} of this list`;
    return {
      says,
      get text() {
        return text.padEnd(2 ** 24 + 1);
      },
    };
  }
  const isElement = Array.isArray(owner);
  if (how === "remove" && (isElement || optional.has(name))) return undefined;
  const changed = how === "remove" ? undefined : change(owner[name], how, path);
  if (changed === undefined && how !== "remove") return undefined;
  if (changed === undefined) delete owner[name];
  else owner[name] = changed;
  const [part = "", inner = ""] = path;
  const isList = part === "list" && inner !== "" && inner !== "operation";
  const isNested = name === "resume" && ["longer", "empty", "sign"].includes(how);
  const says = isList
    ? `belongs to a list with another \`${inner}\``
    : part === "destination"
      ? "belongs to a list with another base URL or environment"
      : `must be the ${isNested ? "`resume` of a page" : kind} of this list`;
  return { text: JSON.stringify(root), says };
}

/** The changed value; undefined where it would be allowed. */
function change(value: unknown, how: Tampering["how"], path: readonly string[]): unknown {
  const name = path.at(-1) ?? "";
  const isNumber = typeof value === "number";
  switch (how) {
    case "object":
      return typeof value === "object" && value !== null ? 7 : { other: true };
    case "null":
      return value === null || nullable.has(name) ? undefined : null;
    case "text":
      if (typeof value === "string") return 5;
      return isNumber || typeof value === "boolean" ? `${value}` : undefined;
    case "fraction":
      return isNumber ? 1.5 : undefined;
    case "negative":
      return isNumber && !path.some((part) => times.has(part)) ? -1 : undefined;
    case "huge":
      return isNumber ? 2 ** 60 : undefined;
    case "many": // more hashes than a walk remembers
      return name === "cursors" ? Array<number>(2 ** 12).fill(7) : undefined;
    case "longer":
      if (Array.isArray(value)) return [...(value as unknown[]), "x"];
      return typeof value === "string" && !free.has(name) ? `${value}!` : undefined;
    case "sign":
      return typeof value === "string" && value !== "" && !free.has(name) ? `-${value.slice(1)}` : undefined;
    default:
      if (typeof value === "string") return value === "" || emptyTexts.has(name) ? undefined : "";
      return typeof value === "object" && value !== null && !Array.isArray(value) ? {} : undefined;
  }
}

function nodesOf(owner: Record<string, unknown>, path: readonly string[] = []): Node[] {
  return Object.entries(owner).flatMap(([name, value]) => [
    { owner, name, path: [...path, name] },
    ...(typeof value === "object" && value !== null
      ? nodesOf(value as Record<string, unknown>, [...path, name])
      : []),
  ]);
}
