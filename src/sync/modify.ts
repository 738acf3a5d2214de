import { type api, type CallOptions, callOptions, type StoreApi, WriteError } from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { conflict, difference } from "./errors.ts";
import { isSameJson } from "./json.ts";
import { checkExternalId, otherStore, refuse, requireId, requireList, requireStore } from "./part-checks.ts";
import {
  complete,
  differing,
  type ElementList,
  type Equals,
  findLost,
  labelOf,
  listParts,
  type Part,
  pick,
  storePart,
} from "./parts.ts";
import { runInOrder } from "./tasks.ts";

/** The options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** Compares a sent value with the returned one, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
}

/** Returns the changed entity, or a promise of it. */
export type Change<Item, Result> = (item: Item) => Result | Promise<Result>;

/** The properties of a store to change, or the whole store. Undefined and unchanged ones are ignored. */
export type StoreChange = Change<api.Store, Partial<api.Store> | api.StoreUpsert>;

/** Returns all elements of a list. */
export type ListChange<Item, Input> = Change<Item[], readonly (Item | Input)[]>;

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
  change: StoreChange,
  options?: ModifyOptions,
): Promise<api.Store>;
export function modify(
  resource: StoreApi["contacts"],
  externalId: string,
  change: ListChange<api.Contact, api.ContactInput>,
  options?: ModifyOptions,
): Promise<api.ContactList>;
export function modify(
  resource: StoreApi["expectations"],
  externalId: string,
  change: ListChange<api.Expectation, api.ExpectationInput>,
  options?: ModifyOptions,
): Promise<api.ExpectationList>;
export function modify(
  resource: StoreApi["expositions"],
  externalId: string,
  change: ListChange<api.Exposition, api.ExpositionInput>,
  options?: ModifyOptions,
): Promise<api.ExpositionList>;
export async function modify(
  resource: StoreApi["stores"] | ListResource,
  externalId: string,
  change: (entity: never) => object,
  options: ModifyOptions = {},
): Promise<unknown> {
  refuse("modify", checkExternalId(externalId));
  const settings = { call: callOptions(options), equals: options.equals };
  return runInOrder(resource, externalId, options.signal, async () =>
    // the overloads give each resource its own change
    "list" in resource
      ? modifyStore(resource, externalId, change as StoreChange, settings)
      : modifyList(resource, externalId, change as ListChange<object, object>, settings),
  );
}

/** The settings of a change. */
export interface ChangeSettings {
  call: CallOptions;
  equals: Equals | undefined;
}

/** A resource with a list of a store. */
export interface ListResource {
  get(externalId: string, options?: CallOptions): PromiseLike<ElementList>;
  replace?(externalId: string, elements: readonly never[], options?: CallOptions): PromiseLike<ElementList>;
  upsert?(externalId: string, elements: readonly never[], options?: CallOptions): PromiseLike<ElementList>;
}

/** Changes a store within its queue. */
export async function modifyStore(
  stores: StoreApi["stores"],
  externalId: string,
  change: StoreChange,
  settings: ChangeSettings,
): Promise<api.Store> {
  const read = async () => requireStore(await stores.get(externalId, settings.call), externalId);
  const store = await read();
  const own = pick(storePart, store);
  const result = change(structuredClone(store)); // a function may also change its argument
  const changed: JsonObject = { ...(await result) };
  const names = differing(storePart, changed, store).filter((name) => changed[name] !== undefined);
  const label = labelOf(storePart);
  const storeIds = names.filter((name) => name === "storeId");
  refuse(
    label,
    storeIds.map((path) => ({ path, message: "cannot be changed" })),
  );
  if (names.length === 0) return store;
  const paths = isPromise(result)
    ? differing(storePart, { ...own, storeId: store.storeId }, await read())
    : [];
  if (paths.length > 0) throw conflict(label, paths, "was changed after it was read");
  const body = { ...own, ...Object.fromEntries(names.map((name) => [name, changed[name]])) };
  return writeStore(stores, externalId, body, settings, store);
}

