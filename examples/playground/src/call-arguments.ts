import type { Parameter } from "../build/operation.ts";
import type { Operation } from "./operations.ts";

/** The input of an operation's form as strings. */
export interface Draft {
  values: Record<string, string>;
  body: string;
}

/** Returns the arguments of the client's method: path IDs, then the query or the body. */
export function argumentsOf(operation: Operation, draft: Draft): unknown[] {
  const ids = pathNames(operation).map((name) => draft.values[name] ?? "");
  if (operation.body !== null) return [...ids, JSON.parse(draft.body)];
  const query = queryOf(operation, draft);
  const names = operation.parameters.filter((parameter) => parameter.in === "query");
  if (names.length === 0 || (Object.keys(query).length === 0 && !names.some(({ required }) => required)))
    return ids;
  return [...ids, query];
}

/** Returns the names of the IDs in the order of the path. */
export function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function queryOf(operation: Operation, { values }: Draft): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    const text = values[parameter.name] ?? "";
    if (parameter.in === "path" || text === "") continue;
    query[clientName(parameter)] = parameter.isList
      ? text.split(",").map((part) => part.trim())
      : typed(parameter.type, text);
  }
  return query;
}

/** The client's names of the query parameters of the gaps templates.group-filter and templates.title-filter. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  "templates.group-filter": "vehicleGroup",
  "templates.title-filter": "title",
};

/** The name of a parameter in the client. */
export function clientName({ name, nameGap }: Parameter): string {
  return CLIENT_NAMES[nameGap] ?? name;
}

/** Converts numbers and booleans. Other input stays a string, which the client rejects with an error. */
function typed(type: string, text: string): unknown {
  if (type === "boolean") return text === "true";
  const number = type === "integer" || type === "number" ? Number(text) : Number.NaN;
  return Number.isNaN(number) ? text : number;
}

/** Returns why a body cannot be sent, or undefined if it is valid JSON. */
export function bodyFault(operation: Operation, { body }: Draft): string | undefined {
  if (operation.body === null) return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body must be JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
