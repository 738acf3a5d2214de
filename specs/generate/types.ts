import openapiTypescript, { astToString } from "openapi-typescript";
import { type Document, endpoints, reachableSchemas, resolve, type Schema } from "./document.ts";
import { comment } from "./prose.ts";

const NAMES = `
/* The schemas by name. An interface keeps its name in the hovers of an editor. */

type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Optional properties may also be undefined, so that what was read can be written under \`exactOptionalPropertyTypes\`. */
type Input<Body> = { [Name in keyof Body]: object extends Pick<Body, Name> ? Body[Name] | undefined : Body[Name] };
`;

/** Whether a schema describes an object. */
function isObject(document: Document, schema: Schema): boolean {
  const { type, allOf = [] } = resolve(document, schema);
  return type === "object" || allOf.some((part) => isObject(document, part));
}

/** The names of the schemas of request bodies, also those of their parts, with an optional property. */
function inputNames(document: Document): string[] {
  const { schemas } = document.components;
  const bodies = reachableSchemas(
    document,
    endpoints(document).map(({ body }) => body),
  );
  return [...bodies].filter((name) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    return Object.keys(properties).some((property) => !required.includes(property));
  });
}

/** A type with the name of each schema. */
function namedTypes(document: Document): string[] {
  const inputs = inputNames(document);
  return Object.entries(document.components.schemas).map(([name, schema]) => {
    const type = inputs.includes(name) ? `Input<Schema<"${name}">>` : `Schema<"${name}">`;
    const declaration = isObject(document, schema)
      ? `export interface ${name} extends ${type} {}`
      : `export type ${name} = ${type};`;
    return `${comment(schema.description)}${declaration}\n`;
  });
}

/** The list of the types that users can import: each schema of the document, and its paths. */
export function typeNamesModule(api: "store" | "fleet", document: Document): string {
  const paths = api === "store" ? "StorePaths" : "FleetPaths";
  const names = [...Object.keys(document.components.schemas), `paths as ${paths}`].toSorted();
  return `export type { ${names.join(", ")} } from "./${api}.ts";\n`;
}

/** What `openapi-typescript` prints for a document, and a type with the name of each schema. */
export async function typesModule(document: Document): Promise<string> {
  const printed = astToString(await openapiTypescript(JSON.stringify(document), { silent: true }));
  return [printed, NAMES, ...namedTypes(document)].join("\n");
}
