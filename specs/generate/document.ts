import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { refuse } from "./refusal.ts";
import { visitObjects } from "./visit.ts";

/** A JSON schema of the specs; other properties are read where they are needed. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | null)[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  description?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema: Schema;
  [extension: string]: unknown;
}

export interface Body {
  $ref?: string;
  content?: Record<string, { schema?: Schema }>;
  headers?: Record<string, { description?: string; schema?: Schema }>;
  [extension: string]: unknown;
}

export interface Operation {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  /** The alternatives, each with the scopes by the name of a security scheme. */
  security?: Record<string, string[]>[];
  "x-gaps"?: string[];
  [extension: string]: unknown;
}

export interface Components {
  schemas: Record<string, Schema>;
  responses?: Record<string, Body>;
  [kind: string]: unknown;
}

export interface Document {
  paths: Record<string, Record<string, Operation | Parameter[]>>;
  components: Components;
  [property: string]: unknown;
}

/** An operation with the parameters of its path, and with all references resolved except those to schemas. */
export interface Endpoint {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The JSON schemas of the responses 200 to 299. */
  responses: Schema[];
  operation: Operation;
}

const methods = ["get", "put", "post", "patch", "delete"];

export function readYaml(file: URL): unknown {
  return parse(readFileSync(file, "utf8"));
}

/** Reads an OpenAPI document. */
export function readDocument(file: URL): Document {
  return readYaml(file) as Document; // the file is linted against the OpenAPI schema
}

/** The object that a local reference points to. */
export function resolve<T extends { $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) return value;
  let target: unknown = document;
  for (const step of value.$ref.replace(/^#\//, "").split("/")) {
    target = (target as Record<string, unknown> | undefined)?.[step];
  }
  if (target === undefined)
    refuse(value, `no part of the document is ${value.$ref}`, "correct the reference");
  // The specs are linted, so the target has the kind that its place asks for.
  return target as T;
}

/** A schema with the keywords of the only part of its `allOf`, where a property has its default. */
export function withOnlyPart({ allOf = [], ...own }: Schema): Schema {
  const [part, ...others] = allOf;
  if (part === undefined) return own;
  return others.length > 0 ? { allOf, ...own } : { ...part, ...own };
}

/** The names of the component schemas that `roots` refer to, directly or through other schemas. */
export function reachableSchemas(document: Document, roots: unknown): Set<string> {
  const names = new Set<string>();
  const follow = (part: Record<string, unknown>): void => {
    if (typeof part["$ref"] !== "string" || !part["$ref"].startsWith("#/components/schemas/")) return;
    const name = schemaName(part);
    if (names.has(name)) return;
    names.add(name);
    visitObjects(document.components.schemas[name], follow);
  };
  visitObjects(roots, follow);
  return names;
}

/** The name of the component schema that a reference points to. */
export function schemaName(schema: { $ref?: string }): string {
  const { $ref = "" } = schema;
  const name = /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1];
  return (
    name ?? refuse(schema, `${$ref} is not a schema of this document`, "refer to #/components/schemas/…")
  );
}

function jsonSchema(document: Document, body: Body | undefined): Schema | undefined {
  return body && resolve(document, body).content?.["application/json"]?.schema;
}

/** Every operation of the document, in its order. */
export function endpoints(document: Document): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const shared = (item["parameters"] ?? []) as Parameter[];
    return methods
      .filter((method) => item[method] !== undefined)
      .map((method) => endpoint(document, { path, method, shared, operation: item[method] as Operation }));
  });
}

function endpoint(
  document: Document,
  place: { path: string; method: string; shared: Parameter[]; operation: Operation },
): Endpoint {
  const { path, method, shared, operation } = place;
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, body]) => jsonSchema(document, body));
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: [...shared, ...(operation.parameters ?? [])].map((one) => resolve(document, one)),
    body: jsonSchema(document, operation.requestBody),
    responses: responses.filter((schema) => schema !== undefined),
    operation,
  };
}
