import type { api, Issue } from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import { hashJson, isSameJson, sortedJson, withoutUndefined } from "./json.ts";

/** The lists of a store. */
export type ListName = "contacts" | "expectations" | "expositions";

/** A part of a store that is read and written with one pair of operations. */
export type PartName = "store" | ListName;

/**
 * Functions that compare a desired value with that of the service, by the name of the property: `name`,
 * `contacts.phone`. Without one, two values are equal if their JSON is.
 */
export type Equals = Readonly<Record<string, (desired: unknown, actual: unknown) => boolean>>;

/** The properties of one part, as the contract names them. */
export interface Part {
  readonly name: PartName;
  /** The properties of the input. */
  readonly sent: readonly string[];
  /** The properties that only a response has. */
  readonly received: readonly string[];
  /** The values of omitted properties. One that is null may be absent from a response. */
  readonly defaults: JsonObject;
  /** The property that identifies an element. */
  readonly id: string;
}

/** The response with a list of a store. */
export interface ElementList<Item = object> {
  externalId: string | null;
  items: Item[];
}

const storeNames = [
  "name",
  "location",
  "regionId",
  "storeType",
  "openingTimes",
  "protocolScheduleId",
] as const;
const storeFlags = ["protocolCronEnabled", "onboardingComplete", "loginCode"] as const;

export const storePart: Part = {
  name: "store",
  sent: [...storeNames, ...storeFlags] satisfies (keyof api.StoreUpsert)[],
  received: ["storeId", "externalId"] satisfies (keyof api.Store)[],
  defaults: {},
  id: "storeId",
};

export const listParts: Readonly<Record<ListName, Part>> = {
  contacts: {
    name: "contacts",
    sent: ["contactType", "name", "phone", "email", "hasWhatsapp"] satisfies (keyof api.ContactInput)[],
    received: ["contactId", "createdAt"] satisfies (keyof api.Contact)[],
    defaults: { contactType: "store", email: null, hasWhatsapp: false } satisfies Partial<api.ContactInput>,
    id: "contactId",
  },
  expectations: {
    name: "expectations",
    sent: ["productCategory", "displayType", "weekday", "protocolTime", "expectedFillRatio"],
    received: ["expectationId", "updatedAt"] satisfies (keyof api.Expectation)[],
    defaults: { productCategory: null } satisfies Partial<api.ExpectationInput>,
    id: "expectationId",
  },
  expositions: {
    name: "expositions",
    sent: ["expositionId", "label", "friendlyTitle", "productCategories", "expositionType", "status"],
    received: [],
    defaults: { friendlyTitle: null, status: "active" } satisfies Partial<api.ExpositionInput>,
    id: "expositionId",
  },
};

/** The label of the write of a part, for messages. */
export function labelOf({ name }: Part): string {
  return `PUT /v1/stores/{externalId}${name === "store" ? "" : `/${name}`}`;
}

/** Returns the present properties that the contract names for the input. */
export function pick({ sent }: Part, source: object): JsonObject {
  return withoutUndefined(Object.fromEntries(Object.entries(source).filter(([name]) => sent.includes(name))));
}

/** Returns these properties with the values of those that are absent. */
export function complete(part: Part, element: object): JsonObject {
  return { ...part.defaults, ...pick(part, element) };
}

/** Returns the properties of the first object whose values the second one does not have. */
export function differing(part: Part, desired: object, actual: object, equals: Equals = {}): string[] {
  const values: JsonObject = { ...actual };
  const prefix = part === storePart ? "" : `${part.name}.`;
  return Object.entries(desired)
    .filter(([name, value]) => !isSameJson(comparable(name, value), comparable(name, values[name])))
    .filter(([name, value]) => equals[prefix + name]?.(value, values[name]) !== true)
    .map(([name]) => name);
}

const uuids = new Set(["storeId", "regionId", "protocolScheduleId", "expositionId"]);

/** A null list of opening times is an empty one in a response, and a UUID may be written in either case. */
function comparable(name: string, value: unknown): unknown {
  if (name === "openingTimes") return value ?? [];
  return uuids.has(name) && typeof value === "string" ? value.toLowerCase() : value;
}

/** Returns the JSON of an element without its ID, for comparisons. */
function keyOf(part: Part, element: object): string {
  return sortedJson({ ...complete(part, element), [part.id]: undefined });
}

/**
 * Returns the issues of a list that does not have the desired elements, in any order. Each desired element needs a separate element
 * with the same values and, if it has an ID, with that ID.
 */
export function findLost(
  part: Part,
  desired: readonly object[],
  items: readonly object[],
  equals?: Equals,
): Issue[] {
  const byKey = Map.groupBy(items, (item) => keyOf(part, item));
  const hasId = (element: JsonObject, item: object): boolean =>
    element[part.id] === undefined || differing(part, { [part.id]: element[part.id] }, item).length === 0;
  const elements = desired.map((element) => complete(part, element));
  const unequal = elements.filter(
    (element) => !take(byKey.get(keyOf(part, element)) ?? [], (item) => hasId(element, item)),
  );
  const rest = [...byKey.values()].flat();
  const lost = unequal.filter(
    (element) => !take(rest, (item) => differing(part, element, complete(part, item), equals).length === 0),
  );
  const issues = lost.map((element) => ({
    path: `${part.name}.${elements.indexOf(element)}`,
    message: "is not in the response as it was sent",
  }));
  const message = `has ${items.length} elements instead of ${desired.length}`;
  return desired.length === items.length ? issues : [...issues, { path: part.name, message }];
}

/** Removes the first candidate that fits; returns whether there is one. */
function take(candidates: object[], fits: (item: object) => boolean): boolean {
  const index = candidates.findIndex(fits);
  return index >= 0 && candidates.splice(index, 1).length > 0;
}

/** Returns the hash of what was desired and of what the service has instead, in any order of elements. */
export function hashKept(part: Part, desired: object, actual: object): string {
  if (!Array.isArray(desired) || !Array.isArray(actual)) {
    const values: JsonObject = { ...actual };
    return hashJson([desired, Object.keys(desired).map((name) => [name, values[name]])]);
  }
  const lists = [desired, actual] as object[][]; // elements of the part
  return hashJson(lists.map((list) => list.map((element) => keyOf(part, element)).toSorted()));
}
