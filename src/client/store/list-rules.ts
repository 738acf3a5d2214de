import { storeInputs } from "../../../generated/store.inputs.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { sortedJson } from "../../wire/compare-json.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { Issue } from "../core/errors/issue.ts";
import { WriteError } from "../core/errors/response-errors.ts";
import type { Operation } from "../core/request/operation.ts";
import { differingProperties, findMissing, pick } from "./differences.ts";
import type { InputProperties } from "./inputs.ts";
import { checkId, otherStore, requireExact } from "./modify.ts";

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

/**
 * Rejects a response that is not the whole list of the requested store.
 * @param before the list that was read before the write; undefined if nothing was sent
 * @param isRead the response is that of a GET; one to a write may repeat what was sent, without defaults
 */
export function checkList<List extends { externalId: string | null; items: object[] }>(
  rules: ListRules,
  list: List,
  externalId: string,
  before?: List,
  isRead = before === undefined,
): List {
  const label = labelOf(rules);
  const sent = before === undefined ? "not sent" : "was sent";
  // the contract allows null for contacts, whatever store they belong to
  if (list.externalId !== null || rules !== contactRules) checkId(label, list, externalId, sent);
  if (before !== undefined && isOfOtherStore(list, before)) throw otherStore(label, sent, "storeId");
  const { properties, idProperty } = rules;
  // the others are not sent back
  const isNeeded = (name: string): boolean =>
    properties.sent.includes(name) && (isRead || !(name in properties.defaults));
  const required = properties.required.filter(isNeeded);
  const items: readonly unknown[] = list.items;
  const missing = items.flatMap((item, at) => findMissing(item, { ...properties, required }, `items.${at}`));
  const [idName = ""] = properties.required;
  const ids = new Set<string>();
  for (const [at, item] of items.entries()) {
    const id = isObject(item) ? (item[idName] ?? undefined) : undefined;
    const path = `items.${at}.${idName}`;
    if (typeof id !== "string") {
      if (id !== undefined && idName === idProperty) missing.push({ path, message: "must be a string" });
    } else if (ids.has(id.toLowerCase())) missing.push({ path, message: "is the ID of an earlier element" });
    else ids.add(id.toLowerCase());
  }
  if (list.externalId === undefined)
    missing.unshift({ path: "externalId", message: "is missing in the response" });
  const { nextCursor = null }: JsonObject = { ...list };
  if (nextCursor !== null) missing.push({ path: "nextCursor", message: "names a page with more elements" });
  if (missing.length > 0)
    throw new WriteError(label, "malformed", `${sent}: the response is not a whole list`, missing);
  if (isRead) requireExact(label, list.items);
  return list;
}

/** Whether two lists name different stores. Only those of expositions name one. */
export function isOfOtherStore(list: object, before: object): boolean {
  const [now, then] = [list, before].map(({ storeId }: { storeId?: unknown }) => storeId);
  return (
    then !== undefined &&
    now !== undefined &&
    differingProperties({ storeId: then }, { storeId: now }).length > 0
  );
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
  const last = new Map<string, number>();
  for (const [index, input] of inputs) {
    const key = keyOf(input);
    const count = input[idProperty ?? ""] === undefined ? (counts.get(key) ?? 0) : 0;
    if (count === 0) issues.push({ path: `${index}`, message: "is not in the response as it was sent" });
    counts.set(key, count - 1);
    last.set(key, index);
  }
  for (const [key, index] of last)
    if ((counts.get(key) ?? 0) > 0)
      issues.push({ path: `${index}`, message: "is in the response more often than it was sent" });
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
