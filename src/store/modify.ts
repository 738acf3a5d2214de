import type { Store, StoreUpsert } from "../../generated/store.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { isObject, isSameJson, type JsonObject } from "../internal/json.ts";
import { type InputMembers, pick, storeMembers } from "./inputs.ts";

/** How the elements of one list are changed. */
interface ListRules<Item, Input> {
  /** `PUT /v1/stores/{externalId}/contacts`, for messages. */
  label: string;
  members: InputMembers;
  /** What the contract says of members that are left out; it takes part in the comparison. */
  defaults: JsonObject;
  /** The member by which an element must not get lost. */
  keptBy?: string;
  /** Makes an input of an element that was read. */
  toInput?: (item: Item) => Input;
}

const storeLabel = "PUT /v1/stores/{externalId}";

/** Reads a store, applies a change and sends what an upsert may contain; sends nothing if nothing changed. */
export async function modifyStore(
  change: (store: Store) => StoreUpsert | Promise<StoreUpsert>,
  get: () => Promise<Store>,
  put: (body: StoreUpsert) => Promise<Store>,
): Promise<Store> {
  checkFunction(storeLabel, change);
  const store = await get();
  const changed: unknown = await change(structuredClone(store)); // a change in place is one too
  const body = changedUpsert(store, changed, (issues) => new InvalidRequestError(storeLabel, issues));
  return body === undefined ? store : put(body);
}

/** The upsert that turns a store into the changed one; undefined if both are the same. */
export function changedUpsert(
  store: Store,
  changed: unknown,
  refuse: (issues: Issue[]) => Error,
): StoreUpsert | undefined {
  if (!isObject(changed)) throw refuse([{ path: "change", message: "must return the members to change" }]);
  const current: JsonObject = { ...store };
  const differing = Object.keys(changed).filter(
    (name) => changed[name] !== undefined && !isSameJson(changed[name], current[name]),
  );
  const issues = differing
    .filter((name) => name !== "externalId" && !storeMembers.sent.includes(name))
    .map((path) => ({ path, message: "is not a member of an upsert" }));
  if (issues.length > 0) throw refuse(issues);
  if (differing.length === 0) return undefined;
  const body: StoreUpsert = { ...pick(store, storeMembers), ...pick(changed, storeMembers) };
  // another external ID renames the store or not (gap stores.body-external-id)
  return differing.includes("externalId") ? { ...body, externalId: changed.externalId as string } : body;
}

/** Reads a list, applies a change and sends all elements; sends nothing if nothing changed. */
export async function modifyList<Item extends object, Input extends object, List extends { items: Item[] }>(
  rules: ListRules<Item, Input>,
  change: (items: Item[]) => readonly (Item | Input)[] | Promise<readonly (Item | Input)[]>,
  get: () => Promise<List>,
  put: (inputs: Input[]) => Promise<List>,
): Promise<List> {
  const { label, members, defaults, toInput } = rules;
  checkFunction(label, change);
  const list = await get();
  const changed: unknown = await change(structuredClone(list.items)); // a change in place is one too
  checkElements(rules, list.items, changed);
  const isItem = (element: object): element is Item => members.received.some((name) => name in element);
  const inputs = changed.map((element) =>
    toInput !== undefined && isItem(element) ? toInput(element) : (pick(element, members) as Input),
  );
  const complete = (input: object): object => ({ ...defaults, ...pick(input, members) });
  if (isSameJson(list.items.map(complete), inputs.map(complete))) return list;
  return put(inputs);
}

function checkFunction(label: string, change: unknown): void {
  if (typeof change === "function") return;
  throw new InvalidRequestError(label, [{ path: "change", message: "must be a function" }]);
}

function checkElements<Item, Input>(
  { label, members, keptBy }: ListRules<Item, Input>,
  before: readonly object[],
  changed: unknown,
): asserts changed is object[] {
  const refuse = (issues: Issue[]): never => {
    throw new InvalidRequestError(label, issues);
  };
  if (!Array.isArray(changed))
    return refuse([{ path: "change", message: "must return an array of elements" }]);
  const known = new Set([
    ...members.sent,
    ...members.received,
    ...before.flatMap((item) => Object.keys(item)),
  ]);
  const issues = changed.flatMap((element: unknown, at) => {
    if (!isObject(element)) return [{ path: `${at}`, message: "must be an object" }];
    const unknown = Object.keys(element).filter((name) => !known.has(name) && element[name] !== undefined);
    return unknown.map((name) => ({ path: `${at}.${name}`, message: "is not a member of this input" }));
  });
  if (issues.length > 0) refuse(issues);
  if (keptBy === undefined) return;
  const idsOf = (items: readonly object[]): unknown[] => items.map((item) => (item as JsonObject)[keptBy]);
  const left = new Set(idsOf(changed as object[]));
  const lost = idsOf(before).filter((id) => !left.has(id));
  const message = `${lost.join(", ")} left out: an upsert cannot delete (to disable, set status: "disabled")`;
  if (lost.length > 0) refuse([{ path: keptBy, message }]);
}
