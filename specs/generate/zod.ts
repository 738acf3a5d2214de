import { type Schema, schemaName } from "./document.ts";

const prose = ["description", "title", "default", "example", "examples", "deprecated"];
const structure = ["$ref", "type", "enum", "const", "anyOf", "oneOf", "allOf", "items"];
const objects = ["properties", "required", "additionalProperties"];
const bounds = ["format", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"];
const known = new Set([prose, structure, objects, bounds].flat());

function refuseUnknown(schema: Schema): void {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword) && !keyword.startsWith("x-"));
  if (unknown !== undefined) throw new Error(`the generator does not know the keyword ${unknown}`);
}

/** The checks of `schema` named in `table` as arguments of `.check`. */
function checks(schema: Schema, table: Record<string, string>): string {
  const calls = Object.entries(table)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, check]) => `z.${check}(${JSON.stringify(schema[keyword])})`);
  return calls.length ? `.check(${calls.join(", ")})` : "";
}

/**
 * The formats, as lenient as the contracts name them: zod's own `uuid` requires version bits, its `email` refuses
 * addresses in use (gap contacts.email-format), and its `datetime` refuses most forms of ISO 8601 (gap
 * date-times.forms).
 */
const formats: Record<string, string> = { uuid: "z.guid()", email: "email", "date-time": "dateTime" };

const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const day = String.raw`(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|${leapYear}-02-29)`;
const time = String.raw`(?:(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?|24:00(?::00(?:[.,]0+)?)?)`;
const offset = String.raw`(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?`;

/** The definitions that the expressions of formats refer to. */
export const formatDefinitions = [
  "/** One `@` with something on both sides, and no spaces (gap contacts.email-format). */",
  'const email = /* @__PURE__ */ (() => z.string().check(z.regex(/^[^\\s@]+@[^\\s@]+$/, "must be an e-mail address")))();\n',
  "/** Every form of an ISO 8601 date-time, also without an offset (gap date-times.forms). */",
  `const dateTime = /* @__PURE__ */ (() => z.string().check(z.regex(/^${day}[Tt]${time}${offset}$/, "must be an ISO 8601 date-time")))();\n`,
].join("\n");

function text(schema: Schema): string {
  const { format, pattern } = schema;
  const base = typeof format === "string" ? formats[format] : undefined;
  const matches = typeof pattern === "string" ? `.check(z.regex(/${pattern.replaceAll("/", "\\/")}/))` : "";
  return `${base ?? "z.string()"}${matches}${checks(schema, { minLength: "minLength", maxLength: "maxLength" })}`;
}

/** Returns the properties of an object, as the text between its braces. */
function zodProperties(schema: Schema): string {
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
  if (typeof schema.additionalProperties === "object") throw new Error("the generator knows no typed maps");
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
  if (first === undefined) throw new Error("a schema without a type");
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
  if (!base) throw new Error("an empty allOf");
  const added = [...rest, schema].map(zodProperties).filter((one) => one !== "");
  return added.reduce((so, more) => `z.extend(${so}, { ${more} })`, expression(base));
}

/** The zod/mini expression of a schema; a schema that it cannot say is an error, never `unknown`. */
export function expression(schema: Schema): string {
  refuseUnknown(schema);
  if (schema.$ref !== undefined) return `z${schemaName(schema.$ref)}`;
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const)})`;
  if (schema.allOf) return extension(schema);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return alternatives(options);
  const { types, wrap } = nullability([schema.type ?? []].flat());
  if (schema.enum) {
    return wrap(`z.enum(${JSON.stringify(schema.enum.filter((value) => value !== null))})`);
  }
  if (types.length === 0) return "z.unknown()";
  return wrap(union(types.map((type) => simple[type]?.(schema) ?? fail(type))));
}

function fail(type: string): never {
  throw new Error(`the generator does not know the type ${type}`);
}
