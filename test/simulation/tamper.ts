/** Changes one value of a resume token or a state, as a program that stores it wrongly might do. */

interface Node {
  readonly owner: Record<string, unknown>;
  readonly name: string;
}

/** The value with a number, counted from the outside to the inside, is removed, gets another type or another kind of number. */
export interface Tampering {
  readonly node: number;
  readonly how: "remove" | "replace" | "fraction" | "negative";
}

/** Returns the same text if it has fewer values. */
export function tamper(text: string, { node, how }: Tampering): string {
  const root = JSON.parse(text) as Record<string, unknown>; // both are JSON objects
  const found = nodesOf(root)[node];
  if (found === undefined) return text;
  const { owner, name } = found;
  const isNumber = typeof owner[name] === "number";
  if (how === "remove") delete owner[name];
  else if (how !== "replace") owner[name] = !isNumber ? owner[name] : how === "fraction" ? 1.5 : -1;
  else owner[name] = typeof owner[name] === "object" && owner[name] !== null ? 7 : { other: true };
  return JSON.stringify(root);
}

function nodesOf(owner: Record<string, unknown>): Node[] {
  return Object.entries(owner).flatMap(([name, value]) => [
    { owner, name },
    ...(typeof value === "object" && value !== null ? nodesOf(value as Record<string, unknown>) : []),
  ]);
}
