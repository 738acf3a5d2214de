// Loaded with the first change.
import { storeInputs } from "../../../generated/store.inputs.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type {
  Contact,
  ContactInput,
  ContactList,
  Expectation,
  ExpectationInput,
  ExpectationList,
  Exposition,
  ExpositionInput,
  ExpositionList,
} from "../../../generated/store.ts";
import { isObject, isSameJson, isTooDeep, type JsonObject, sortedJson } from "../../wire/json.ts";
import type { Issue } from "../core/errors/issue.ts";
import { WriteError } from "../core/errors/write-error.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Operation } from "../core/request/operation.ts";
import { runInOrder } from "../core/request/write-queue.ts";
import { differingProperties, findMissing, pick } from "./differences.ts";
import { type InputProperties, toInput } from "./inputs.ts";
import {
  checkFunction,
  checkId,
  type ModifyOptions,
  readOptions,
  refusal,
  refuseConflict,
  refuseDifference,
  requireExact,
} from "./modify.ts";

/** The rules for a change of the elements of one list. */
export interface ListRules {
  /** The operation that sends the list. */
  operation: Pick<Operation, "method" | "path">;
  properties: InputProperties;
  /** The property that identifies an element; an element with it must not be left out. */
  idProperty?: string;
}

/** The list of a response. */
interface ElementList<Item> {
  externalId: string | null;
  items: Item[];
}

/** Returns the elements that a list should have. */
export type ListChange<Item, Input> = (
  items: Item[],
) => readonly (Item | Input)[] | Promise<readonly (Item | Input)[]>;

/** The part of a list's resource that reads it. */
export interface ListReader<List> {
  /** Reads the list. */
  get(externalId: string, options?: CallOptions): PromiseLike<List>;
}

/** The part of `Contacts` and `Expectations` that a change uses. */
export interface ListReplacer<List, Input> extends ListReader<List> {
  /** Replaces the list. */
  replace(externalId: string, inputs: readonly Input[], options?: CallOptions): PromiseLike<List>;
}

