import { type Document, endpoints, type Schema } from "./document.ts";
import { comment } from "./prose.ts";

const doc =
  "The properties of each input without the path IDs (`sent`), the others of its entity (`received`), those that its " +
  "entity always has (`required`, and `nullable` if they may be null), and the values of omitted properties: the " +
  "contract's default, or null if the property may be null.";

/** The entity of an input: `ContactInput` is sent, and `Contact` returned. */
function entityOf(name: string, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const entity = schemas[name.replace(/(Input|Upsert)$/, "")];
  const own = Object.keys(schemas[name]?.properties ?? {});
  const isPair = entity !== schemas[name] && own.some((property) => property in (entity?.properties ?? {}));
  return isPair ? entity : undefined;
}

/** The names of the path IDs of the operations with this body. */
function pathIds(name: string, document: Document): string[] {
  return endpoints(document)
    .filter(({ body }) => body?.$ref === `#/components/schemas/${name}`)
    .flatMap(({ parameters }) =>
      parameters.filter(({ in: place }) => place === "path").map((one) => one.name),
    );
}

function mayBeNull({ type, anyOf }: Schema): boolean {
  const types = [type, ...(anyOf ?? []).map((part) => part.type)].flat();
  return types.includes("null");
}

/** The properties of the inputs whose entity is also returned; undefined if the API has no such input. */
export function inputsModule(api: "store" | "fleet", document: Document): string | undefined {
  const { schemas } = document.components;
  const rows = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const entity = entityOf(name, schemas);
    if (entity === undefined) return [];
    const inPath = pathIds(name, document);
    const sent = Object.keys(properties).filter((property) => !inPath.includes(property));
    const received = Object.keys(entity.properties ?? {}).filter((property) => !sent.includes(property));
    const defaults: Record<string, unknown> = {};
    for (const [property, schema] of Object.entries(properties)) {
      if (schema.default !== undefined) defaults[property] = schema.default;
      else if (mayBeNull(schema)) defaults[property] = null;
    }
    const always = entity.required ?? [];
    const isNullable = (property: string): boolean => mayBeNull(entity.properties?.[property] ?? {});
    const required = always.filter((property) => !isNullable(property));
    const nullable = always.filter(isNullable);
    const row = { sent, received, required, nullable, defaults };
    return [`${name}: ${JSON.stringify(row)},`];
  });
  if (rows.length === 0) return undefined;
  return `${comment(doc)}export const ${api}Inputs = {${rows.join("\n")}} as const;\n`;
}
