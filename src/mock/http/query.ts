import { decodePercent } from "../../wire/decode-percent.ts";

/** A decoded query; a repeated name has an array. */
export type UncheckedQuery = Record<string, string | string[]>;

/** A query that its schema has parsed: with numbers, booleans and defaults. */
export type QueryValues = Readonly<Record<string, unknown>>;

/**
 * The largest number of parameters, more than in any documented request; further ones are not parsed and violate
 * the contract.
 */
export const MAX_PARAMETERS = 1_000;

/** Returns an object that inherits nothing: every name is a parameter. */
function emptyQuery(): UncheckedQuery {
  return Object.create(null) as UncheckedQuery; // `Object.create` returns any
}

const NO_QUERY: UncheckedQuery = Object.freeze(emptyQuery());

/** Splits `/v1/stores?limit=5` at its question mark. A fragment is not part of a request. */
export function splitTarget(target: string): [path: string, query: string] {
  const hash = target.indexOf("#");
  const text = hash === -1 ? target : target.slice(0, hash);
  const mark = text.indexOf("?");
  return mark === -1 ? [text, ""] : [text.slice(0, mark), text.slice(mark + 1)];
}

/** Decodes a query like a form: `+` is a space. Parses at most `MAX_PARAMETERS` parameters. */
export function parseQuery(text: string): UncheckedQuery {
  if (text === "") return NO_QUERY;
  const query = emptyQuery();
  let count = 0;
  for (const [start, end] of parameters(text)) {
    if (count === MAX_PARAMETERS) break;
    count += 1;
    const pair = text.slice(start, end);
    const equals = pair.indexOf("=");
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    append(query, name, equals === -1 ? "" : decodeFormText(pair.slice(equals + 1)));
  }
  return query;
}

/** Whether a query has more parameters than `parseQuery` parses. */
export function hasTooManyParameters(text: string): boolean {
  let count = 0;
  for (const _ of parameters(text)) if (++count > MAX_PARAMETERS) return true;
  return false;
}

/** Yields the start and the end of each parameter that is not empty. */
function* parameters(text: string): Generator<[start: number, end: number]> {
  for (let start = 0; start < text.length; ) {
    const and = text.indexOf("&", start);
    const end = and === -1 ? text.length : and;
    if (end > start) yield [start, end];
    start = end + 1;
  }
}

function append(query: UncheckedQuery, name: string, value: string): void {
  const before = query[name];
  if (before === undefined) query[name] = value;
  else if (typeof before === "string") query[name] = [before, value];
  else before.push(value);
}

function decodeFormText(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodePercent(spaced) : spaced;
}
