import { type Document, type Endpoint, resolve, type Schema } from "./document.ts";
import { refuse } from "./refusal.ts";

/** The kind of a successful response, by which a client reads it, as `src/wire/operation.ts` describes it. */
export type ResponseKind =
  | "entity"
  | "items"
  | "cursor-page"
  | "detail"
  | "object"
  | "data"
  | "numbered-page"
  | "deleted";

/** The properties of a schema, those of the schemas that it extends included. */
function properties(document: Document, schema: Schema): Record<string, Schema> {
  const own = resolve(document, schema);
  const bases = (own.allOf ?? []).map((base) => properties(document, base));
  return Object.assign({}, ...bases, own.properties) as Record<string, Schema>;
}

function isArray(document: Document, schema: Schema | undefined): boolean {
  return schema !== undefined && resolve(document, schema).type === "array";
}

/** Derives the kind of response from the method and from the schema of the success response. */
export function responseKind(document: Document, endpoint: Endpoint): ResponseKind {
  if (endpoint.method === "DELETE") return "deleted";
  const [schema] = endpoint.responses;
  if (schema === undefined)
    refuse(
      endpoint.operation,
      `${endpoint.id} has no response with a schema`,
      "write a JSON schema for its success",
    );
  const { items, nextCursor, images, data, ...others } = properties(document, schema);
  if (data !== undefined) return isArray(document, data) ? "numbered-page" : "data";
  if (isArray(document, items)) return nextCursor === undefined ? "items" : "cursor-page";
  if (isArray(document, images)) return "detail";
  return Object.keys(others).length === 0 ? "object" : "entity";
}
