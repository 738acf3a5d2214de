import { storeInputs } from "../../../generated/store.inputs.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { sortedJson } from "../../wire/compare-json.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { Issue } from "../core/errors/issue.ts";
import { WriteError } from "../core/errors/response-errors.ts";
import type { Operation } from "../core/request/operation.ts";
import { differingProperties, findMissing, pick } from "./differences.ts";
import type { InputProperties } from "./inputs.ts";
import { checkId, requireExact } from "./modify.ts";

/** The rules for a change of the elements of one list. */
export interface ListRules {
  /** The operation that sends the list. */
  operation: Pick<Operation, "method" | "path">;
  properties: InputProperties;
  /** The property that identifies an element; an element with it must not be left out. */
  idProperty?: string;
}

export const contactRules: ListRules = {
  operation: storeOperations.putContacts,
  properties: storeInputs.ContactInput,
};

export const expectationRules: ListRules = {
  operation: storeOperations.putExpectations,
  properties: storeInputs.ExpectationInput,
};

export const expositionRules: ListRules = {
  operation: storeOperations.putExpositions,
  properties: storeInputs.ExpositionInput,
  idProperty: "expositionId",
};

export function labelOf({ operation }: ListRules): string {
  return `${operation.method} ${operation.path}`;
}

/** Rejects a response that is not the whole list of the requested store. */
export function checkList<List extends { externalId: string | null; items: object[] }>(
  rules: ListRules,
  list: List,
  externalId: string,
): List {
  const label = labelOf(rules);
  // the contract allows null for contacts, whatever store they belong to
  if (list.externalId !== null) checkId(label, list, externalId, "not sent");
  const { properties, idProperty } = rules;
  const required = properties.required.filter((name) => properties.sent.includes(name)); // the others are not sent back
  const items: readonly unknown[] = list.items;
  const missing = items.flatMap((item, at) => findMissing(item, { ...properties, required }, `items.${at}`));
  for (const [at, item] of items.entries()) {
    const id = idProperty === undefined || !isObject(item) ? null : (item[idProperty] ?? null);
    if (id !== null && typeof id !== "string")
      missing.push({ path: `items.${at}.${idProperty}`, message: "must be a string" });
  }
  if (list.externalId === undefined)
    missing.unshift({ path: "externalId", message: "is missing in the response" });
  if (missing.length > 0)
    throw new WriteError(label, "malformed", "not sent: the response is not a whole list", missing);
  requireExact(label, list.items);
  return list;
}

/** Returns an issue for each element that the service did not keep as it was sent. */
export function findLost(
  { properties, idProperty }: ListRules,
  inputs: readonly object[],
  items: readonly object[],
): Issue[] {
  const complete = (element: object): JsonObject => completeElement(properties, element);
  const found = items.map(complete);
  const issues: Issue[] = [];
  const rest: [at: number, input: JsonObject][] = [];
  const byId = new Map(found.map((item) => [idOf(item, idProperty), item]));
  for (const [index, input] of inputs.map(complete).entries()) {
    const id = idOf(input, idProperty);
    const item = id === undefined ? undefined : byId.get(id);
    if (item !== undefined) {
      const differing = differingProperties(input, item);
      for (const name of differing) issues.push({ path: `${index}.${name}`, message: "has another value" });
      byId.delete(id);
    } else rest.push([index, input]);
  }
  const left = idProperty === undefined ? found : [...byId.values()];
  return [...issues, ...findUnmatched(rest, left, idProperty)];
}

/**
 * Returns the desired elements. One that the list has already is returned as it was read, so that it keeps the properties that
 * the contract does not name.
 */
export function keepElements<Item extends object, Input extends object>(
  { properties }: ListRules,
  desired: readonly Input[],
  items: readonly Item[],
): (Item | Input)[] {
  const keyOf = (element: object): string => sortedJson(completeElement(properties, element));
  const unused = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    unused.set(key, [...(unused.get(key) ?? []), item]);
  }
  return desired.map((input) => unused.get(keyOf(input))?.shift() ?? input);
}

/** Returns the properties of an element that the contract names, with the defaults of omitted ones. */
function completeElement(properties: InputProperties, element: object): JsonObject {
  return { ...properties.defaults, ...pick(element, properties) };
}

/** Matches elements that have no ID by all of their values. */
function findUnmatched(
  inputs: readonly [at: number, input: JsonObject][],
  items: readonly JsonObject[],
  idProperty: string | undefined,
): Issue[] {
  const counts = new Map<string, number>();
  const keyOf = ({ [idProperty ?? ""]: _, ...values }: JsonObject): string => sortedJson(values);
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const issues: Issue[] = [];
  for (const [index, input] of inputs) {
    const key = keyOf(input);
    const count = input[idProperty ?? ""] === undefined ? (counts.get(key) ?? 0) : 0;
    if (count === 0) issues.push({ path: `${index}`, message: "is not in the response as it was sent" });
    counts.set(key, count - 1);
  }
  if (idProperty === undefined && items.length > inputs.length)
    issues.push({ path: "items", message: `has ${items.length} elements instead of ${inputs.length}` });
  return issues;
}

function idOf(element: JsonObject, idProperty: string | undefined): string | undefined {
  const id = idProperty === undefined ? undefined : element[idProperty];
  return typeof id === "string" ? id.toLowerCase() : undefined;
}

/** Whether a list has the desired elements, in any order. */
export function isSameList(rules: ListRules, desired: readonly object[], items: readonly object[]): boolean {
  return desired.length === items.length && findLost(rules, desired, items).length === 0;
}
