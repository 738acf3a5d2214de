import type * as z from "zod/mini";
import {
  type CallOptions,
  InvalidRequestError,
  type Issue,
  loadSchemas,
  type StoreApi,
  WriteError,
} from "./clients.ts";
import { issueMessage } from "../wire/schema.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { copyJson } from "./json.ts";
import { type Equals, type PartName, PartValues, partValues } from "./part-values.ts";

export type { Equals, PartName };

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

  constructor({ name, id, sent, defaults }: PartValues, input: ObjectSchema, entity: ObjectSchema) {
    super(name, id, sent, defaults);
    this.received = Object.keys(entity.shape).filter((property) => !sent.includes(property));
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
