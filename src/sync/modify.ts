import {
  type api,
  type CallOptions,
  callOptions,
  findOne,
  type Issue,
  sendOnce,
  type StoreApi,
  writeReasonOf,
} from "./clients.ts";
import { wrongResult } from "./callbacks.ts";
import { isObject, type JsonObject, objectOf, objectsIn } from "../wire/json.ts";
import { conflict, difference } from "./errors.ts";
import { isSameJson } from "./json.ts";
import { omitUndefined } from "../wire/names.ts";
import { checkExternalId, type Equals, type Part, parts, type PartResource, refuse } from "./parts.ts";
import { runInOrder } from "./tasks.ts";

/** The options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** Compares a sent value with the returned one, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
}

/** Returns the changed entity, or a promise of it. */
export type Change<Item, Result> = (item: Item) => Result | PromiseLike<Result>;

/** The properties of a store to change, or the whole store. Undefined and unchanged ones are ignored. */
export type StoreChange = Change<api.Store, Partial<api.Store> | api.StoreUpsert>;

/**
 * Reads an entity, applies a change, writes the result and compares what the service returned. Nothing is sent if nothing
 * changed. The body has the properties that the contract names, as they were read, and those that the change sets. Changes
 * of one entity through the same resource run one after the other. The entity is read again directly before it is written.
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
export function modify<List extends { items: object[] }, Input>(
  resource: PartResource<List, readonly Input[]>,
  externalId: string,
  change: Change<List["items"], readonly (List["items"][number] | Input)[]>,
  options?: ModifyOptions,
): Promise<List>;
export async function modify(
  resource: PartResource,
  externalId: string,
  change: (entity: never) => object,
  options: ModifyOptions = {},
): Promise<object> {
  refuse("modify", checkExternalId(externalId));
  const { store, contacts, expectations, expositions } = parts;
  const apply = change as Change<unknown, object>; // the overloads give each resource its own change
  const changeStore = async ([now = {}]: object[]): Promise<object[]> => {
    const changed: unknown = await apply(structuredClone(now)); // a function may also change its argument
    if (!isObject(changed))
      throw wrongResult("modify: the function", "an object, or a promise of it", changed);
    const names = store.findDiffering(omitUndefined(changed), now);
    return [{ ...now, ...pick(changed, names) }];
  };
  // contacts and expectations have the same methods: their elements tell them apart
  const partOf = (elements: readonly object[]): Part => {
    if ("list" in resource) return store;
    if (resource.replace === undefined) return expositions;
    return elements.some((element) => "displayType" in objectOf(element)) ? expectations : contacts;
  };
  const changeElements = "list" in resource ? changeStore : (apply as ElementsChange); // of a list
  return modifyPart({ partOf, resource, externalId, change: changeElements, options });
}

/** Returns all elements of a part after a change. */
type ElementsChange = Change<object[], readonly object[]>;

/** A change of a part of a store. */
export interface PartChange {
  readonly partOf: (elements: readonly object[]) => Part;
  readonly resource: PartResource;
  readonly externalId: string;
  readonly change: ElementsChange;
  /** With `mayCreate` a store that does not exist is a part without elements. */
  readonly options: ModifyOptions & { mayCreate?: boolean };
}

/** Changes a part of a store after all earlier changes of it. Returns the response that shows it. */
export function modifyPart(request: PartChange): Promise<object> {
  const { resource, externalId, options } = request;
  return runInOrder(resource, externalId, options.signal, () => changeNow(request));
}

/** A part as it was read. */
interface ReadPart {
  /** The response; undefined if there is no such store. */
  response: object | undefined;
  items: JsonObject[];
}

async function changeNow(request: PartChange): Promise<object> {
  const { partOf } = request;
  const before = await readPart(request);
  const changed: unknown = await request.change(structuredClone(before.items)); // whatever can be awaited
  if (!Array.isArray(changed))
    throw wrongResult("modify: the function", "an array, or a promise of it", changed);
  const elements = changed as object[]; // what they are is checked with the body
  const part = partOf([...before.items, ...elements]);
  refuse(part.label, findForbidden(part, before.items, elements));
  const inputs = elements.map((element) => toInput(part, objectOf(element), before.items));
  if (before.response !== undefined && isUnchanged(part, before.items, inputs)) return before.response;
  await requireSame(part, request, before);
  const accept = (written: object): object => {
    requireWritten(part, request, { before: before.items, inputs, written });
    return written;
  };
  const write = async (): Promise<object> => accept(await send(part, request, inputs));
  const look = async (): Promise<object> => accept(await readResponse(request));
  return sendOnce(write, look, request.options.signal);
}

