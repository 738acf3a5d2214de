import { type Schema, schemaName, withOnlyPart } from "./document.ts";
import { refuse } from "./refusal.ts";

const prose = ["description", "title", "default", "example", "examples", "deprecated"];
const structure = ["$ref", "type", "enum", "const", "anyOf", "oneOf", "allOf", "items"];
const objects = ["properties", "required", "additionalProperties"];
const bounds = ["format", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"];
const known = new Set([prose, structure, objects, bounds].flat());

function refuseUnknown(schema: Schema): void {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword) && !keyword.startsWith("x-"));
  if (unknown !== undefined)
    refuse(schema, `the keyword ${unknown} has no schema of zod`, `write one of ${[...known].join(", ")}`);
}

/** The checks of `schema` named in `table` as arguments of `.check`. */
function checks(schema: Schema, table: Record<string, string>): string {
  const calls = Object.entries(table)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, check]) => `z.${check}(${JSON.stringify(schema[keyword])})`);
  return calls.length ? `.check(${calls.join(", ")})` : "";
}

/** The schemas of formats; zod's own `uuid` requires version bits. */
const formats: Record<string, string> = { uuid: "z.guid()", email: "email", "date-time": "dateTime" };

/** The schemas of `wire/schema.ts`. */
const ownSchemas = ["booleanText", "dateTime", "email", "integerText", "numberText"];

/** The import of the formats that the code uses. */
export function formatImports(code: string): string {
  const used = ownSchemas.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return used.length === 0 ? "" : `import { ${used.join(", ")} } from "../src/wire/schema.ts";`;
}

function text(schema: Schema): string {
  const { format, pattern } = schema;
  if (typeof format === "string" && !(format in formats))
    refuse(schema, `the format ${format} has no check`, `write one of ${Object.keys(formats).join(", ")}`);
  const base = typeof format === "string" ? formats[format] : undefined;
  const matches = typeof pattern === "string" ? `.check(z.regex(/${pattern.replaceAll("/", "\\/")}/))` : "";
  return `${base ?? "z.string()"}${matches}${checks(schema, { minLength: "minLength", maxLength: "maxLength" })}`;
}

/** Returns the properties of an object, as the text between its braces. */
export function zodProperties(schema: Schema): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const value = expression(property);
      return `${JSON.stringify(name)}: ${required.has(name) ? value : `z.optional(${value})`}`;
    })
    .join(", ");
}

/** Loose everywhere: a field that the contract does not name is kept, never dropped. */
function object(schema: Schema): string {
  if (typeof schema.additionalProperties === "object")
    refuse(schema, "a typed map has no schema of zod", "write additionalProperties: true or false");
  const kind = schema.additionalProperties === false ? "strictObject" : "looseObject";
  return `z.${kind}({ ${zodProperties(schema)} })`;
}

const range = { minimum: "minimum", maximum: "maximum" };

const simple: Record<string, (schema: Schema) => string> = {
  string: text,
  integer: (schema) => `z.int()${checks(schema, range)}`,
  number: (schema) => `z.number()${checks(schema, range)}`,
  boolean: () => "z.boolean()",
  null: () => "z.null()",
  object,
  array: (schema) => {
    const items = schema.items ? expression(schema.items) : "z.unknown()";
    return `z.array(${items})${checks(schema, { minItems: "minLength", maxItems: "maxLength" })}`;
  },
};

function union(options: string[]): string {
  const [first, ...rest] = [...new Set(options)];
  if (first === undefined) return "z.unknown()";
  return rest.length ? `z.union([${[first, ...rest].join(", ")}])` : first;
}

/** `types` without null, and what makes an expression nullable if null was there. */
function nullability(types: string[]): { types: string[]; wrap: (value: string) => string } {
  const nullable = types.includes("null") && types.length > 1;
  return {
    types: nullable ? types.filter((type) => type !== "null") : types,
    wrap: (value) => (nullable ? `z.nullable(${value})` : value),
  };
}

function alternatives(options: Schema[]): string {
  const { types, wrap } = nullability(
    options.map(expression).map((one) => (one === "z.null()" ? "null" : one)),
  );
  return wrap(union(types));
}

/** `allOf` a named schema and an object: the first one extended by the properties of the second. */
function extension(schema: Schema): string {
  const [base, ...rest] = schema.allOf ?? [];
  if (!base) refuse(schema, "an empty allOf", "leave it out");
  const added = [...rest, schema].map(zodProperties).filter((one) => one !== "");
  return added.reduce((so, more) => `z.extend(${so}, { ${more} })`, expression(base));
}

/** The zod/mini expression of a schema; a schema that it cannot say is an error, never `unknown`. */
export function expression(given: Schema): string {
  const schema = given.allOf?.length === 1 ? withOnlyPart(given) : given;
  refuseUnknown(schema);
  if (schema.$ref !== undefined) return `z${schemaName(schema)}`;
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const)})`;
  if (schema.allOf) return extension(schema);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return alternatives(options);
  const { types, wrap } = nullability([schema.type ?? []].flat());
  if (schema.enum) {
    return wrap(`z.enum(${JSON.stringify(schema.enum.filter((value) => value !== null))})`);
  }
  return wrap(
    union(
      types.map(
        (type) =>
          simple[type]?.(schema) ??
          refuse(schema, `the type ${type}`, `write one of ${Object.keys(simple).join(", ")}`),
      ),
    ),
  );
}
