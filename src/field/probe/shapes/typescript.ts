import { escapeLine } from "../../../wire/foreign-text.ts";
import type { JsonSchema } from "./count.ts";

const HEADER = `// Written by shelfleet probe from the responses of a service.
import * as z from "zod";
`;

/** Returns a TypeScript module with an interface and a zod schema for each shape, and all schemas as `shapes`. */
export function shapesModule(shapes: Readonly<Record<string, JsonSchema>>): string {
  const names = Object.keys(shapes).toSorted();
  const parts = names.map((name) => {
    const schema = shapes[name] ?? {};
    const type = name.charAt(0).toUpperCase() + name.slice(1);
    return [
      `export interface ${type} ${typeOf(schema, 0)}`,
      `export const ${name}: z.ZodType<${type}> = ${zodOf(schema, 0)};`,
    ].join("\n\n");
  });
  const comment = "/** For the option `shapes` of the clients and of the reference server. */";
  const all = `${comment}\nexport const shapes = { ${names.join(", ")} };`;
  return `${[HEADER, ...parts, all].join("\n")}\n`;
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}

function keyOf(name: string): string {
  // `__proto__: …` in an object literal would set its prototype, also in quotes
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : escapeLine(JSON.stringify(name));
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

function typeOf(schema: JsonSchema, depth: number): string {
  if (schema.enum !== undefined)
    return [...schema.enum.map((code) => JSON.stringify(code)), "(string & {})"].join(" | ");
  const types = typesOf(schema).map((type) => {
    if (type === "object") return objectType(schema, depth);
    if (type === "array") return arrayType(schema.items, depth);
    return type === "integer" ? "number" : type;
  });
  return types.length === 0 ? "unknown" : [...new Set(types)].join(" | ");
}

function arrayType(items: JsonSchema | undefined, depth: number): string {
  const element = items === undefined ? "unknown" : typeOf(items, depth);
  return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
}

function objectType({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const lines = Object.entries(properties).map(([name, property]) => {
    const optional = required.includes(name) ? "" : "?";
    const undefinable = optional === "" ? "" : " | undefined";
    return `${indent(depth + 1)}${keyOf(name)}${optional}: ${typeOf(property, depth + 1)}${undefinable};\n`;
  });
  return `{\n${lines.join("")}${indent(depth + 1)}[name: string]: unknown;\n${indent(depth)}}`;
}

function zodOf(schema: JsonSchema, depth: number): string {
  const types = typesOf(schema);
  const parts = types
    .filter((type) => type !== "null")
    .map((type) => {
      if (type === "object") return objectZod(schema, depth);
      if (type === "array")
        return `z.array(${schema.items === undefined ? "z.unknown()" : zodOf(schema.items, depth)})`;
      if (type === "string") return "z.string()";
      return type === "boolean" ? "z.boolean()" : "z.number()";
    });
  const [first = types.length === 0 ? "z.unknown()" : "z.null()"] = parts;
  const either = parts.length > 1 ? `z.union([${[...new Set(parts)].join(", ")}])` : first;
  return types.includes("null") && parts.length > 0 ? `z.nullable(${either})` : either;
}

function objectZod({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const lines = Object.entries(properties).map(([name, property]) => {
    const zod = zodOf(property, depth + 1);
    return `${indent(depth + 1)}${keyOf(name)}: ${required.includes(name) ? zod : `z.optional(${zod})`},\n`;
  });
  return `z.looseObject({\n${lines.join("")}${indent(depth)}})`;
}
