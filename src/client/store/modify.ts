import { storeOperations } from "../../../generated/store.operations.ts";
import type { Store, StoreUpsert } from "../../../generated/store.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import type { Operation } from "../core/request/operation.ts";
import { isObject, isSameJson, type JsonObject } from "../../wire/json.ts";
import { type InputProperties, pick, storeProperties } from "./inputs.ts";

/** The operation that sends a list. */
type ListOperation = Pick<Operation, "method" | "path">;

/** The rules for a change of the elements of one list. */
interface ListRules<Item, Input> {
  operation: ListOperation;
  /** Its `defaults` take part in the comparison. */
  properties: InputProperties & { readonly defaults: object };
  /** The property that identifies an element; an element with it must not be left out. */
  idProperty?: string;
  /** Converts an element that was read to an input. */
  toInput?: (item: Item) => Input;
}

/** Reads a store, applies a change and sends the properties of an upsert. Sends nothing if nothing changed. */
export async function modifyStore(
  change: (store: Store) => StoreUpsert | Promise<StoreUpsert>,
  get: () => Promise<Store>,
  put: (body: StoreUpsert) => Promise<Store>,
): Promise<Store> {
  const { putStore } = storeOperations;
  checkFunction(putStore, change);
  const store = await get();
  const changed: unknown = await change(structuredClone(store)); // a function may also change its argument in place
  const body = changedUpsert(store, changed, (issues) => refusal(putStore, issues));
  return body === undefined ? store : put(body);
}

/** Returns the upsert that turns a store into the changed one; undefined if both are equal. */
export function changedUpsert(
  store: Store,
  changed: unknown,
  refuse: (issues: Issue[]) => Error,
): StoreUpsert | undefined {
  if (!isObject(changed)) throw refuse([{ path: "change", message: "must return the properties to change" }]);
  const current: JsonObject = { ...store };
  const differing = Object.keys(changed).filter(
    (name) => changed[name] !== undefined && !isSameJson(changed[name], current[name]),
  );
  const issues = differing
    .filter((name) => name !== "externalId" && !storeProperties.sent.includes(name))
    .map((path) => ({ path, message: "is not a property of an upsert" }));
  if (issues.length > 0) throw refuse(issues);
  if (differing.length === 0) return undefined;
  const body: StoreUpsert = { ...pick(store, storeProperties), ...pick(changed, storeProperties) };
  // whether another external ID renames the store is a gap (stores.body-external-id)
  return differing.includes("externalId") ? { ...body, externalId: changed.externalId as string } : body;
}

/** Reads a list, applies a change and sends all elements. Sends nothing if nothing changed. */
export async function modifyList<Item extends object, Input extends object, List extends { items: Item[] }>(
  rules: ListRules<Item, Input>,
  change: (items: Item[]) => readonly (Item | Input)[] | Promise<readonly (Item | Input)[]>,
  get: () => Promise<List>,
  put: (inputs: Input[]) => Promise<List>,
): Promise<List> {
  const { operation, properties, toInput } = rules;
  checkFunction(operation, change);
  const list = await get();
  checkReturned(operation, list.items);
  const changed: unknown = await change(structuredClone(list.items)); // a function may also change its argument in place
  checkElements(rules, list.items, changed);
  const isItem = (element: object): element is Item => properties.received.some((name) => name in element);
  const inputs = changed.map((element) =>
    toInput !== undefined && isItem(element) ? toInput(element) : (pick(element, properties) as Input),
  );
  const complete = (input: object): object => ({ ...properties.defaults, ...pick(input, properties) });
  if (isSameJson(list.items.map(complete), inputs.map(complete))) return list;
  return put(inputs);
}

function refusal({ method, path }: ListOperation, issues: readonly Issue[]): InvalidRequestError {
  return new InvalidRequestError(`${method} ${path}`, issues);
}

function checkFunction(operation: ListOperation, change: unknown): void {
  if (typeof change === "function") return;
  throw refusal(operation, [{ path: "change", message: "must be a function" }]);
}

/** Elements that are not objects could not be sent back, and would be lost. */
function checkReturned(operation: ListOperation, items: readonly unknown[]): void {
  const message = "was returned by the service and is not an object";
  const issues = items.flatMap((item, at) => (isObject(item) ? [] : [{ path: `items.${at}`, message }]));
  if (issues.length > 0) throw refusal(operation, issues);
}

function checkElements<Item, Input>(
  { operation, properties, idProperty }: ListRules<Item, Input>,
  before: readonly object[],
  changed: unknown,
): asserts changed is object[] {
  if (!Array.isArray(changed))
    throw refusal(operation, [{ path: "change", message: "must return an array of elements" }]);
  const known = new Set([
    ...properties.sent,
    ...properties.received,
    ...before.flatMap((item) => Object.keys(item)),
  ]);
  const issues = changed.flatMap((element: unknown, at) => {
    if (!isObject(element)) return [{ path: `${at}`, message: "must be an object" }];
    const unknown = Object.keys(element).filter((name) => !known.has(name) && element[name] !== undefined);
    return unknown.map((name) => ({ path: `${at}.${name}`, message: "is not a property of this input" }));
  });
  if (issues.length > 0) throw refusal(operation, issues);
  if (idProperty === undefined) return;
  const idsOf = (items: readonly object[]): unknown[] =>
    items.map((item) => (item as JsonObject)[idProperty]);
  const left = new Set(idsOf(changed as object[]));
  const missingIds = idsOf(before).filter((id) => !left.has(id));
  const message = `${missingIds.join(", ")} missing: an upsert cannot delete an exposition (to disable it, set status: "disabled")`;
  if (missingIds.length > 0) throw refusal(operation, [{ path: idProperty, message }]);
}
