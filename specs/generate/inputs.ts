import { type Document, endpoints, type Schema, withOnlyPart } from "./document.ts";
import { comment } from "./prose.ts";

const doc =
  "The properties of an input without the path IDs (`sent`), those that only a response has (`received`), and the values " +
  "of omitted properties: the contract's default, or null if the property may be null.";

/** Returns the entity of an input: `ContactInput` is sent, and `Contact` returned. */
function entityOf(name: string, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  return schemas[name.replace(/(Input|Upsert)$/, "")];
}

/** Whether an entity with properties of an input is also returned. */
function hasEntity(name: string, schemas: Readonly<Record<string, Schema>>): boolean {
  const entity = entityOf(name, schemas);
  const own = Object.keys(schemas[name]?.properties ?? {});
  return entity !== schemas[name] && own.some((property) => property in (entity?.properties ?? {}));
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
export function inputsModule(document: Document): string | undefined {
  const { schemas } = document.components;
  const rows = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    if (!hasEntity(name, schemas)) return [];
    const inPath = pathIds(name, document);
    const sent = Object.keys(properties).filter((property) => !inPath.includes(property));
    const received = Object.keys(entityOf(name, schemas)?.properties ?? {}).filter(
      (property) => ![...sent, ...inPath].includes(property),
    );
    const defaults: Record<string, unknown> = {};
    for (const [property, given] of Object.entries(properties)) {
      const schema = withOnlyPart(given);
      if (schema.default !== undefined) defaults[property] = schema.default;
      else if (mayBeNull(schema)) defaults[property] = null;
    }
    const constant = name.charAt(0).toLowerCase() + name.slice(1);
    return [
      `${comment(doc)}export const ${constant} = ${JSON.stringify({ sent, received, defaults })} as const;`,
    ];
  });
  return rows.length === 0 ? undefined : `${rows.join("\n\n")}\n`;
}
