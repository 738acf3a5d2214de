import { isObject, type JsonObject } from "../wire/json.ts";

/** A schema of `shelfleet/store/schemas` or `shelfleet/fleet/schemas`. */
export interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined };
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  readonly format?: unknown;
}

/** The enumerations of a response, by path: `items[].contactType`. The schemas of responses leave them open. */
export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** Returns the values at a path; `[]` in it means each entry of an array. */
export function valuesAt(body: unknown, path: string): unknown[] {
  let values = [body];
  for (const step of path.match(/\w+|\[\]/g) ?? [])
    values = values.flatMap((value) => {
      if (step === "[]") return Array.isArray(value) ? (value as unknown[]) : [];
      return isObject(value) && Object.hasOwn(value, step) ? [value[step]] : [];
    });
  return values;
}

/** Returns the first value at a path. */
export function valueAt(body: unknown, path: string): unknown {
  return valuesAt(body, path)[0];
}

/** Returns the objects of an array. */
export function entriesAt(body: unknown, path: string): JsonObject[] {
  return valuesAt(body, `${path}[]`).filter(isObject);
}

/**
 * Returns what differs from a schema and its enumerations: each property once, with the number of entries, without a
 * value.
 */
export function findDifferences(body: unknown, schema: Schema, enumerations: Enumerations = {}): string[] {
  const paths: [path: string, problem: string][] = [];
  for (const issue of schema.safeParse(body).error?.issues ?? []) {
    const path = issue.path.map((key) => (typeof key === "number" ? "[]" : `.${String(key)}`)).join("");
    paths.push([path.replace(/^\./, ""), describeIssue(issue, body)]);
  }
  for (const [path, known] of Object.entries(enumerations))
    for (const value of valuesAt(body, path))
      if (typeof value === "string" && !known.includes(value))
        paths.push([path, "has a value that is not documented"]);
  const counts = Map.groupBy(paths, ([path, problem]) => `${path || "the body"} ${problem}`);
  return [...counts].map(([text, places]) => {
    const [path] = places[0] as [string, string]; // no group is empty
    const total = valuesAt(body, path.replace(/(?:^|\.)\w+$|\[\]$/, "")).length;
    return path.includes("[]") ? `${text} (${places.length} of ${Math.max(total, places.length)})` : text;
  });
}

/** Returns the type of a JSON value. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function describeIssue({ code, expected, format, message, path }: Issue, body: unknown): string {
  const value = path.reduce<unknown>((inner, key) => (inner as JsonObject | null)?.[String(key)], body);
  if (value === undefined) return "is missing";
  if (/^(?:too_|invalid_value)/.test(code ?? "")) return "has a value that is not documented";
  if (code === "invalid_format" && format === "guid") return "is not a UUID";
  // the messages of the package's own formats
  if (code === "invalid_format") return message.startsWith("must be ") ? message : "has another form";
  const type = typeOf(value);
  return typeof expected === "string" ? `is ${type}, not ${expected}` : `must not be ${type}`;
}
