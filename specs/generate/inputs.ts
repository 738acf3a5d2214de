import type { Document, Schema } from "./document.ts";
import { comment } from "./prose.ts";

const doc =
  "The properties of each input (`sent`), those that only its entity has (`received`), and the values of omitted " +
  "properties: the contract's default, or null if the property may be null.";

/** The entity of an input: `ContactInput` is sent, and `Contact` returned. */
function entityOf(name: string, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const entity = schemas[name.replace(/(Input|Upsert)$/, "")];
  const own = Object.keys(schemas[name]?.properties ?? {});
  const isPair = entity !== schemas[name] && own.some((property) => property in (entity?.properties ?? {}));
  return isPair ? entity : undefined;
}

function mayBeNull({ type, anyOf }: Schema): boolean {
  const types = [type, ...(anyOf ?? []).map((part) => part.type)].flat();
  return types.includes("null");
}

/** The properties of the inputs whose entity is also returned; undefined if the API has no such input. */
export function inputsModule(
  api: "store" | "fleet",
  { components: { schemas } }: Document,
): string | undefined {
  const rows = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const entity = entityOf(name, schemas);
    if (entity === undefined) return [];
    const received = Object.keys(entity.properties ?? {}).filter((property) => !(property in properties));
    const defaults: Record<string, unknown> = {};
    for (const [property, schema] of Object.entries(properties)) {
      if (schema.default !== undefined) defaults[property] = schema.default;
      else if (mayBeNull(schema)) defaults[property] = null;
    }
    const row = { sent: Object.keys(properties), received, defaults };
    return [`${name}: ${JSON.stringify(row)},`];
  });
  if (rows.length === 0) return undefined;
  return `${comment(doc)}export const ${api}Inputs = {${rows.join("\n")}} as const;\n`;
}
