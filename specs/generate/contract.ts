import {
  type Body,
  type Document,
  type Endpoint,
  endpoints,
  reachableSchemas,
  resolve,
  type Schema,
} from "./document.ts";
import { constantName } from "./enums.ts";
import { comment } from "./prose.ts";
import { hasQuery } from "./query-rules.ts";
import { schemaConstant, schemasInOrder } from "./schemas.ts";
import { visitObjects } from "./visit.ts";
import { expression, formatImports, zodProperties } from "./zod.ts";

const introduction = `
/*
 * What the contract documents as bodies and responses, bound to the values that it lists. The schemas of the same names
 * in the other module take any string where the contract lists values (gap requests.unlisted-values).
 */
`;

function response(document: Document, body: Body): string {
  const resolved = resolve(document, body);
  const schema = resolved.content?.["application/json"]?.schema;
  const code = resolved["x-error-code"];
  return `{ schema: ${schema ? expression(schema) : "null"}${code === undefined ? "" : `, code: ${JSON.stringify(code)}`} }`;
}

type SharedResponses = ReadonlyMap<string, [name: string, code: string]>;

/** The constants with the responses that operations share, by their reference: `unauthorized: { schema: …, code: … }`. */
function sharedResponses(document: Document): SharedResponses {
  const references = endpoints(document).flatMap(({ operation }) =>
    Object.entries(operation.responses).map(([status, { $ref }]) => (status < "400" ? undefined : $ref)),
  );
  const shared = references.filter((one, index) => one !== undefined && references.indexOf(one) !== index);
  return new Map(
    [...new Set(shared)]
      .filter((one) => one !== undefined)
      .map(($ref) => {
        const name = $ref.replace(/^.*\/(\w)/, (_, first: string) => first.toLowerCase());
        return [$ref, [name, response(document, { $ref })]];
      }),
  );
}

/** Returns the responses of an operation, each as the code of a property. */
function responsesOf(document: Document, { operation }: Endpoint, shared: SharedResponses): string[] {
  return Object.entries(operation.responses).map(
    ([status, one]) => `${status}: ${shared.get(one.$ref ?? "")?.[0] ?? response(document, one)}`,
  );
}

function row(api: string, endpoint: Endpoint, responses: string[]): string {
  const { id, body } = endpoint;
  const closedBody = body === undefined ? "" : `body: ${expression(body)}, `;
  const query = hasQuery(endpoint) ? `query: ${api}Queries.${id}, ` : "";
  return `${id}: { ${query}${closedBody}responses: { ${responses.join(", ")} } },`;
}

/** The rows of the table, after a constant with the responses that every operation has. */
function table(api: string, document: Document, shared: SharedResponses): string {
  const operations = endpoints(document).map((endpoint) => ({
    endpoint,
    responses: responsesOf(document, endpoint, shared),
  }));
  const everywhere = (operations[0]?.responses ?? []).filter((one) =>
    operations.every(({ responses }) => responses.includes(one)),
  );
  const rows = operations.map(({ endpoint, responses }) =>
    row(api, endpoint, [...responses.filter((one) => !everywhere.includes(one)), "...everywhere"]),
  );
  const title = `The query, body and responses of each operation of the ${api} API.`;
  return [
    `${comment("The responses of every operation.")}const everywhere = { ${everywhere.join(", ")} } as const;\n`,
    `${comment(title)}export const ${api}Contract = {${rows.join("\n")}} as const satisfies Record<string, OperationContract<z.ZodMiniType>>;\n`,
  ].join("\n");
}

/** Whether a schema is an enum or contains one, so that it differs from the schema of the same name in the other module. */
function hasEnum(document: Document, name: string): boolean {
  const { schemas } = document.components;
  const parts = reachableSchemas(document, [{ $ref: `#/components/schemas/${name}` }]);
  return [...parts].some((part) => schemas[part]?.enum !== undefined);
}

/** Whether `schema` is an enum or refers to one of the closed schemas. */
function isClosed(schema: Schema, closed: ReadonlySet<string>): boolean {
  let found = false;
  visitObjects(schema, ({ enum: values, $ref }) => {
    found ||= values !== undefined || (typeof $ref === "string" && closed.has($ref));
  });
  return found;
}

/** An enum of strings takes its values from the constant of its name; an object replaces properties of the open one. */
function closedSchema(name: string, schema: Schema, closed: ReadonlySet<string>): string {
  if (schema.enum !== undefined && schema.type === "string") return `z.enum(${constantName(name)})`;
  if (schema.type !== "object" || schema.properties === undefined) return expression(schema);
  const required = schema.required ?? [];
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([, property]) => isClosed(property, closed)),
  );
  return `z.extend(z${name}, { ${zodProperties({ properties, required })} })`;
}

/** The request body and the responses by status of each operation. */
export function contractModule(api: "store" | "fleet", document: Document): string {
  const rows = endpoints(document);
  const shared = sharedResponses(document);
  const bodies = rows.flatMap(({ body, operation }) => [
    body,
    ...Object.values(operation.responses).map(
      (one) => resolve(document, one).content?.["application/json"]?.schema,
    ),
  ]);
  const needed = reachableSchemas(document, bodies);
  const schemas = schemasInOrder(document.components.schemas).filter(([name]) => needed.has(name));
  const names = schemas.map(([name]) => name).filter((name) => hasEnum(document, name));
  const closed = new Set(names.map((name) => `#/components/schemas/${name}`));
  const named = schemas
    .filter(([name]) => names.includes(name))
    .map(([name, schema]) => schemaConstant(`z${name}`, closedSchema(name, schema, closed)));
  const responses = [...shared.values()].map(([name, value]) => `const ${name} = ${value} as const;\n`);
  // an open schema is an export of its module, a closed one a constant of this one
  const code = [...named, responses.join(""), table(api, document, shared)]
    .join("\n")
    .replaceAll(/(?<=z\.extend\()z[A-Z]\w+/g, "open.$&")
    .replaceAll(/(?<![.\w])z([A-Z]\w+)/g, (all, name: string) =>
      names.includes(name) ? all : `open.${all}`,
    );
  const constants = [...code.matchAll(/z\.enum\((\w+)/g)].map(([, name = ""]) => name);
  return [
    'import * as z from "zod/mini";',
    'import type { OperationContract } from "../src/wire/operation.ts";',
    formatImports(code),
    ...(constants.length === 0
      ? []
      : [`import { ${[...new Set(constants)].toSorted().join(", ")} } from "./${api}.enums.ts";`]),
    `import { ${api}Queries } from "./${api}.queries.ts";`,
    `import * as open from "./${api}.schemas.ts";`,
    introduction,
    code,
  ].join("\n");
}
