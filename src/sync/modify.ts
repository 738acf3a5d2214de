import {
  type CallOptions,
  callOptions,
  type Contact,
  type ContactInput,
  type ContactList,
  type Expectation,
  type ExpectationInput,
  type ExpectationList,
  type Exposition,
  type ExpositionInput,
  type ExpositionList,
  InvalidRequestError,
  type Store,
  type StoreApi,
  type StoreUpsert,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { conflict, difference, otherEntity } from "./errors.ts";
import { isSameJson } from "./json.ts";
import { checkExternalId, requireId, requireList, requireStore } from "./part-checks.ts";
import {
  complete,
  contactPart,
  differing,
  type ElementList,
  type Equals,
  expectationPart,
  expositionPart,
  findLost,
  type Part,
  pick,
  storePart,
} from "./parts.ts";
import { checkOptions, runInOrder } from "./tasks.ts";

/** The options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** Compares a sent value with the returned one, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
}

/** The properties of a store to change, or the whole store. Undefined and unchanged ones are ignored. */
export type StoreChange = Partial<Store> | StoreUpsert;

type Change<Item, Result> = (item: Item) => Result | Promise<Result>;

/**
 * Reads an entity, applies a change, writes the result and compares what the service returned. Nothing is sent if nothing
 * changed. The body has the properties that the contract names, as they were read, and those that the change sets. Changes
 * of one entity through the same resource run one after the other. If the change returns a promise, the entity is read
 * again before it is written.
 * @param change returns the properties of a store to change, or all elements of a list
 * @throws {WriteError} if the entity was not read as a whole (`malformed`), is another one (`other-entity`), was changed
 * meanwhile (`conflict`), or was not kept as it was sent (`differs`)
 * @throws the reason of the signal if it is aborted
 * @example await modify(store.contacts, "S-1", (all) => [...all, { name: "Anna", phone: "+48 600 100 200" }]);
 */
export function modify(
  resource: StoreApi["stores"],
  externalId: string,
  change: Change<Store, StoreChange>,
  options?: ModifyOptions,
): Promise<Store>;
export function modify(
  resource: StoreApi["contacts"],
  externalId: string,
  change: Change<Contact[], readonly (Contact | ContactInput)[]>,
  options?: ModifyOptions,
): Promise<ContactList>;
export function modify(
  resource: StoreApi["expectations"],
  externalId: string,
  change: Change<Expectation[], readonly (Expectation | ExpectationInput)[]>,
  options?: ModifyOptions,
): Promise<ExpectationList>;
export function modify(
  resource: StoreApi["expositions"],
  externalId: string,
  change: Change<Exposition[], readonly (Exposition | ExpositionInput)[]>,
  options?: ModifyOptions,
): Promise<ExpositionList>;
export async function modify(
  resource: StoreApi["stores"] | ListResource,
  externalId: string,
  change: (entity: never) => object | Promise<object>,
  options: ModifyOptions = {},
): Promise<unknown> {
  checkOptions("modify", options, ["equals"]);
  const issues = checkExternalId(externalId);
  if (typeof change !== "function") issues.push({ path: "change", message: "must be a function" });
  if (issues.length > 0) throw new InvalidRequestError("modify", issues);
  const settings = { call: callOptions(options), equals: options.equals };
  const { signal } = settings.call;
  if ("list" in resource)
    return runInOrder(resource, externalId, signal, () =>
      modifyStore(resource, externalId, change as Change<Store, StoreChange>, settings),
    );
  return runInOrder(resource, externalId, signal, () =>
    modifyList(resource, externalId, change as Change<object[], readonly object[]>, settings),
  );
}

/** The settings of a change. */
export interface ChangeSettings {
  call: CallOptions;
  equals: Equals | undefined;
}

/** A resource with a list of a store. Its methods take what their `get` returns. */
export interface ListResource {
  get(externalId: string, options?: CallOptions): PromiseLike<ElementList<object>>;
  replace?(
    externalId: string,
    elements: readonly never[],
    options?: CallOptions,
  ): PromiseLike<ElementList<object>>;
  upsert?(
    externalId: string,
    elements: readonly never[],
    options?: CallOptions,
  ): PromiseLike<ElementList<object>>;
}

/** Changes a store within its queue. */
export async function modifyStore(
  stores: StoreApi["stores"],
  externalId: string,
  change: Change<Store, StoreChange>,
  { call, equals }: ChangeSettings,
): Promise<Store> {
  const store = requireStore(await stores.get(externalId, call), externalId);
  const result = change(structuredClone(store)); // a function may also change its argument
  const changed: unknown = await result;
  const label = storePart.label;
  if (!isObject(changed))
    throw new InvalidRequestError(label, [
      { path: "change", message: "must return the properties to change" },
    ]);
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const names = differing(storePart, given, store);
  const received = names.filter((name) => name !== "externalId" && storePart.received.includes(name));
  if (received.length > 0)
    throw new InvalidRequestError(
      label,
      received.map((path) => ({ path, message: "cannot be changed" })),
    );
  if (names.length === 0) return store;
  if (isThenable(result)) {
    const again = requireStore(await stores.get(externalId, call), externalId);
    const expected = { ...pick(storePart, store), storeId: store.storeId };
    const paths = differing(storePart, expected, again);
    if (paths.length > 0) throw conflict(label, paths, "was changed after it was read");
  }
  const values = Object.fromEntries(names.map((name) => [name, given[name]]));
  return writeStore(stores, externalId, { ...pick(storePart, store), ...values }, { call, equals }, store);
}

/** Sends a store and compares what the service returned. */
export async function writeStore(
  stores: StoreApi["stores"],
  externalId: string,
  body: StoreUpsert,
  { call, equals }: ChangeSettings,
  before?: Store,
): Promise<Store> {
  const written = await stores.upsert(externalId, body, call);
  const label = storePart.label;
  // a body with another ID renames the store, or the service ignores it
  const { externalId: newId = externalId } = body;
  requireId(label, written, written.externalId === newId ? newId : externalId);
  if (before !== undefined && differing(storePart, { storeId: before.storeId }, written).length > 0)
    throw otherEntity(label, "storeId", "was sent, and is that of another store now");
  const paths = differing(storePart, { ...body, externalId: newId }, written, equals);
  if (paths.length > 0)
    throw difference(
      label,
      paths.map((path) => ({ path, message: "has another value" })),
    );
  return written;
}

/** Changes a list within its queue. */
export async function modifyList<List extends ElementList<object>>(
  resource: ListResource,
  externalId: string,
  change: Change<object[], readonly object[]>,
  settings: ChangeSettings,
  known?: Part,
): Promise<List> {
  const { call, equals } = settings;
  const list = await resource.get(externalId, call);
  const result = change(structuredClone(list.items));
  const changed: unknown = await result;
  const part = known ?? partOf(resource, [...list.items, ...(Array.isArray(changed) ? changed : [])]);
  requireList(part, list, externalId);
  if (!Array.isArray(changed) || !changed.every(isObject))
    throw new InvalidRequestError(part.label, [
      { path: "change", message: "must return an array of elements" },
    ]);
  requireAllIds(part, list.items, changed);
  const inputs = changed.map((element) => toInput(part, element, list.items));
  const before = list.items.map((item) => complete(part, item));
  const after = inputs.map((input) => ({ ...part.defaults, ...input }));
  if (isSameJson(before, after)) return list as List; // a list of this resource
  if (isThenable(result)) {
    const again = requireList(part, await resource.get(externalId, call), externalId);
    const now = again.items.map((item) => complete(part, item));
    if (!isSameJson(before, now)) throw conflict(part.label, [part.name], "was changed after it was read");
  }
  const send = resource.replace ?? resource.upsert;
  // the inputs are those of this resource; the response has its list
  const written = (await send?.call(resource, externalId, inputs as never[], call)) as List;
  if (part !== contactPart || written.externalId !== null) requireId(part.label, written, externalId);
  const issues = findLost(part, inputs, written.items, equals);
  if (issues.length > 0) throw difference(part.label, issues);
  return written;
}

function isThenable(value: unknown): boolean {
  return isObject(value) && typeof value.then === "function";
}

/** Contacts and expectations have the same methods: their elements tell them apart. */
function partOf(resource: ListResource, elements: readonly unknown[]): Part {
  if (resource.replace === undefined) return expositionPart;
  return elements.some((element) => isObject(element) && "displayType" in element)
    ? expectationPart
    : contactPart;
}

/**
 * Returns the input of an element: the properties that the contract names, and others that the caller has set. Those that
 * are as they were read are not sent back, because a service may refuse its own additions.
 */
function toInput(part: Part, element: object, items: readonly object[]): JsonObject {
  const [idName = ""] = part.id === undefined ? part.received : [part.id];
  const values: JsonObject = { ...element };
  const id = values[idName];
  const read: JsonObject | undefined = items.find(
    (item) => id !== undefined && (item as JsonObject)[idName] === id,
  ) as JsonObject | undefined;
  const sent = Object.entries(values).filter(([name, value]) => {
    if (value === undefined || part.received.includes(name)) return false;
    return part.sent.includes(name) || read === undefined || !isSameJson(value, read[name]);
  });
  // an absent property of an element that was read is null, and an omitted one might keep its value
  const nulls = Object.entries(part.defaults).filter(([, value]) => value === null && read !== undefined);
  return { ...Object.fromEntries(nulls), ...Object.fromEntries(sent) };
}

/** An upsert cannot delete an element. */
function requireAllIds({ id, label }: Part, before: readonly object[], changed: readonly JsonObject[]): void {
  if (id === undefined) return;
  const left = new Set(changed.map((element) => element[id]));
  const missing = before.map((item) => (item as JsonObject)[id]).filter((one) => !left.has(one));
  const message = `${missing.join(", ")} missing: an upsert cannot delete an exposition; set status: "disabled"`;
  if (missing.length > 0) throw new InvalidRequestError(label, [{ path: id, message }]);
}
