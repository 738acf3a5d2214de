import { type Document, endpoints, type Schema, schemaName } from "./document.ts";
import { refuse } from "./refusal.ts";
import { visitObjects } from "./visit.ts";

function open(document: Document, object: Record<string, unknown>): void {
  const { $ref } = object as Schema;
  if (Array.isArray(object["enum"])) {
    refuse(
      object,
      `an enum in a body without a name: ${object["enum"].join(", ")}`,
      "make it a schema of components",
    );
  }
  if ($ref === undefined || !$ref.startsWith("#/components/schemas/")) return;
  const name = schemaName(object);
  const target = document.components.schemas[name];
  if (target?.enum === undefined) return;
  delete object["$ref"];
  object["type"] = target.type;
}

/**
 * Removes the values of enums from the bodies of a document. A value that a later server adds must not break a running
 * integration, and what a server returned can be sent back. Query parameters stay bound.
 */
export function openBodies(document: Document): void {
  const { schemas, responses, requestBodies } = document.components;
  for (const schema of Object.values(schemas)) {
    if (schema.enum === undefined) visitObjects(schema, (object) => open(document, object));
  }
  visitObjects([responses, requestBodies], (object) => open(document, object));
  for (const { operation } of endpoints(document)) {
    visitObjects([operation.responses, operation.requestBody], (object) => open(document, object));
  }
}
