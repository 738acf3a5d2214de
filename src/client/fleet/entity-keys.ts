import { isExactNumber } from "../../wire/exact-numbers.ts";
import { isSameJson, sortedJson } from "../../wire/compare-json.ts";
import { isIterable, isObject, isTooDeep, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { WriteError } from "../core/errors/response-errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { findJsonLoss } from "../../wire/json-loss.ts";
import { findUnsendable } from "../core/request/unsendable.ts";

/** Reads the whole list; returns the entities with a wanted key. */
export async function findAll(
  list: AsyncIterable<unknown>,
  wanted: ReadonlyMap<string, unknown>,
  keyOf: (entity: JsonObject) => unknown,
): Promise<Map<string, JsonObject[]>> {
  const found = new Map<string, JsonObject[]>();
  for await (const entity of list) {
    if (!isObject(entity) || isTooDeep(entity))
      throw malformed("in the list is not an object that can be compared");
    const name = nameOf(keyOf(entity));
    if (name === undefined || !wanted.has(name)) continue;
    const same = found.get(name) ?? [];
    const isRepeated = same.some((earlier) => idOf(earlier) !== undefined && idOf(earlier) === idOf(entity));
    if (!isRepeated) found.set(name, [...same, entity]);
  }
  return found;
}

/** Returns the desired entities by key; reports all issues with them at once. */
export function readDesired<Input extends object>(
  desired: Iterable<Input>,
  keyOf: (entity: JsonObject) => unknown,
  keyName: string,
): Map<string, Input> {
  if (!isIterable(desired))
    throw new InvalidRequestError("ensure", [{ path: "desired", message: "must be an array" }]);
  const wanted = new Map<string, Input>();
  const issues: Issue[] = [];
  for (const [index, element] of [...desired].entries()) {
    const unsendable = findUnsendable(element, `${index}`);
    if (unsendable.length > 0 || !isObject(element)) {
      issues.push(...unsendable);
      continue;
    }
    const name = nameOf(keyOf(element));
    // the key is that of its properties, and an update contains them
    if (Object.hasOwn(element, "toJSON") || !isSameJson({ ...element }, element))
      issues.push({ path: `${index}`, message: "has a toJSON with other properties: give what it returns" });
    else if (name === undefined) issues.push({ path: `${index}`, message: `lacks the key ${keyName}` });
    else if (wanted.has(name))
      issues.push({ path: `${index}`, message: "has the key of an earlier element" });
    else wanted.set(name, element);
  }
  if (issues.length > 0) throw new InvalidRequestError("ensure", issues);
  return wanted;
}

/** Returns the JSON of a key, in which a number is its text, as in IDs; undefined if the key identifies nothing. */
export function nameOf(key: unknown): string | undefined {
  const [loss] = findJsonLoss(key);
  if (loss !== undefined) throw new ConfigurationError(`key must return a JSON value: it ${loss.message}`);
  if (!hasContent(key)) return undefined;
  return sortedJson(JSON.parse(JSON.stringify(key), numberToText));
}

function numberToText(_: string, part: unknown): unknown {
  return typeof part === "number" ? String(part) : part;
}

function hasContent(key: unknown): boolean {
  if (typeof key === "object" && key !== null)
    return key instanceof Date || Object.values(key).some(hasContent);
  return typeof key === "boolean" || (typeof key === "string" && key !== "") || isExactNumber(key);
}

/** Returns the values of the key's properties; undefined if one is missing. */
export function readKey(entity: JsonObject, properties: readonly string[]): unknown {
  const values = properties.map((property) => entity[property]);
  return values.some((value) => value === undefined || value === null) ? undefined : values;
}

/** Returns the ID of an entity as a string. */
export function idOf(entity: unknown): string | undefined {
  const id = isObject(entity) ? entity.id : undefined;
  return typeof id === "string" || isExactNumber(id) ? String(id) : undefined;
}

/** Creates the error for a response that cannot be compared. */
export function malformed(message: string): WriteError {
  return new WriteError("ensure", "malformed", "not sent: the response cannot be used", [
    { path: "entity", message },
  ]);
}
