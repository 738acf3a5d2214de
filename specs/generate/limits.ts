import { type Document, endpoints, type Schema, withOnlyPart } from "./document.ts";
import { comment } from "./prose.ts";

const bounds = ["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern"];

/** The bounds of a schema, and its default; undefined if it has no bounds. */
function limits(given: Schema): Record<string, unknown> | undefined {
  const schema = withOnlyPart(given);
  const found = [...bounds, "default"]
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => [keyword, schema[keyword]]);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as Record<string, unknown>);
}

function limited(entries: [string, Schema][]): [string, unknown][] {
  return entries
    .map(([name, schema]): [string, unknown] => [name, limits(schema)])
    .filter(([, found]) => found !== undefined);
}

/** A constant with the limits of each group; nothing where no group has one. */
function table(name: string, doc: string, groups: [string, [string, unknown][]][]): string {
  const rows = groups
    .filter(([, properties]) => properties.length > 0)
    .map(([group, properties]) => `${group}: ${JSON.stringify(Object.fromEntries(properties))},`);
  return rows.length === 0 ? "" : `${comment(doc)}export const ${name} = {${rows.join("\n")}} as const;\n`;
}

/** The bounds and defaults of body properties by schema, and those of query parameters by operation. */
export function limitsModule(api: "store" | "fleet", document: Document): string {
  const bodies = Object.entries(document.components.schemas).map(
    ([name, schema]): [string, [string, unknown][]] => [
      name,
      limited(Object.entries(schema.properties ?? {})),
    ],
  );
  const queries = endpoints(document).map((endpoint): [string, [string, unknown][]] => {
    const parameters = endpoint.parameters.filter(({ in: place }) => place === "query");
    return [endpoint.id, limited(parameters.map(({ name, schema }) => [name, schema]))];
  });
  return [
    table(`${api}BodyLimits`, "The bounds and defaults of the properties of each schema.", bodies),
    table(`${api}QueryLimits`, "The bounds and defaults of the query parameters of each operation.", queries),
  ].join("\n");
}
