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
import { schemaConstant, schemasInOrder } from "./schemas.ts";
import { expression, formatImports } from "./zod.ts";

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

function row(document: Document, { id, body, operation }: Endpoint, shared: SharedResponses): string {
  const responses = Object.entries(operation.responses).map(
    ([status, one]) => `${status}: ${shared.get(one.$ref ?? "")?.[0] ?? response(document, one)}`,
  );
  const closedBody = body === undefined ? "" : `body: ${expression(body)}, `;
  const gaps = JSON.stringify(operation["x-gaps"] ?? []);
  return `${id}: { ${closedBody}responses: { ${responses.join(", ")} }, gaps: ${gaps} },`;
}

/** Whether a schema is an enum or contains one, so that it differs from the schema of the same name in the other module. */
function hasEnum(document: Document, name: string): boolean {
  const { schemas } = document.components;
  const parts = reachableSchemas(document, [{ $ref: `#/components/schemas/${name}` }]);
  return [...parts].some((part) => schemas[part]?.enum !== undefined);
}

/** An enum of strings takes its values from the constant of its name. */
function closedSchema(name: string, schema: Schema): string {
  return schema.enum === undefined || schema.type !== "string"
    ? expression(schema)
    : `z.enum(${constantName(name)})`;
}

/** The request body, the responses by status and the gaps of each operation. */
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
  const named = schemas
    .filter(([name]) => hasEnum(document, name))
    .map(([name, schema]) => schemaConstant(`z${name}`, closedSchema(name, schema)));
  const title = `The body, responses and gaps of each operation of the ${api} API.`;
  const table = `${comment(title)}export const ${api}Contract = {${rows.map((one) => row(document, one, shared)).join("\n")}} as const satisfies Record<string, OperationContract<z.ZodMiniType>>;\n`;
  const responses = [...shared.values()].map(([name, value]) => `const ${name} = ${value} as const;\n`);
  const code = [...named, ...responses, table].join("\n");
  const constants = [...code.matchAll(/z\.enum\((\w+)\)/g)].map(([, name = ""]) => name);
  const imported = schemas
    .filter(([name]) => !hasEnum(document, name) && new RegExp(`\\bz${name}\\b`).test(code))
    .map(([name]) => `z${name}`);
  return [
    'import * as z from "zod/mini";',
    'import type { OperationContract } from "../src/wire/operation.ts";',
    formatImports(code),
    ...(constants.length === 0
      ? []
      : [`import { ${constants.toSorted().join(", ")} } from "./${api}.enums.ts";`]),
    `import { ${imported.toSorted().join(", ")} } from "./${api}.schemas.ts";`,
    introduction,
    code,
  ].join("\n");
}