/** Sends a store and compares what the service returned. */
export async function writeStore(
  stores: StoreApi["stores"],
  externalId: string,
  body: api.StoreUpsert,
  { call, equals }: ChangeSettings,
  before?: api.Store,
): Promise<api.Store> {
  const written = await stores.upsert(externalId, body, call);
  // a body with another ID renames the store, or the service ignores it
  const { externalId: newId = externalId } = body;
  requireId(storePart, written, written.externalId === newId ? newId : externalId);
  if (before !== undefined && differing(storePart, { storeId: before.storeId }, written).length > 0)
    throw otherStore(storePart, "storeId", "was sent, and is that of another store now");
  const paths = differing(storePart, { ...body, externalId: newId }, written, equals);
  const issues = paths.map((path) => ({ path, message: "has another value" }));
  if (issues.length > 0) throw difference(labelOf(storePart), issues);
  return written;
}

/** Changes a list within its queue. */
export async function modifyList(
  resource: ListResource,
  externalId: string,
  change: ListChange<object, object>,
  { call, equals }: ChangeSettings,
): Promise<ElementList> {
  const list = await resource.get(externalId, call);
  const result = change(structuredClone(list.items));
  const changed: readonly object[] = await result;
  const part = partOf(resource, [...list.items, ...changed]);
  const label = labelOf(part);
  requireList(part, list, externalId);
  const left = new Set(changed.map((element) => idOf(part, element)));
  const gone = list.items.filter((item) => !left.has(idOf(part, item)));
  const message = 'is missing: an upsert cannot delete an exposition; set status: "disabled"';
  if (part.name === "expositions")
    refuse(
      label,
      gone.map((item) => ({ path: String(idOf(part, item)), message })),
    );
  const inputs = changed.map((element) => toInput(part, element, list.items));
  const before = list.items.map((item) => complete(part, item));
  if (
    isSameJson(
      before,
      inputs.map((input) => ({ ...part.defaults, ...input })),
    )
  )
    return list;
  if (isPromise(result)) {
    const again = requireList(part, await resource.get(externalId, call), externalId);
    if (
      !isSameJson(
        before,
        again.items.map((item) => complete(part, item)),
      )
    )
      throw conflict(label, [part.name], "was changed after it was read");
  }
  const elements = inputs as never[]; // those of this resource
  const response =
    resource.replace?.(externalId, elements, call) ?? resource.upsert?.(externalId, elements, call);
  // it has one of the two methods
  const written = await readWritten(response as PromiseLike<ElementList>, equals, () =>
    resource.get(externalId, call),
  );
  if (part.name !== "contacts" || written.externalId !== null) requireId(part, written, externalId);
  const issues = findLost(part, inputs, written.items, equals);
  if (issues.length > 0) throw difference(label, issues);
  return written;
}

/** Returns the list after its write. With `equals`, what the client finds different is read and compared here. */
export async function readWritten(
  write: PromiseLike<ElementList>,
  equals: Equals | undefined,
  read: () => PromiseLike<ElementList>,
): Promise<ElementList> {
  try {
    return await write;
  } catch (error) {
    if (equals === undefined || !(error instanceof WriteError)) throw error;
    return read();
  }
}

/** Contacts and expectations have the same methods: their elements tell them apart. */
function partOf(resource: ListResource, elements: readonly object[]): Part {
  if (resource.replace === undefined) return listParts.expositions;
  return elements.some((element) => "displayType" in element) ? listParts.expectations : listParts.contacts;
}

function idOf({ id }: Part, element: object): unknown {
  return (element as JsonObject)[id];
}

function isPromise(value: unknown): boolean {
  return isObject(value) && typeof value.then === "function";
}

/**
 * Returns the input of an element: the properties that the contract names, and others that the caller has set. Those that
 * are as they were read are not sent back, because a service may refuse its own additions.
 */
function toInput(part: Part, element: object, items: readonly object[]): JsonObject {
  const id = idOf(part, element);
  const read = items.find((item) => id !== undefined && idOf(part, item) === id) as JsonObject | undefined; // it has an ID
  const sent = Object.entries<unknown>({ ...element }).filter(([name, value]) => {
    if (value === undefined || part.received.includes(name)) return false;
    return part.sent.includes(name) || read === undefined || !isSameJson(value, read[name]);
  });
  // an absent property of an element that was read is null, and an omitted one might keep its value
  const nulls = Object.entries(part.defaults).filter(([, value]) => value === null && read !== undefined);
  return Object.fromEntries([...nulls, ...sent]);
}
