import { type JsonObject, objectOf } from "../wire/json.ts";
import { escapeLine } from "../wire/message.ts";
import { omitUndefined } from "../wire/names.ts";
import type { Operation } from "../wire/operation.ts";
import {
  type CallOptions,
  checkBody,
  inputs,
  InvalidRequestError,
  isSameValue,
  type Issue,
  operations,
  type StoreApi,
  WriteError,
} from "./clients.ts";
import { copyJson } from "./json.ts";

/** A part of a store that is read and written with one pair of operations. */
export type PartName = "store" | "contacts" | "expectations" | "expositions";

/**
 * Functions that compare a desired value with that of the service, by the name of the property: `name`,
 * `contacts.phone`. Without one, two values are equal if their JSON is.
 */
export type Equals = Readonly<Record<string, (desired: unknown, actual: unknown) => boolean>>;

/** A resource of a `StoreClient` that reads and writes a part. */
export interface PartResource<Response = object, Body = never> {
  get(externalId: string, options?: CallOptions): PromiseLike<Response>;
  upsert?(externalId: string, body: Body, options?: CallOptions): PromiseLike<Response>;
  replace?(externalId: string, body: Body, options?: CallOptions): PromiseLike<Response>;
}

type InputFacts = Pick<Part, "sent" | "received" | "defaults">;

/** A part of a store, as the contract describes it. Its elements are those of its list, or the store itself. */
export class Part {
  readonly name: PartName;
  /** The property that identifies an element. */
  readonly id: string;
  /** The properties of the input. */
  readonly sent: readonly string[];
  /** The properties that only a response has, and that a change may leave in an element. */
  readonly received: readonly string[];
  /** The values of omitted properties. A response may lack them. */
  readonly defaults: Readonly<JsonObject>;
  /** The properties that may be null. */
  readonly #nullable: readonly string[];
  readonly #write: Operation;

  constructor(name: PartName, id: string, write: Operation, { sent, received, defaults }: InputFacts) {
    this.name = name;
    this.id = id;
    this.#write = write;
    this.sent = sent;
    // a store refuses what only a response has
    this.received = name === "store" ? [] : received;
    // a store is read before it is written: an omitted property keeps its value
    this.defaults = name === "store" ? {} : defaults;
    this.#nullable = Object.keys(defaults);
  }

  /** The label of its write, for messages. */
  get label(): string {
    return `PUT ${this.#write.path}`;
  }

  get isStore(): boolean {
    return this.name === "store";
  }

  /** Returns the present properties that the contract names for the input, in its order. */
  pick(source: object): JsonObject {
    const values: JsonObject = { ...source };
    const names = this.sent.filter((name) => values[name] !== undefined);
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  }

  /** Returns these properties with the values of those that are absent. */
  complete(element: object): JsonObject {
    return this.pick({ ...this.defaults, ...omitUndefined(element) });
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

  /**
   * Returns the desired elements that a list does not have, and the elements of the list that are left, in any order. Each
   * desired element needs a separate one with the same values and, if it has an ID, with that ID.
   */
  match(desired: readonly object[], items: readonly object[], equals?: Equals) {
    const left = items.map((item) => this.complete(item));
    const lost = desired
      .map((element, index) => ({ element: this.complete(element), index }))
      .filter(({ element }) => {
        const place = left.findIndex((item) => this.findDiffering(element, item, equals).length === 0);
        if (place >= 0) left.splice(place, 1);
        return place < 0;
      });
    return { lost, left };
  }

  /** Returns the issues of what a response does not show as it was desired. */
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

  /** Whether two lists have the same elements, in any order. */
  isSame(desired: readonly object[], items: readonly object[], equals?: Equals): boolean {
    const { lost, left } = this.match(desired, items, equals);
    return lost.length === 0 && left.length === 0;
  }

  /** Returns the paths of what another program has changed. */
  findChanges(expected: readonly object[], now: readonly object[], equals?: Equals): string[] {
    if (!this.isStore) return this.isSame(expected, now, equals) ? [] : [this.name];
    const names = this.findDiffering(expected[0] ?? {}, now[0] ?? {}, equals);
    return names.filter((name) => name === this.id || this.sent.includes(name));
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
      value === undefined ? !(name in this.defaults) : value === null && !this.#nullable.includes(name);
    const issues = elements.flatMap((element, index) => {
      const missing = required.filter((name) => isMissing(name, objectOf(element)[name]));
      const prefix = this.isStore ? "" : `items.${index}.`;
      return missing.map((name) => ({ path: prefix + name, message: "is missing in the response" }));
    });
    if (issues.length === 0) return elements;
    throw new WriteError(this.label, "malformed", "not sent: the response is not a whole entity", issues);
  }

  /** Returns the issues of a body: unknown properties, and what the contract's schema does not allow. */
  async findIssues(value: unknown): Promise<Issue[]> {
    const body = copyJson(this.isStore ? value : { [this.name]: value });
    const known = new Set([...this.sent, ...this.received]);
    const elements = this.isStore ? [body] : [objectOf(body)[this.name]].flat();
    const unknown = elements.flatMap((element, index) => {
      const names = Object.keys(objectOf(element)).filter((name) => !known.has(name));
      const prefix = this.isStore ? "" : `${this.name}.${index}.`;
      return names.map((name) => ({ path: prefix + name, message: "is not a property of this input" }));
    });
    return [...unknown, ...(await checkBody(this.#write, body))];
  }
}

/** The parts of a store, in the order in which they are written. */
export const parts: Readonly<Record<PartName, Part>> = {
  store: new Part("store", "storeId", operations.putStore, inputs.storeUpsert),
  contacts: new Part("contacts", "contactId", operations.putContacts, inputs.contactInput),
  expectations: new Part(
    "expectations",
    "expectationId",
    operations.putExpectations,
    inputs.expectationInput,
  ),
  expositions: new Part("expositions", "expositionId", operations.putExpositions, inputs.expositionInput),
};

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
  if (!hidden.test(id)) return [];
  const message = `has a blank at an end, or a character that nobody sees: ${escapeHidden(JSON.stringify(id))}`;
  return [{ path: "externalId", message }];
}

/** Escapes what nobody can see: also blanks that are not the usual one. */
export function escapeHidden(text: string): string {
  return escapeLine(text).replaceAll(
    /(?! )\p{Zs}/gu,
    (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Rejects what the client would refuse, before anything is sent. */
export function refuse(label: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}
