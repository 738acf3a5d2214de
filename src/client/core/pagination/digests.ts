import { hash } from "../../../wire/hash.ts";
import type { JsonObject } from "../../../wire/json.ts";
import type { ListCall } from "./list-call.ts";

/** A digest for each part of a call that determines the content of its list. */
export type Digests = Readonly<Record<string, string>>;

/** Matches an instant without digits beyond milliseconds, which `Date` would lose. */
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/i;

const known = new WeakMap<ListCall, Digests>();

/** Returns the digests of a list call, which its tokens contain. */
export function digestsOf(call: ListCall): Digests {
  const { label, path, baseQuery, start, positionQuery } = call;
  const identify = positionQuery.identify && "given";
  const digests =
    known.get(call) ??
    digestParts({ operation: label, ...path, ...baseQuery, ...(start && { [start]: undefined }), identify });
  known.set(call, digests);
  return digests;
}

/** Digests the parts of a call: tokens identify a difference without containing the values. */
export function digestParts({ extra, ...parts }: JsonObject): Digests {
  const extras = Object.entries(extra ?? {}).map(([name, value]) => [`extra.${name}`, value] as const);
  const given = [...Object.entries(parts), ...extras].filter(([, value]) => value !== undefined);
  const digests = given.map(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    // a nested object is rejected with the request
    const text = values
      .map((part) => (typeof part === "object" ? "object" : String(part as string | number))) // or another primitive
      .join();
    // the ends of a time range have one digest, in whatever form they are given; an ID or a filter may look like them
    const time = /^(from|to)$/.test(name) && instantForm.test(text) ? Date.parse(text) : Number.NaN;
    return [name, hash(`${typeof value}:${Number.isNaN(time) ? text : time}`).toString(36)] as const;
  });
  return Object.fromEntries(digests);
}

/** Returns the names of the parts that differ between two lists, each in backticks; an empty text if none does. */
export function describeDifference(
  first: JsonObject,
  second: JsonObject,
  ignored: readonly string[] = [],
): string {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  const differing = [...names].filter((name) => first[name] !== second[name] && !ignored.includes(name));
  return differing.map((name) => `\`${name}\``).join(", ");
}
