import { type Document, type Schema, schemaName, withOnlyPart } from "../../specs/generate/document.ts";
import type { Properties } from "./contract-table.ts";

/** A schema in the words of the table of the contract: `string uuid | null`, `Store[]`, or the properties of an object. */
export function describeSchema(given: Schema): string | Properties {
  const { default: value, ...schema } = withOnlyPart(given);
  const description =
    typeof schema.type === "object" ? alternatives(schema) : describeType(schema, schema.type);
  return value === undefined ? description : `${text(description)} = ${value as string | boolean}`;
}

function text(description: string | Properties): string {
  if (typeof description !== "string") throw new Error(`no short form: ${JSON.stringify(description)}`);
  return description;
}

/** The types of a schema that allows several: an object among them keeps its properties, with the other type as `|`. */
function alternatives(schema: Schema): string | Properties {
  const parts = [schema.type ?? []].flat().map((type) => describeType(schema, type));
  const object = parts.find((part) => typeof part === "object");
  if (object === undefined) return parts.map(text).join(" | ");
  return { ...object, "|": parts.filter((part) => typeof part === "string").join(" | ") };
}

function describeType(schema: Schema, type: string | string[] | undefined): string | Properties {
  if (schema.$ref !== undefined) return schemaName(schema);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map((option) => text(describeSchema(option))).join(" | ");
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map(describeProperties)) as Properties;
  if (type === "object") return schema.properties === undefined ? "object" : describeProperties(schema);
  if (type === "array") return describeArray(schema);
  if (type === "null") return "null";
  const { format, pattern, minimum, maximum } = schema as Record<string, string | number | undefined>;
  const range = minimum === undefined ? undefined : `${minimum}..${maximum}`;
  return [type ?? "any", format, pattern, range].filter((part) => part !== undefined).join(" ");
}

function describeArray({ items = {}, maxItems }: Schema): string | Properties {
  const element = describeSchema(items);
  if (typeof element !== "string") return { "[]": element };
  const list = element.includes(" | ") ? `(${element})[]` : `${element}[]`;
  return typeof maxItems === "number" ? `${list} up to ${maxItems}` : list;
}

function describeProperties({ properties = {}, required = [] }: Schema): Properties {
  const entries = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? name : `${name}?`,
    describeSchema(schema),
  ]);
  return Object.fromEntries(entries) as Properties;
}

/** The schemas of a document that are no enums and no other named strings. */
export function describeSchemas({ components }: Document): Record<string, string | Properties> {
  const entries = Object.entries(components.schemas).filter(([, { type }]) => type !== "string");
  return Object.fromEntries(entries.map(([name, schema]) => [name, describeSchema(schema)]));
}
