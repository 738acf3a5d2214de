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

/** Alternating names and values, as in Node's `rawHeaders`. */
export type RawHeaders = readonly string[];

function* pairs(raw: RawHeaders): Generator<[name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? "", raw[at + 1] ?? ""];
}

/** Returns the header fields to forward, including repeated ones, in their order and spelling. */
export function endToEnd(raw: RawHeaders, ...others: string[]): string[] {
  const named = [...pairs(raw)]
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((name) => name.trim().toLowerCase()));
  const dropped = new Set([...HOP_BY_HOP, ...named, ...others]);
  return [...pairs(raw)].filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** Returns pairs of name and value. */
export function pairsOf(raw: RawHeaders): [string, string][] {
  return [...pairs(raw)];
}
