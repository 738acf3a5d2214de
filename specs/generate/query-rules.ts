import {
  type Document,
  type Endpoint,
  endpoints,
  type Parameter,
  type Schema,
  schemaName,
} from "./document.ts";
import { constantName } from "./enums.ts";

const formats: Record<string, string> = { "date-time": "date-time", uuid: "uuid" };

function target(document: Document, schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : { ...document.components.schemas[schemaName(schema)], ...schema };
}

/** The values that a parameter takes, as source code: the constant of a named enum, else a list. */
function values(document: Document, schema: Schema): string | undefined {
  if (schema.$ref !== undefined && target(document, schema).enum) {
    return constantName(schemaName(schema));
  }
  const alternatives = schema.anyOf ?? [schema];
  const all = alternatives.flatMap((one) => target(document, one).enum ?? []);
  return all.length > 0 ? JSON.stringify([...new Set(all)]) : undefined;
}

/** Whether a parameter is a list of strings with commas between them: `ids=a,b`. */
export function isCommaList({ schema, style = "form", explode = true }: Parameter): boolean {
  return schema.type === "array" && schema.items?.type === "string" && style === "form" && !explode;
}

function ruleType(parameter: Parameter, schema: Schema): string {
  if (isCommaList(parameter)) return "comma-list";
  if (schema.type === "integer" || schema.type === "number" || schema.type === "boolean") return schema.type;
  return formats[String(schema["format"])] ?? "string";
}

/** Returns the source code of one check of a query parameter, as `src/wire/operation.ts` describes it. */
function queryRule(document: Document, parameter: Parameter): string {
  const { minimum, maximum, ...schema } = target(document, parameter.schema);
  const facts = {
    type: ruleType(parameter, schema),
    minimum,
    maximum,
    required: parameter.required || undefined,
  };
  const code = Object.entries({ ...facts, nameGap: parameter["x-name-gap"] })
    .filter(([, fact]) => fact !== undefined)
    .map(([name, fact]) => `${name}: ${JSON.stringify(fact)}`);
  const allowed = values(document, parameter.schema);
  return `{ ${[...code, ...(allowed === undefined ? [] : [`values: ${allowed}`])].join(", ")} }`;
}

/** Whether an operation has query parameters. */
export function hasQuery({ parameters }: Endpoint): boolean {
  return parameters.some((parameter) => parameter.in === "query");
}

/** Returns the checks of the query parameters of each operation. The clients use them without zod. */
export function queriesModule(api: "store" | "fleet", document: Document): string {
  const rows = endpoints(document)
    .filter(hasQuery)
    .map(({ id, parameters }) => {
      const rules = parameters
        .filter((parameter) => parameter.in === "query")
        .map((parameter) => `${parameter.name}: ${queryRule(document, parameter)}`);
      return `${id}: { ${rules.join(", ")} },`;
    });
  const code = rows.join("\n");
  const constants = [...new Set(Array.from(code.matchAll(/values: (\w+)/g), ([, name = ""]) => name))];
  return [
    'import type { QueryRules } from "../src/wire/operation.ts";',
    constants.length === 0 ? "" : `import { ${constants.toSorted().join(", ")} } from "./${api}.enums.ts";`,
    `\n/** The query parameters of each operation of the ${api} API. */`,
    `export const ${api}Queries = {${code}} as const satisfies Record<string, QueryRules>;`,
  ].join("\n");
}
