/** Checks of the store model's bodies that its lists share. */
import type { Check, CheckScope, Issue } from "./checks.ts";
import type { Json, JsonObject } from "./exchange.ts";
import type { StoreReadings } from "./readings.ts";
import type { StoreCall, StoreWorld } from "./store-world.ts";

export type BodyCheck = (body: Json | undefined, world: StoreWorld, path: StoreCall["path"]) => Issue[];

export function checkBody(check: Check, body: Json | undefined, readings: StoreReadings): Issue[] {
  const scope: CheckScope = {
    issues: [],
    closed: readings["requests.unknown-properties"] === "rejected",
    email: readings["contacts.email-format"],
    anyValue: readings["requests.unlisted-values"] === "accepted",
  };
  check(body, "", scope);
  return scope.issues;
}

/** Two elements with one key mean the same thing. An element without key is unlike all others. */
export type KeyOf = (element: JsonObject, readings: StoreReadings) => string | undefined;

function duplicateIssues(
  property: string,
  elements: readonly JsonObject[],
  keyOf: KeyOf,
  readings: StoreReadings,
): Issue[] {
  if (readings["lists.duplicates"] !== "rejected") return [];
  const seen = new Set<string>();
  return elements.flatMap((element, index) => {
    const key = keyOf(element, readings);
    const isRepeated = key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    return isRepeated
      ? [{ path: `${property}.${index}`, message: "means the same as an earlier element", code: "custom" }]
      : [];
  });
}

/** The elements that count: all of them, or under `last-wins` the last of each key. */
export function effective(
  elements: readonly JsonObject[],
  keyOf: KeyOf,
  readings: StoreReadings,
): readonly JsonObject[] {
  if (readings["lists.duplicates"] !== "last-wins") return elements;
  const lastIndex = new Map(elements.map((element, index) => [keyOf(element, readings) ?? index, index]));
  return elements.filter((element, index) => lastIndex.get(keyOf(element, readings) ?? index) === index);
}

/** The checked array of a body. */
export function elementsOf(body: Json | undefined, property: string): JsonObject[] {
  // the body check found an object with an array of objects
  return (body as Record<string, JsonObject[]>)[property] ?? [];
}

export function listCheck(check: Check, property: string, keyOf: KeyOf): BodyCheck {
  return (body, { readings }) => {
    const issues = checkBody(check, body, readings);
    return issues.length > 0
      ? issues
      : duplicateIssues(property, elementsOf(body, property), keyOf, readings);
  };
}

export function applyCall(world: StoreWorld, call: StoreCall): void {
  world.applied.push({ operation: call.operation, target: call.target, body: call.body });
}
