import { type api, formOf, isSameValue, type Issue } from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import { sortedJson, withoutUndefined } from "./json.ts";

/** A part of a store that is read and written with one pair of operations. */
export type PartName = "store" | "contacts" | "expectations" | "expositions";

/**
 * Functions that compare a desired value with that of the service, by the name of the property: `name`,
 * `contacts.phone`. Without one, two values are equal if their JSON is.
 */
export type Equals = Readonly<Record<string, (desired: unknown, actual: unknown) => boolean>>;

/** The values of a part of a store. Its elements are those of its list, or the store itself. */
export class PartValues {
  readonly name: PartName;
  /** The property that identifies an element. */
  readonly id: string;
  /** The properties of the input. */
  readonly sent: readonly string[];
  /** The values of omitted properties. A response may lack them. */
  readonly defaults: JsonObject;

  constructor(name: PartName, id: string, sent: readonly string[], defaults: JsonObject) {
    this.name = name;
    this.id = id;
    this.sent = sent;
    this.defaults = defaults;
  }

  /** The label of its write, for messages. */
  get label(): string {
    return `PUT /v1/stores/{externalId}${this.isStore ? "" : `/${this.name}`}`;
  }

  get isStore(): boolean {
    return this.name === "store";
  }

  /** Returns the present properties that the contract names for the input. */
  pick(source: object): JsonObject {
    const present = Object.entries(source).filter(([name]) => this.sent.includes(name));
    return withoutUndefined(Object.fromEntries(present));
  }

  /** Returns these properties with the values of those that are absent. */
  complete(element: object): JsonObject {
    return { ...this.defaults, ...this.pick(element) };
  }

  /** Returns the properties of the first object whose values the second one does not have. */
  findDiffering(desired: object, actual: object, equals: Equals = {}): string[] {
    const values: JsonObject = { ...actual };
    const prefix = this.isStore ? "" : `${this.name}.`;
    return Object.entries(desired)
      .filter(([name, value]) => !isSameValue(name, value, values[name]))
      .filter(([name, value]) => equals[prefix + name]?.(value, values[name]) !== true)
      .map(([name]) => name);
  }

  /** Returns the text of an element without its ID, for comparisons. */
  #keyOf(element: object): string {
    const { [this.id]: _, ...values } = this.complete(element);
    const forms = Object.entries(values).map(([name, value]) => [name, formOf(name, value)]);
    return sortedJson(Object.fromEntries(forms));
  }

  /**
   * Returns the issues of the desired elements that a part does not have, in any order. Each needs a separate element with the
   * same values and, if it has an ID, with that ID.
   */
  findLost(desired: readonly object[], items: readonly object[], equals?: Equals): Issue[] {
    if (this.isStore)
      return this.findDiffering(desired[0] ?? {}, items[0] ?? {}, equals).map((path) => ({
        path,
        message: "has another value",
      }));
    return this.match(desired, items, equals).lost.map(({ element, index }) => {
      const { [this.id]: id = index } = element;
      return { path: `${this.name}.${id as string}`, message: "is not in the response as it was sent" };
    });
  }

  /** Returns the desired elements without an equal one of the list, and the elements of the list that are left. */
  match(desired: readonly object[], items: readonly object[], equals?: Equals) {
    const byKey = Map.groupBy(items, (item) => this.#keyOf(item));
    const takeEqual = (candidates: object[], element: object): boolean =>
      take(candidates, (item) => this.findDiffering(element, this.complete(item), equals).length === 0);
    const elements = desired.map((element, index) => ({ element: this.complete(element), index }));
    // each of many is not compared with all of them
    const unequal = elements.filter(
      ({ element }) => !takeEqual(byKey.get(this.#keyOf(element)) ?? [], element),
    );
    const left = [...byKey.values()].flat();
    const lost = unequal.filter(({ element }) => !takeEqual(left, element));
    return { lost, left };
  }

  /** Whether two lists have the same elements, in any order. */
  isSame(desired: readonly object[], items: readonly object[], equals?: Equals): boolean {
    return desired.length === items.length && this.findLost(desired, items, equals).length === 0;
  }

  /** Returns the paths of what another program has changed. */
  findChanges(expected: readonly object[], now: readonly object[], equals?: Equals): string[] {
    if (!this.isStore) return this.isSame(expected, now, equals) ? [] : [this.name];
    const names = this.findDiffering(expected[0] ?? {}, now[0] ?? {}, equals);
    return names.filter((name) => name === this.id || this.sent.includes(name));
  }
}

/** Removes the first candidate that fits; returns whether there is one. */
function take(candidates: object[], fits: (item: object) => boolean): boolean {
  const index = candidates.findIndex(fits);
  if (index >= 0) candidates.splice(index, 1);
  return index >= 0;
}

/** Returns the names of the properties of an input; the compiler names a missing one. */
function namesOf<Input>(properties: Record<Exclude<keyof Input, "externalId">, "sent">): readonly string[] {
  return Object.keys(properties);
}

const storeNames = namesOf<api.StoreUpsert>({
  name: "sent",
  location: "sent",
  regionId: "sent",
  storeType: "sent",
  openingTimes: "sent",
  protocolScheduleId: "sent",
  protocolCronEnabled: "sent",
  onboardingComplete: "sent",
  loginCode: "sent",
});
const contactNames = namesOf<api.ContactInput>({
  contactType: "sent",
  name: "sent",
  phone: "sent",
  email: "sent",
  hasWhatsapp: "sent",
});
const expectationNames = namesOf<api.ExpectationInput>({
  productCategory: "sent",
  displayType: "sent",
  weekday: "sent",
  protocolTime: "sent",
  expectedFillRatio: "sent",
});
const expositionNames = namesOf<api.ExpositionInput>({
  expositionId: "sent",
  label: "sent",
  friendlyTitle: "sent",
  productCategories: "sent",
  expositionType: "sent",
  status: "sent",
});

/** The values of all parts, in the order in which they are written. */
export const partValues: Readonly<Record<PartName, PartValues>> = {
  store: new PartValues("store", "storeId", storeNames, {}),
  contacts: new PartValues("contacts", "contactId", contactNames, {
    contactType: "store",
    email: null,
    hasWhatsapp: false,
  }),
  expectations: new PartValues("expectations", "expectationId", expectationNames, { productCategory: null }),
  expositions: new PartValues("expositions", "expositionId", expositionNames, {
    friendlyTitle: null,
    status: "active",
  }),
};
