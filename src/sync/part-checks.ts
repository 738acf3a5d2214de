import { type api, InvalidRequestError, type Issue, loadSchemas, WriteError } from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { copyJson } from "./json.ts";
import { type ElementList, labelOf, type Part, storePart } from "./parts.ts";

/** Rejects a response that is not the whole requested store, because an update sends back what was read. */
export function requireStore(store: api.Store, externalId: string): api.Store {
  requireId(storePart, store, externalId);
  const values: JsonObject = { ...store };
  const nullable = new Set(["location", "regionId", "storeType"]);
  const isMissing = (name: string): boolean =>
    (values[name] ?? (nullable.has(name) ? values[name] : undefined)) === undefined;
  requireWhole(storePart, ["storeId", ...storePart.sent].filter(isMissing));
  return store;
}

/** Rejects a response that is not the whole list of the requested store. */
export function requireList<List extends ElementList>(part: Part, list: List, externalId: string): List {
  // the contract allows null for contacts, whatever store they belong to
  if (part.name !== "contacts" || list.externalId !== null) requireId(part, list, externalId);
  const required = part.sent.filter((name) => !(name in part.defaults));
  const missing = list.items.flatMap((item, index) =>
    required
      .filter((name) => ((item as JsonObject)[name] ?? null) === null)
      .map((name) => `items.${index}.${name}`),
  );
  requireWhole(part, missing);
  return list;
}

function requireWhole(part: Part, missing: readonly string[]): void {
  const issues = missing.map((path) => ({ path, message: "is missing in the response" }));
  if (issues.length > 0)
    throw new WriteError(labelOf(part), "malformed", "not sent: the response is not a whole entity", issues);
}

/** Rejects a response about another store, such as that of a redirected request. */
export function requireId(part: Part, entity: object, externalId: string): void {
  const { externalId: id } = { externalId: undefined, ...entity };
  const message = `is ${JSON.stringify(id)} instead of ${JSON.stringify(externalId)}`;
  if (id !== externalId) throw otherStore(part, "externalId", message);
}

export function otherStore(part: Part, path: string, message: string): WriteError {
  return new WriteError(labelOf(part), "other-entity", "the response is about another store", [
    { path, message },
  ]);
}

/** Returns the issues of an external ID that has no place in a path. */
export function checkExternalId(externalId: unknown): Issue[] {
  const isValid =
    typeof externalId === "string" && !["", ".", ".."].includes(externalId) && externalId.isWellFormed();
  return isValid
    ? []
    : [{ path: "externalId", message: "must be a string other than the empty one, . and .." }];
}

/** Returns the issues of a body: unknown properties, and what the contract's schema does not allow. */
export async function findIssues(part: Part, value: unknown): Promise<Issue[]> {
  const { zStoreUpsert, zContactInput, zExpectationInput, zExpositionInput } = await loadSchemas();
  const schema: Schema = {
    store: zStoreUpsert,
    contacts: zContactInput,
    expectations: zExpectationInput,
    expositions: zExpositionInput,
  }[part.name];
  const body = copyJson(value);
  if (part === storePart) return findElementIssues(part, schema, body, "");
  if (!Array.isArray(body)) return [{ path: part.name, message: "must be an array" }];
  return body.flatMap((element, index) => findElementIssues(part, schema, element, `${part.name}.${index}.`));
}

interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly SchemaIssue[] } | undefined };
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly format?: string;
}

function findElementIssues(part: Part, schema: Schema, element: unknown, prefix: string): Issue[] {
  const names = new Set([...part.sent, ...(part === storePart ? [] : part.received)]);
  const unknown = Object.keys(isObject(element) ? element : {}).filter((name) => !names.has(name));
  const found = schema.safeParse(element).error?.issues ?? [];
  return [
    ...unknown.map((name) => ({ path: prefix + name, message: "is not a property of this input" })),
    ...found.map(({ path, message, format, expected }) => ({
      path: prefix + path.map(String).join("."),
      message: message === "Invalid input" ? `must be a valid ${format ?? expected ?? "value"}` : message,
    })),
  ];
}

/** Rejects what the client would refuse, before anything is sent. */
export function refuse(label: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}
