import { type Document, endpoints, resolve, type Schema } from "../generate/document.ts";

/** One thing that a document fixes about an operation, such as `query limit` · `maximum` · 100. */
export interface Fact {
  side: "operation" | "request" | "response";
  /** Where it holds: `path vehicleId`, `query limit`, `body.contacts[].name`, `200.items[].status`. */
  place: string;
  keyword: string;
  value: unknown;
}

/** The facts of one operation. A key contains the value only where the keyword has a set of values. */
export type Facts = Map<string, Fact>;

const bounds = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"];
const scalars = [...bounds, "format", "default", "const", "deprecated", "x-comma-separated"];
const sets = { type: "type", enum: "value", "x-known-values": "known value" };
const operationSets = { "x-item-id": "item ID", "x-retry-gaps": "retry gap", "x-gaps": "gap" };

type Add = (place: string, keyword: string, values: unknown, isSet?: boolean) => void;

function adder(facts: Facts, side: Fact["side"]): Add {
  return (place, keyword, values, isSet = false) => {
    for (const value of [values].flat()) {
      if (value === undefined) continue;
      const key = `${side} ${place} ${keyword}${isSet ? ` ${JSON.stringify(value)}` : ""}`;
      facts.set(key, { side, place, keyword, value });
    }
  };
}

/** Adds the facts of a schema and of everything in it. `above` has the references that lead here. */
function addSchema(document: Document, add: Add, place: string, schema: Schema, above: string[] = []): void {
  const { $ref, ...own } = schema;
  if ($ref !== undefined && above.includes($ref)) return;
  const follow = (to: string, part: Schema): void =>
    addSchema(document, add, to, part, $ref === undefined ? above : [...above, $ref]);
  if ($ref !== undefined) follow(place, resolve(document, { $ref }));
  for (const keyword of scalars) add(place, keyword, own[keyword]);
  for (const [keyword, name] of Object.entries(sets)) add(place, name, own[keyword], true);
  add(place, "only listed values", own.enum === undefined ? undefined : true);
  add(place, "only listed properties", own.additionalProperties === false ? true : undefined);
  for (const part of [own.anyOf, own.oneOf, own.allOf].flat()) if (part !== undefined) follow(place, part);
  for (const name of own.required ?? []) add(`${place}.${name}`, "required", true);
  for (const [name, property] of Object.entries(own.properties ?? {})) {
    add(`${place}.${name}`, "present", true);
    follow(`${place}.${name}`, property);
  }
  if (own.items !== undefined) follow(`${place}[]`, own.items);
}

/** The ID of the facts that belong to no single operation. */
export const wholeApi = "the whole API";

function documentFacts(document: Document): Facts {
  const facts: Facts = new Map();
  const add = adder(facts, "operation");
  const { info, servers, webhooks } = document as {
    info?: { version?: string };
    servers?: { url: string }[];
    webhooks?: object;
  };
  add("", "version", info?.version);
  add(
    "",
    "server",
    servers?.map(({ url }) => url),
    true,
  );
  add("", "webhook", Object.keys(webhooks ?? {}), true);
  add("", "gap", document["x-gaps"], true);
  for (const [name, scheme] of Object.entries(document.components["securitySchemes"] ?? {}))
    for (const keyword of ["type", "scheme", "in", "name", "bearerFormat"])
      add(`authentication ${name}`, keyword, (scheme as Record<string, unknown>)[keyword]);
  return facts;
}

/** With the rule `all` a call needs the scopes of the table; otherwise one of the table and the prose may suffice. */
function addScopes(add: Add, scopes: Record<string, unknown>): void {
  add("", "scope rule", scopes["rule"]);
  if (scopes["rule"] === "all") add("", "needed scope", scopes["table"], true);
  else add("", "sufficient scope", [scopes["table"], scopes["prose"]].flat(), true);
}

/** The facts of a document and of each of its operations, by the operation's ID. */
export function readFacts(document: Document): Map<string, Facts> {
  const rows = endpoints(document).map(({ id, method, path, parameters, body, operation }) => {
    const facts: Facts = new Map();
    const [add, addRequest, addResponse] = (["operation", "request", "response"] as const).map((side) =>
      adder(facts, side),
    ) as [Add, Add, Add]; // one for each side
    add("", "request", `${method} ${path}`);
    add("", "method", operation["x-method"]);
    for (const [keyword, name] of Object.entries(operationSets)) add("", name, operation[keyword], true);
    const scopes = (operation["x-scopes"] ?? {}) as Record<string, unknown>;
    addScopes(add, scopes);
    add("", "deprecated", operation["deprecated"]);
    for (const { in: kind, name, required, schema } of parameters) {
      addRequest(`${kind} ${name}`, "present", true);
      addRequest(`${kind} ${name}`, "required", required === true ? true : undefined);
      addSchema(document, addRequest, `${kind} ${name}`, schema);
    }
    if (body !== undefined) addRequest("body", "present", true);
    if (body !== undefined) addRequest("body", "required", operation.requestBody?.["required"]);
    if (body !== undefined) addSchema(document, addRequest, "body", body);
    for (const [status, reference] of Object.entries(operation.responses)) {
      const response = resolve(document, reference);
      addResponse(status, "present", true);
      addResponse(status, "error code", response["x-error-code"]);
      for (const [name, { description, schema = {} }] of Object.entries(response.headers ?? {})) {
        const place = `${status} header ${name}`;
        addResponse(place, "present", true);
        addResponse(place, "description", description); // the unit of a number is nowhere else
        addSchema(document, addResponse, place, schema);
      }
      const schema = response.content?.["application/json"]?.schema;
      if (schema !== undefined) addSchema(document, addResponse, status, schema);
    }
    return [id, facts] as const;
  });
  return new Map([[wholeApi, documentFacts(document)], ...rows]);
}
