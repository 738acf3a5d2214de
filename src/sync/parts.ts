import type * as z from "zod/mini";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { issueMessage } from "../wire/schema.ts";
import {
  type CallOptions,
  inputs,
  formOf,
  InvalidRequestError,
  isSameValue,
  type Issue,
  loadSchemas,
  type StoreApi,
  WriteError,
} from "./clients.ts";
import { copyJson, sortedJson, withoutUndefined } from "./json.ts";

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
  readonly defaults: Readonly<JsonObject>;

  constructor(name: PartName, id: string, { sent, defaults }: Pick<PartValues, "sent" | "defaults">) {
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

/** The values of all parts, in the order in which they are written. */
export const partValues: Readonly<Record<PartName, PartValues>> = {
  // a store is read before it is written: an omitted property keeps its value
  store: new PartValues("store", "storeId", { ...inputs.storeUpsert, defaults: {} }),
  contacts: new PartValues("contacts", "contactId", inputs.contactInput),
  expectations: new PartValues("expectations", "expectationId", inputs.expectationInput),
  expositions: new PartValues("expositions", "expositionId", inputs.expositionInput),
};

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

/** A resource of a `StoreClient` that reads and writes a part. */
export interface PartResource {
  get(externalId: string, options?: CallOptions): PromiseLike<object>;
  upsert?(externalId: string, body: never, options?: CallOptions): PromiseLike<object>;
  replace?(externalId: string, body: never, options?: CallOptions): PromiseLike<object>;
}

/** A part of a store, as the contract describes it. */
export class Part extends PartValues {
  /** The properties that only a response has. */
  readonly received: readonly string[];
  readonly #input: ObjectSchema;
  readonly #entity: ObjectSchema;

  constructor(values: PartValues, input: ObjectSchema, entity: ObjectSchema) {
    super(values.name, values.id, values);
    this.received = Object.keys(entity.shape).filter((property) => !values.sent.includes(property));
    this.#input = input;
    this.#entity = entity;
  }

  /**
   * Returns the elements of a response.
   * @throws {WriteError} if it is about another store, such as that of a redirected request
   */
  elementsOf(response: object, externalIds: readonly unknown[]): JsonObject[] {
    const { externalId, items } = objectOf(response);
    // the contract allows null for contacts, whatever store they belong to
    if (!externalIds.includes(externalId) && !(this.name === "contacts" && externalId === null)) {
      const message = `is ${JSON.stringify(externalId)} instead of ${JSON.stringify(externalIds[0])}`;
      const issues = [{ path: "externalId", message }];
      throw new WriteError(this.label, "other-entity", "the response is about another store", issues);
    }
    return this.isStore ? [objectOf(response)] : (items as JsonObject[]); // the client has checked that it is an array
  }

  /** Reads the elements of a part. They must be whole, because a write sends back what was read. */
  async read(resource: PartResource, externalId: string, call: CallOptions): Promise<JsonObject[]> {
    return this.requireWhole(this.elementsOf(await resource.get(externalId, call), [externalId]));
  }

  /** Rejects elements that lack a property, or have a null that the contract does not allow. */
  requireWhole(elements: JsonObject[]): JsonObject[] {
    const required = this.isStore ? [this.id, ...this.sent] : this.sent;
    const isMissing = (name: string, value: unknown): boolean =>
      !(name in this.defaults) &&
      (value ?? null) === null &&
      this.#entity.shape[name]?.safeParse(value).error !== undefined;
    const paths = elements.flatMap((element, index) =>
      required
        .filter((name) => isMissing(name, objectOf(element)[name]))
        .map((name) => (this.isStore ? name : `items.${index}.${name}`)),
    );
    if (paths.length === 0) return elements;
    const issues = paths.map((path) => ({ path, message: "is missing in the response" }));
    throw new WriteError(this.label, "malformed", "not sent: the response is not a whole entity", issues);
  }

  /** Returns the issues of a body: unknown properties, and what the contract's schema does not allow. */
  findIssues(value: unknown): Issue[] {
    const body = copyJson(value);
    if (this.isStore) return this.#findElementIssues(body, "");
    if (!Array.isArray(body)) return [{ path: this.name, message: "must be an array" }];
    return body.flatMap((element, index) => this.#findElementIssues(element, `${this.name}.${index}.`));
  }

  #findElementIssues(element: unknown, prefix: string): Issue[] {
    const known = this.isStore ? this.sent : [...this.sent, ...this.received];
    const unknown = Object.keys(isObject(element) ? element : {}).filter((name) => !known.includes(name));
    const found = this.#input.safeParse(element).error?.issues ?? [];
    return [
      ...unknown.map((name) => ({ path: prefix + name, message: "is not a property of this input" })),
      ...found.map((issue) => ({
        path: prefix + issue.path.map(String).join("."),
        message: issueMessage(issue, element),
      })),
    ];
  }
}

/** The parts of a store, in the order in which they are written. */
export type Parts = Readonly<Record<PartName, Part>>;

/** Returns the parts of a store. Loads the schemas, as a request with a body does. */
export async function loadParts(): Promise<Parts> {
  const z = await loadSchemas();
  const { store, contacts, expectations, expositions } = partValues;
  return {
    store: new Part(store, z.zStoreUpsert, z.zStore),
    contacts: new Part(contacts, z.zContactInput, z.zContact),
    expectations: new Part(expectations, z.zExpectationInput, z.zExpectation),
    expositions: new Part(expositions, z.zExpositionInput, z.zExposition),
  };
}

/** Returns the resource of a part. */
export function resourceOf(store: StoreApi, { name }: Part): PartResource {
  return name === "store" ? store.stores : store[name];
}

/** Returns the issues of an external ID that has no place in a path. */
export function checkExternalId(id: unknown): Issue[] {
  if (typeof id === "string" && !["", ".", ".."].includes(id) && id.isWellFormed()) return [];
  return [{ path: "externalId", message: "must be a string other than the empty one, . and .." }];
}

/** White space at an end, and control and format characters anywhere: a person cannot see them. */
const hidden = /^\s|\s$|\p{Cc}|\p{Cf}/u;

/** Returns the issue of an external ID with a character that nobody sees: it would be that of another store. */
export function checkHiddenCharacters(id: string): Issue[] {
  const [character] = hidden.exec(id) ?? [];
  if (character === undefined) return [];
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const blank = id.startsWith(" ") ? "a blank at its beginning" : "a blank at its end";
  const what = character === " " ? blank : `the invisible character U+${code}`;
  return [{ path: "externalId", message: `has ${what}: ${JSON.stringify(id)}` }];
}

/** Rejects what the client would refuse, before anything is sent. */
export function refuse(label: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}
