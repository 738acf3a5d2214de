import { ConfigurationError, type Issue } from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { copyJson, hashJson } from "./json.ts";

/** Whether a value can be awaited: a promise of any realm, or a lazy query. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Names the type of what a function of the user has returned. */
function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isThenable(value)) return "a promise";
  return Array.isArray(value) ? "an array" : `a value of the type ${typeof value}`;
}

/** The error of a function of the user, or a method of a sink, that returns something else. */
export function wrongResult(what: string, expected: string, result: unknown): ConfigurationError {
  return new ConfigurationError(`${what} must return ${expected}: it returned ${describeType(result)}`);
}

/**
 * Returns the JSON of rows that would be sent, and what it would lose of them, such as a `NaN`. Each is copied before the next one is
 * read: a reader of a file may use one object for all.
 * @throws {ConfigurationError} for what is not iterable, such as a promise of an array, which would be no row
 */
export function copyRows(job: string, rows: Iterable<unknown>): { copy: unknown; issues: Issue[] }[] {
  const message = `${job}: the rows must be iterable, such as an array: they are ${describeType(rows)}`;
  if (!(Symbol.iterator in (Object(rows) as object))) throw new ConfigurationError(message);
  return Array.from(rows, (row) => {
    const issues: Issue[] = [];
    return { copy: copyJson(row, issues), issues };
  });
}

/** A function of the user that is called with a copy of an item. */
export type ItemFunction<R> = (item: JsonObject) => R;

/** Calls `identify`. */
export function identifyWith(job: string, identify: ItemFunction<unknown>, item: JsonObject): string {
  const id = identify(structuredClone(item));
  if (typeof id === "string" && id !== "") return id;
  throw wrongResult(`${job}: identify`, "a string that is not empty", id);
}

/** Returns the hash of an item's content, or of what `fingerprint` returns for it. */
export function hashContent(job: string, item: unknown, fingerprint?: ItemFunction<unknown>): string {
  if (fingerprint === undefined || !isObject(item)) return hashJson(item);
  // a function that deletes a signed URL deletes it in a copy
  const part = fingerprint(structuredClone(item));
  if (part === undefined || typeof part === "function" || isThenable(part))
    throw wrongResult(`${job}: fingerprint`, "a JSON value", part);
  return hashJson(part);
}

/** Gives a warning to `onWarning`, which only observes: what it throws, or rejects with, changes nothing. */
export function warn(
  { onWarning }: { onWarning?: ((message: string) => unknown) | undefined },
  message: string,
): void {
  try {
    // oxlint-disable-next-line no-console -- without `onWarning`, the only place where a user can see it
    const result = (onWarning ?? console.warn)(message);
    if (isThenable(result)) result.then(undefined, () => {});
  } catch {}
}
