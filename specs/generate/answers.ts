import { type Document, endpoints, type Schema, schemaName } from "./document.ts";

type Json = Record<string, unknown>;

/** Calls `visit` for each object below `value`, itself first. */
function walk(value: unknown, visit: (object: Json) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(value as Json);
  for (const member of Object.values(value)) walk(member, visit);
}

/** The component schemas that `roots` reach. */
function reached(document: Document, roots: unknown): Set<string> {
  const names = new Set<string>();
  const follow = (object: Json): void => {
    const { $ref } = object;
    if (typeof $ref !== "string" || !$ref.startsWith("#/components/schemas/")) return;
    const name = schemaName($ref);
    if (names.has(name)) return;
    names.add(name);
    walk(document.components.schemas[name], follow);
  };
  walk(roots, follow);
  return names;
}

/** The schemas that no request can carry. */
export function answerSchemas(document: Document): Set<string> {
  const sent = endpoints(document).map(({ parameters, body }) => [parameters, body]);
  const inputs = reached(document, sent);
  return new Set(Object.keys(document.components.schemas).filter((name) => !inputs.has(name)));
}

function open(document: Document, object: Json): void {
  const { $ref } = object as Schema;
  if (Array.isArray(object["enum"])) {
    throw new Error(`an enum of an answer needs a name: ${object["enum"].join(", ")}`);
  }
  if ($ref === undefined || !$ref.startsWith("#/components/schemas/")) return;
  const target = document.components.schemas[schemaName($ref)];
  if (target?.enum === undefined) return;
  delete object["$ref"];
  object["type"] = target.type;
  object["x-open-enum"] = schemaName($ref);
}

/**
 * A copy in which no answer is bound to the values of an enum: a value that a later server adds must not
 * break a running integration. What a caller sends stays closed.
 */
export function openAnswers(source: Document): Document {
  const document = structuredClone(source);
  const { schemas, responses } = document.components;
  for (const name of answerSchemas(document)) {
    const schema = schemas[name];
    if (schema?.enum === undefined) walk(schema, (object) => open(document, object));
  }
  walk(responses, (object) => open(document, object));
  for (const { operation } of endpoints(document))
    walk(operation.responses, (object) => open(document, object));
  return document;
}