async function readResponse({ resource, externalId, options }: PartChange): Promise<object> {
  return resource.get(externalId, callOptions(options));
}

async function readPart(request: PartChange): Promise<ReadPart> {
  const { externalId, partOf, options } = request;
  const reading = readResponse(request);
  const response = options.mayCreate === true ? await findOne(reading) : await reading;
  const part = partOf(objectsIn(objectOf(response)["items"]));
  const items = response === undefined ? [] : part.elementsOf(response, [externalId]);
  return { response, items: part.requireWhole(items) };
}

function isUnchanged(part: Part, items: readonly JsonObject[], inputs: readonly JsonObject[]): boolean {
  return isSameJson(
    items.map((item) => part.complete(item)),
    inputs.map((input) => ({ ...part.defaults, ...input })),
  );
}

/**
 * Reads the part again, directly before it is written.
 * @throws {WriteError} `conflict` if another program has changed it
 */
async function requireSame(part: Part, request: PartChange, before: ReadPart): Promise<void> {
  const now = await readPart({ ...request, partOf: () => part });
  if (before.response === undefined && now.response !== undefined)
    throw conflict(part.label, ["externalId"], "was created by another program after it was read");
  const paths = part.findChanges(before.items, now.items);
  if (paths.length > 0) throw conflict(part.label, paths, "was changed after it was read");
}

/** @throws {WriteError} `differs` if the response does not show what was sent */
function requireWritten(
  part: Part,
  { resource, externalId, options }: PartChange,
  { before, inputs, written }: { before: readonly object[]; inputs: readonly JsonObject[]; written: object },
): void {
  const [{ externalId: newId = externalId } = {}] = inputs; // a store may be renamed, or the service ignores it
  const now = part.elementsOf(written, [externalId, newId]);
  const expected = part.isStore ? { externalId, ...pick(before[0] ?? {}, [part.id]) } : {};
  const wanted = inputs.map((input) => ({ ...expected, ...input }));
  const issues = part.findLost(wanted, now, options.equals);
  if (resource.replace !== undefined && now.length !== inputs.length)
    issues.push({ path: part.name, message: `has ${now.length} elements instead of ${inputs.length}` });
  if (issues.length > 0) throw difference(part.label, issues);
}

/** Sends the elements of a part. Returns the response that shows the part afterwards. */
async function send(
  part: Part,
  { resource, externalId, options }: PartChange,
  inputs: readonly object[],
): Promise<object> {
  const call = callOptions(options);
  const body = (part.isStore ? inputs[0] : inputs) as never; // what the resource takes
  try {
    const response = resource.replace?.(externalId, body, call);
    return await (response ?? resource.upsert?.(externalId, body, call) ?? {}); // it has one of them
  } catch (error) {
    // what the client finds different may be equal
    if (options.equals === undefined || writeReasonOf(error) === undefined) throw error;
    return resource.get(externalId, call);
  }
}

/** Returns the issues of a change that no request can make. */
function findForbidden({ name, id }: Part, items: readonly object[], changed: readonly object[]): Issue[] {
  const left = new Set(changed.map((element) => objectOf(element)[id]));
  const gone = items.map((item) => objectOf(item)[id]).filter((value) => !left.has(value));
  const message = 'is missing: an upsert cannot delete an exposition; set status: "disabled"';
  if (name === "expositions") return gone.map((value) => ({ path: String(value), message }));
  return name === "store" ? gone.map(() => ({ path: id, message: "cannot be changed" })) : [];
}

/**
 * Returns the input of an element: the properties that the contract names, and others that the caller has set. Those that
 * are as they were read are not sent back, because a service may refuse its own additions.
 */
function toInput(part: Part, element: JsonObject, items: readonly JsonObject[]): JsonObject {
  const id = element[part.id];
  const read = items.find((item) => item[part.id] === id);
  const sent = Object.entries(element).filter(([name, value]) => {
    if (value === undefined || part.received.includes(name)) return false;
    return part.sent.includes(name) || read === undefined || !isSameJson(value, read[name]);
  });
  // an omitted property might keep its value
  const nulls = Object.entries(part.defaults).filter(([, value]) => value === null);
  return Object.fromEntries([...nulls, ...sent]);
}

/** Returns the properties with these names. */
export function pick(values: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
