import type {
  ContactInput,
  ExpectationInput,
  ExpositionInput,
  Issue,
  Store,
  StoreProperty,
} from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import { hashJson, isSameJson, sortedJson } from "./json.ts";

/** A part of a store that is read and written with one pair of operations. */
export type PartName = "store" | "contacts" | "expectations" | "expositions";

/**
 * Functions that compare a desired value with that of the service, by the name of the property: `name`,
 * `contacts.phone`. Without one, two values are equal if their JSON is.
 */
export type Equals = Readonly<Record<string, (desired: unknown, actual: unknown) => boolean>>;

/** A part of a store: the properties of its input, as the contract names them. */
export interface Part {
  readonly name: PartName;
  /** The label of the write for messages. */
  readonly label: string;
  readonly sent: readonly string[];
  /** The properties that only a response has. */
  readonly received: readonly string[];
  /** The values of omitted properties. One that is null may be absent from a response. */
  readonly defaults: JsonObject;
  /** The property that identifies an element; an element with it must not be left out. */
  readonly id?: string;
}

/** Lists all names of a type: a name that the contract adds is a compile error here. */
const namesOf = <Name extends string>(names: Record<Name, true>): readonly Name[] =>
  Object.keys(names) as Name[];

const path = "PUT /v1/stores/{externalId}";

export const storePart: Part = {
  name: "store",
  label: path,
  sent: namesOf<StoreProperty>({
    name: true,
    location: true,
    regionId: true,
    storeType: true,
    openingTimes: true,
    protocolScheduleId: true,
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: true,
  }),
  received: ["storeId", "externalId"] satisfies (keyof Store)[],
  defaults: {},
};

export const contactPart: Part = {
  name: "contacts",
  label: `${path}/contacts`,
  sent: namesOf<keyof ContactInput>({
    contactType: true,
    name: true,
    phone: true,
    email: true,
    hasWhatsapp: true,
  }),
  received: ["contactId", "createdAt"],
  defaults: { contactType: "store", email: null, hasWhatsapp: false },
};

export const expectationPart: Part = {
  name: "expectations",
  label: `${path}/expectations`,
  sent: namesOf<keyof ExpectationInput>({
    productCategory: true,
    displayType: true,
    weekday: true,
    protocolTime: true,
    expectedFillRatio: true,
  }),
  received: ["expectationId", "updatedAt"],
  defaults: { productCategory: null },
};

export const expositionPart: Part = {
  name: "expositions",
  label: `${path}/expositions`,
  sent: namesOf<keyof ExpositionInput>({
    expositionId: true,
    label: true,
    friendlyTitle: true,
    productCategories: true,
    expositionType: true,
    status: true,
  }),
  received: [],
  defaults: { friendlyTitle: null, status: "active" },
  id: "expositionId",
};

export const listParts = {
  contacts: contactPart,
  expectations: expectationPart,
  expositions: expositionPart,
};

/** The response with a list of a store. */
export interface ElementList<Item> {
  externalId: string | null;
  items: Item[];
}

/** Returns the present properties that the contract names for the input. */
export function pick({ sent }: Part, source: object): JsonObject {
  return Object.fromEntries(
    Object.entries(source).filter(([name, value]) => sent.includes(name) && value !== undefined),
  );
}

/** Returns these properties with the values of those that are absent. */
export function complete(part: Part, element: object): JsonObject {
  return { ...part.defaults, ...pick(part, element) };
}

/** Returns the properties of the first object whose values the second one does not have. */
export function differing(part: Part, desired: object, actual: object, equals: Equals = {}): string[] {
  const values: JsonObject = { ...actual };
  const prefix = part.name === "store" ? "" : `${part.name}.`;
  return Object.entries(desired)
    .filter(([name, value]) => {
      if (isSameJson(comparable(name, value), comparable(name, values[name]))) return false;
      return equals[prefix + name]?.(value, values[name]) !== true;
    })
    .map(([name]) => name);
}

const uuids = new Set(["storeId", "regionId", "protocolScheduleId", "expositionId"]);

/** A null list of opening times is an empty one in a response, and a UUID may be written in either case. */
function comparable(name: string, value: unknown): unknown {
  if (name === "openingTimes") return value ?? [];
  return uuids.has(name) && typeof value === "string" ? value.toLowerCase() : value;
}

/** The elements of two lists that do not correspond to each other. */
export interface Unmatched {
  /** The indexes of desired elements without their own element in the list. */
  missing: number[];
  /** The number of elements in the list that are not desired. */
  surplus: number;
}

/** Compares two lists in any order. Elements correspond if all values are the same; those with an ID also by it. */
export function compareLists(
  part: Part,
  desired: readonly object[],
  items: readonly object[],
  equals: Equals = {},
): Unmatched {
  const keyOf = (element: object): string => {
    const { [part.id ?? ""]: _, ...values } = complete(part, element);
    return sortedJson(values);
  };
  const byKey = Map.groupBy(items, keyOf);
  const missing = [...desired.keys()].filter((index) => {
    const element = desired[index] as object; // an index of the array
    const same = byKey.get(keyOf(element)) ?? [];
    const at = same.findIndex((item) => hasSameId(part, element, item));
    return at < 0 || same.splice(at, 1).length === 0;
  });
  const rest = [...byKey.values()].flat();
  const lost = missing.filter((index) => {
    const element = complete(part, desired[index] as object); // as above
    const at = rest.findIndex(
      (item) =>
        hasSameId(part, element, item) &&
        differing(part, { ...element, [part.id ?? ""]: undefined }, complete(part, item), equals).length ===
          0,
    );
    return at < 0 || rest.splice(at, 1).length === 0;
  });
  return { missing: lost, surplus: rest.length };
}

function hasSameId({ id = "" }: Part, desired: JsonObject | object, item: object): boolean {
  const [wanted, actual] = [desired, item].map((element) => (element as JsonObject)[id]);
  return wanted === undefined || comparable(id, wanted) === comparable(id, actual);
}

export function isSameList(
  part: Part,
  desired: readonly object[],
  items: readonly object[],
  equals?: Equals,
): boolean {
  const { missing, surplus } = compareLists(part, desired, items, equals);
  return missing.length === 0 && surplus === 0;
}

/** Returns the issues of a list that the service did not keep as it was sent. */
export function findLost(
  part: Part,
  desired: readonly object[],
  items: readonly object[],
  equals?: Equals,
): Issue[] {
  const { missing, surplus } = compareLists(part, desired, items, equals);
  const issues = missing.map((index) => ({
    path: `${part.name}.${index}`,
    message: "is not in the response as it was sent",
  }));
  if (desired.length !== items.length)
    issues.push({
      path: part.name,
      message: `has ${items.length} elements instead of ${desired.length}`,
    });
  else if (surplus > 0 && issues.length === 0)
    issues.push({ path: part.name, message: `has ${surplus} elements that were not sent` });
  return issues;
}

/** Returns the hash of the properties or elements of a part, in any order. */
export function hashPart(part: Part, value: object): string {
  if (!Array.isArray(value)) return hashJson(pick(part, value));
  const elements = value.map((element: object) => {
    const { [part.id ?? ""]: _, ...values } = complete(part, element);
    return sortedJson(values);
  });
  return hashJson(elements.toSorted());
}
