// Loaded with the first change.
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
import { isSameJson } from "../../wire/compare-json.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { findUnsendable } from "../core/request/unsendable.ts";
import type { CallOptions } from "../core/options/options.ts";
import { runInOrder } from "../core/request/write-queue.ts";
import { pick } from "./differences.ts";
import { toInput } from "./inputs.ts";
import {
  checkFunction,
  type ModifyOptions,
  readOptions,
  refusal,
  refuseConflict,
  refuseDifference,
} from "./modify.ts";
import {
  type ListRules,
  contactRules,
  expectationRules,
  expositionRules,
  labelOf,
  checkList,
  findLost,
  isOfOtherStore,
} from "./list-rules.ts";

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
      // only some lists show the store, which may be another one that has taken the external ID
      const replaced = isOfOtherStore(again, list) ? ["storeId"] : [];
      refuseConflict(label, isSameJson(before, now) ? replaced : [...replaced, "items"]);
    }
    const sent = inputs as Input[]; // the change returns inputs or elements
    const written = checkList(rules, await put(sent, call), externalId, list);
    refuseDifference(label, findLost(rules, inputs, written.items));
    return written;
  });
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
    const unsendable = findUnsendable(element, `${at}`);
    if (unsendable.length > 0 || !isObject(element)) return unsendable;
    const unknown = Object.keys(element).filter((name) => !known.has(name) && element[name] !== undefined);
    return unknown.map((name) => ({ path: `${at}.${name}`, message: "is not a property of this input" }));
  });
  if (issues.length > 0) throw refusal(label, issues);
  if (idProperty === undefined) return;
  const idsOf = (items: readonly unknown[]): unknown[] =>
    items.filter(isObject).map((item) => item[idProperty]);
  const left = new Set(idsOf(changed));
  const missingIds = idsOf(before).filter((id) => !left.has(id));
  const message = `${missingIds.join(", ")} missing: an upsert cannot delete an exposition (to disable it, set status: "disabled")`;
  if (missingIds.length > 0) throw refusal(label, [{ path: idProperty, message }]);
}
