import { type Document, type Endpoint, type Parameter, type Schema, schemaName } from "./document.ts";
import { constantName } from "./enums.ts";

/** One check of a query parameter, as `src/wire/operation.ts` describes it. */
export interface QueryRule {
  type: string;
  minimum?: unknown;
  maximum?: unknown;
  /** TypeScript source of the array of values. */
  values?: string;
  required?: true;
  nameGap?: unknown;
}

const formats: Record<string, string> = { "date-time": "date-time", uuid: "uuid" };

function target(document: Document, schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : { ...document.components.schemas[schemaName(schema.$ref)], ...schema };
}

/** The values that a parameter takes, as source code: the constant of a named enum, else a list. */
function values(document: Document, schema: Schema): string | undefined {
  if (schema.$ref !== undefined && target(document, schema).enum) {
    return constantName(schemaName(schema.$ref));
  }
  const alternatives = schema.anyOf ?? [schema];
  const all = alternatives.flatMap((one) => target(document, one).enum ?? []);
  return all.length > 0 ? JSON.stringify([...new Set(all)]) : undefined;
}

function ruleType(schema: Schema): string {
  if (schema["x-comma-separated"] === true) return "comma-list";
  if (schema.type === "integer" || schema.type === "number" || schema.type === "boolean") return schema.type;
  return formats[String(schema["format"])] ?? "string";
}

function queryRule(document: Document, parameter: Parameter): QueryRule {
  const schema = target(document, parameter.schema);
  const allowed = values(document, parameter.schema);
  const nameGap = parameter["x-name-gap"];
  return {
    type: ruleType(schema),
    ...(schema["minimum"] === undefined ? {} : { minimum: schema["minimum"] }),
    ...(schema["maximum"] === undefined ? {} : { maximum: schema["maximum"] }),
    ...(allowed === undefined ? {} : { values: allowed }),
    ...(parameter.required === true ? { required: true as const } : {}),
    ...(nameGap === undefined ? {} : { nameGap }),
  };
}

/** The rules of an operation's query parameters, by name. */
export function queryRules(document: Document, endpoint: Endpoint): [string, QueryRule][] {
  return endpoint.parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => [parameter.name, queryRule(document, parameter)]);
}