/** The part of `Expositions` that a change uses. */
export interface ExpositionUpserter extends ListReader<ExpositionList> {
  /** Writes some of the expositions of a store. */
  upsert(
    externalId: string,
    expositions: readonly ExpositionInput[],
    options?: CallOptions,
  ): PromiseLike<ExpositionList>;
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

/** Changes the contacts of a store. */
export function modifyContacts(
  contacts: ListReplacer<ContactList, ContactInput>,
  externalId: string,
  change: ListChange<Contact, ContactInput>,
  options?: ModifyOptions,
): Promise<ContactList> {
  const put = contacts.replace.bind(contacts, externalId);
  return modifyList(contactRules, { resource: contacts, externalId, change, put, options });
}

/** Changes the expectations of a store. */
export function modifyExpectations(
  expectations: ListReplacer<ExpectationList, ExpectationInput>,
  externalId: string,
  change: ListChange<Expectation, ExpectationInput>,
  options?: ModifyOptions,
): Promise<ExpectationList> {
  const put = expectations.replace.bind(expectations, externalId);
  return modifyList(expectationRules, { resource: expectations, externalId, change, put, options });
}

/** Changes the expositions of a store. */
export function modifyExpositions(
  expositions: ExpositionUpserter,
  externalId: string,
  change: ListChange<Exposition, ExpositionInput>,
  options?: ModifyOptions,
): Promise<ExpositionList> {
  const put = expositions.upsert.bind(expositions, externalId);
  return modifyList(expositionRules, { resource: expositions, externalId, change, put, options });
}

/** One change of a list. */
interface ListTask<Item, Input, List> {
  resource: ListReader<List>;
  externalId: string;
  change: ListChange<Item, Input>;
  put: (inputs: Input[], options: CallOptions) => PromiseLike<List>;
  options: ModifyOptions | undefined;
}

/** Reads a list, applies a change, sends all elements, and compares what the service kept. */
async function modifyList<Item extends object, Input extends object, List extends ElementList<Item>>(
  rules: ListRules,
  { resource, externalId, change, put, options }: ListTask<Item, Input, List>,
): Promise<List> {
  const label = labelOf(rules);
  checkFunction(label, change);
  const { isChecked, call } = readOptions(options);
  return runInOrder(resource, externalId, call.signal, async () => {
    const list = checkList(rules, await resource.get(externalId, call), externalId);
    const result = change(structuredClone(list.items)); // a function may also change its argument in place
    const changed: unknown = await result;
    checkElements(rules, list.items, changed);
    const inputs = changed.map((element) => toBody(rules, element));
    if (areEqual(rules, list.items, inputs)) return list;
    if (isChecked && !Array.isArray(result)) {
      const again = checkList(rules, await resource.get(externalId, call), externalId);
      // a property that the contract does not name may differ in each read
      const [before, now] = [list, again].map(({ items }) =>
        items.map((item) => pick(item, rules.properties)),
      );
      refuseConflict(label, isSameJson(before, now) ? [] : ["items"]);
    }
    const written = await put(inputs as Input[], call); // the change returns inputs or elements
    if (written.externalId !== null) checkId(label, written, externalId, "was sent");
    refuseDifference(label, findLost(rules, inputs, written.items));
    return written;
  });
}

function labelOf({ operation }: ListRules): string {
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
  const { properties } = rules;
  const required = properties.required.filter((name) => properties.sent.includes(name)); // the others are not sent back
  const missing = (list.items as unknown[]).flatMap((item, at) =>
    findMissing(item, { ...properties, required }, `items.${at}`),
  );
  if (list.externalId === undefined)
    missing.unshift({ path: "externalId", message: "is missing in the response" });
  if (missing.length > 0)
    throw new WriteError(label, "malformed", "not sent: the response is not a whole list", missing);
  requireExact(label, list.items);
  return list;
}

/** Returns the input of an element of the service or of the caller. */
function toBody({ properties, idProperty = "" }: ListRules, element: object): JsonObject {
  const isRead = idProperty in element || properties.received.some((name) => name in element);
  if (isRead) return toInput(element, properties);
  return Object.fromEntries(Object.entries(element).filter(([, value]) => value !== undefined));
}

/** Whether two lists have the same elements in the same order, apart from what only the service sets. */
function areEqual(rules: ListRules, before: readonly object[], after: readonly object[]): boolean {
  const { properties } = rules;
  const complete = (element: object): object => ({ ...properties.defaults, ...toBody(rules, element) });
  return isSameJson(before.map(complete), after.map(complete));
}

/** Returns an issue for each element that the service did not keep as it was sent. */
export function findLost(
  { properties, idProperty }: ListRules,
  inputs: readonly object[],
  items: readonly object[],
): Issue[] {
  const complete = (element: object): JsonObject => ({
    ...properties.defaults,
    ...pick(element, properties),
  });
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

function checkElements(
  rules: ListRules,
  before: readonly object[],
  changed: unknown,
): asserts changed is object[] {
  const { properties, idProperty } = rules;
  const label = labelOf(rules);
  if (!Array.isArray(changed))
    throw refusal(label, [{ path: "change", message: "must return an array of elements" }]);
  const known = new Set([
    ...properties.sent,
    ...properties.received,
    ...before.flatMap((item) => Object.keys(item)),
  ]);
  const issues = changed.flatMap((element: unknown, at) => {
    if (!isObject(element)) return [{ path: `${at}`, message: "must be an object" }];
    if (isTooDeep(element)) return [{ path: `${at}`, message: "is nested more than 500 levels deep" }];
    const unknown = Object.keys(element).filter((name) => !known.has(name) && element[name] !== undefined);
    return unknown.map((name) => ({ path: `${at}.${name}`, message: "is not a property of this input" }));
  });
  if (issues.length > 0) throw refusal(label, issues);
  if (idProperty === undefined) return;
  const idsOf = (items: readonly object[]): unknown[] =>
    items.map((item) => (item as JsonObject)[idProperty]);
  const left = new Set(idsOf(changed as object[]));
  const missingIds = idsOf(before).filter((id) => !left.has(id));
  const message = `${missingIds.join(", ")} missing: an upsert cannot delete an exposition (to disable it, set status: "disabled")`;
  if (missingIds.length > 0) throw refusal(label, [{ path: idProperty, message }]);
}

/** Whether a list has the desired elements, in any order. */
export function isSameList(rules: ListRules, desired: readonly object[], items: readonly object[]): boolean {
  return desired.length === items.length && findLost(rules, desired, items).length === 0;
}
