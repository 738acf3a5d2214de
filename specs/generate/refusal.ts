import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** The generator cannot read a part of a document. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The object of the document that cannot be read. */
  readonly part: object | undefined;

  constructor(part: object | undefined, problem: string, instead: string) {
    super(`${problem}: ${instead}`);
    this.part = part;
  }
}

/** Throws a refusal: what is wrong with a part of a document, and what to write instead. */
export function refuse(part: object | undefined, problem: string, instead: string): never {
  throw new Refusal(part, problem, instead);
}

type Steps = readonly (string | number)[];

/** The way from `value` to `part`, which is the same object; undefined if it is not inside. */
function pathTo(part: object, value: unknown): Steps | undefined {
  if (value === part) return [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, property] of Object.entries(value)) {
    const rest = pathTo(part, property);
    if (rest !== undefined) return [Array.isArray(value) ? Number(key) : key, ...rest];
  }
  return undefined;
}

/** The line of the document on which the last step is. */
function lineOf(text: string, steps: Steps): number {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
  let offset = 0;
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      offset = isScalar(pair?.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset; // a node has a range
    } else return lines.linePos(offset).line;
  }
  return lines.linePos(offset).line;
}

/** Adds the file, the line and the path of the refused part to the message of a refusal; `values` contain the part. */
export function located(error: unknown, file: string, text: string, values: readonly unknown[]): unknown {
  if (!(error instanceof Refusal) || error.part === undefined) return error;
  const { part } = error;
  const steps = values.map((value) => pathTo(part, value)).find((path) => path !== undefined);
  if (steps === undefined) return error;
  error.message = `${file}:${lineOf(text, steps)} (${steps.join(" › ")}): ${error.message}`;
  return error;
}
