import type { IncomingMessage } from "node:http";
import { isSecretHeader } from "../../wire/credentials.ts";

/** Header fields of one connection, which a proxy does not forward. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "upgrade",
]);

/**
 * Header fields that decide where a body ends and who receives it. A `Connection` header cannot remove them, and a
 * trailer cannot contain them.
 */
const ROUTING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "host"]);

/** Alternating names and values, as in Node's `rawHeaders`. */
export type RawHeaders = readonly string[];

function* pairs(raw: RawHeaders): Generator<[name: string, value: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index] ?? "", raw[index + 1] ?? ""];
}

/** Returns the header fields to forward, including repeated ones, in their order and spelling. */
export function endToEnd(raw: RawHeaders, ...others: string[]): string[] {
  const named = [...pairs(raw)]
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((name) => name.trim().toLowerCase()))
    .filter((name) => !ROUTING.has(name));
  const dropped = new Set([...HOP_BY_HOP, ...named, ...others]);
  return [...pairs(raw)].filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** Returns pairs of name and value. */
export function pairsOf(raw: RawHeaders): [string, string][] {
  return [...pairs(raw)];
}

/** Returns the fields of a trailer to forward: not those that a recipient could take for fields of the header. */
export function trailersOf(raw: RawHeaders): [string, string][] {
  return pairsOf(endToEnd(raw, ...ROUTING)).filter(
    ([name]) => !isSecretHeader(name) && !/^content-|forwarded/i.test(name),
  );
}

/**
 * Whether two recipients could disagree about where the body of a request ends. Node itself rejects repeated and
 * contradictory lengths.
 */
export function hasAmbiguousFraming({ headers, httpVersion }: IncomingMessage): boolean {
  const { "transfer-encoding": coding, "content-length": length } = headers;
  if (coding === undefined) return length !== undefined && !/^\d+$/.test(length);
  return coding.trim().toLowerCase() !== "chunked" || length !== undefined || httpVersion === "1.0";
}
