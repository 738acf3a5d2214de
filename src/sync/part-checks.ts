import { InvalidRequestError, type Issue, loadSchemas, type Store } from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { malformed, otherEntity } from "./errors.ts";
import { copyJson } from "./json.ts";
import { contactPart, type ElementList, type Part, storePart } from "./parts.ts";

/** Rejects a response that is not the whole requested store, because an update sends back what was read. */
export function requireStore(store: Store, externalId: string): Store {
  const label = storePart.label;
  requireId(label, store, externalId);
  const nullable = ["location", "regionId", "storeType"];
  const values: JsonObject = { ...store };
  const missing = ["storeId", ...storePart.sent].filter((name) =>
    nullable.includes(name) ? values[name] === undefined : (values[name] ?? undefined) === undefined,
  );
  if (missing.length > 0)
    throw malformed(
      label,
      missing.map((name) => issue(name, "is missing in the response")),
    );
  return store;
}

/** Rejects a response that is not the whole list of the requested store. */
export function requireList<List extends ElementList<object>>(
  part: Part,
  list: List,
  externalId: string,
): List {
  // the contract allows null for contacts, whatever store they belong to
  if (part !== contactPart || list.externalId !== null) requireId(part.label, list, externalId);
  const items: readonly unknown[] = list.items;
  const required = part.sent.filter((name) => !(name in part.defaults));
  const issues = items.flatMap((item, index) => {
    if (!isObject(item)) return [issue(`items.${index}`, "is not an object")];
    const missing = required.filter((name) => (item[name] ?? undefined) === undefined);
    return missing.map((name) => issue(`items.${index}.${name}`, "is missing in the response"));
  });
  const { nextCursor = null } = list as { nextCursor?: unknown };
  if (nextCursor !== null) issues.push(issue("nextCursor", "names a page with more elements"));
  if (issues.length > 0) throw malformed(part.label, issues);
  return list;
}

/** Rejects a response about another store, such as that of a redirected request. */
export function requireId(label: string, entity: object, externalId: string): void {
  const { externalId: id } = { externalId: undefined, ...entity };
  if (id === externalId) return;
  throw otherEntity(label, "externalId", `is ${JSON.stringify(id)} instead of ${JSON.stringify(externalId)}`);
}

/** Returns the issues of an external ID that has no place in a path. */
export function checkExternalId(externalId: unknown): Issue[] {
  if (typeof externalId !== "string" || ["", ".", ".."].includes(externalId))
    return [issue("externalId", "must be a string other than the empty one, . and ..")];
  return externalId.isWellFormed() ? [] : [issue("externalId", "must be well-formed Unicode")];
}

/** Returns the issues of a body: unknown properties, and what the contract's schema does not allow. */
export async function findIssues(part: Part, value: unknown): Promise<Issue[]> {
  let body: unknown;
  try {
    body = copyJson(value);
  } catch (error) {
    return [issue(part.name, `cannot be written as JSON: ${String(error)}`)];
  }
  const { zStoreUpsert, zContactInput, zExpectationInput, zExpositionInput } = await loadSchemas();
  const schema = {
    store: zStoreUpsert,
    contacts: zContactInput,
    expectations: zExpectationInput,
    expositions: zExpositionInput,
  }[part.name];
  if (part === storePart) return findElementIssues(part, schema, body, "");
  if (!Array.isArray(body)) return [issue(part.name, "must be an array")];
  return body.flatMap((element, index) => findElementIssues(part, schema, element, `${part.name}.${index}.`));
}

/** Rejects bodies that the client would refuse, before anything is sent. */
export async function requireValid(
  label: string,
  parts: readonly (readonly [Part, unknown])[],
): Promise<void> {
  const issues = (await Promise.all(parts.map(([part, value]) => findIssues(part, value)))).flat();
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly format?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly SchemaIssue[] } | undefined };
}

function findElementIssues(part: Part, schema: Schema, element: unknown, prefix: string): Issue[] {
  const names = [...part.sent, ...part.received];
  const unknown = Object.keys(isObject(element) ? element : {}).filter((name) => !names.includes(name));
  const found = schema.safeParse(element).error?.issues ?? [];
  return [
    ...unknown.map((name) => issue(prefix + name, "is not a property of this input")),
    ...found.map((one) => issue(prefix + one.path.map(String).join("."), describe(one))),
  ];
}

function describe({ message, expected, values, format, minimum, maximum }: SchemaIssue): string {
  if (message !== "Invalid input") return message;
  if (Array.isArray(values)) return `must be one of ${values.join(", ")}`;
  if (minimum !== undefined) return `must be at least ${String(minimum as number)}`;
  if (maximum !== undefined) return `must be at most ${String(maximum as number)}`;
  const kind = format ?? expected;
  return typeof kind === "string" ? `must be a valid ${kind}` : "is invalid";
}

function issue(at: string, message: string): Issue {
  return { path: at, message };
}
