import { asList, asPart, asText, plainText, type OpenApiDocument, type Part } from "./document.ts";
import type { Body, Property } from "./operation.ts";

/** The body of an operation: its properties and examples. */
export function readBody(document: OpenApiDocument, operation: Part): Body {
  const requestBody = document.part(operation, "requestBody");
  const content = document.part(asPart(requestBody.content), "application/json");
  const schema = document.part(content, "schema");
  return {
    argument: asText(operation["x-body-argument"]) || null,
    description: plainText(requestBody.description),
    properties: propertiesOf(document, schema, ""),
    examples: Object.entries(asPart(content.examples)).map(([name, example]) => ({
      name,
      summary: asText(asPart(example).summary) || name,
      value: asPart(asPart(example).value),
    })),
  };
}

/** The properties of an object, including those of list elements, such as `contacts[].name`. */
function propertiesOf(document: OpenApiDocument, schema: Part, prefix: string): Property[] {
  const required = asList(schema.required);
  return Object.keys(asPart(schema.properties)).flatMap((name) => {
    const property = document.part(asPart(schema.properties), name);
    const path = `${prefix}${name}`;
    const own: Property = {
      name: path,
      type: typeOf(document, property),
      required: required.includes(name),
      description: plainText(property.description),
    };
    return [own, ...propertiesOf(document, document.part(property, "items"), `${path}[].`)];
  });
}

/** Returns a type in TypeScript syntax. Long unions are shortened. */
function typeOf(document: OpenApiDocument, schema: Part): string {
  const variants = document.parts(schema, "anyOf");
  if (variants.length > 0) return variants.map((variant) => typeOf(document, variant)).join(" | ");
  const choices = asList(schema.enum).map((value) => JSON.stringify(value));
  if (choices.length > 0)
    return choices.length > 4 ? `${choices.slice(0, 3).join(" | ")} | …` : choices.join(" | ");
  if (schema.items !== undefined)
    return nullable(schema, `${typeOf(document, document.part(schema, "items"))}[]`);
  const names = [schema.type].flat().filter((name) => name !== "null");
  if (names.length === 0) return "null";
  const name = names.join(" | ").replace("integer", "number");
  return nullable(schema, asText(schema.format) === "" ? name : `${name} (${asText(schema.format)})`);
}

function nullable({ type }: Part, name: string): string {
  return Array.isArray(type) && type.includes("null") ? `${name} | null` : name;
}
