import { type Body, type Document, endpoints, reachableSchemas, resolve, type Schema } from "./document.ts";
import { comment } from "./prose.ts";
import { schemaConstant, schemasInOrder } from "./schemas.ts";
import { expression, formatDefinitions } from "./zod.ts";

const introduction = `
/*
 * What the contract documents as responses, bound to the values that it lists. The schemas of the same names in the
 * other module take any string where the contract lists values.
 */
`;

function schemaOf(document: Document, body: Body): Schema | undefined {
  return resolve(document, body).content?.["application/json"]?.schema;
}

/** The documented responses of each operation by status: the schema of the body, or null where there is none. */
export function responsesModule(api: "store" | "fleet", document: Document): string {
  const { schemas } = document.components;
  const documented = endpoints(document).map(({ id, operation }) => ({
    id,
    statuses: Object.entries(operation.responses).map(
      ([status, body]) => [status, schemaOf(document, body)] as const,
    ),
  }));
  const bodies = documented.flatMap(({ statuses }) => statuses.map(([, schema]) => schema));
  const needed = reachableSchemas(document, bodies);
  const named = schemasInOrder(schemas)
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => schemaConstant(`z${name}`, expression(schema)));
  const rows = documented.map(({ id, statuses }) => {
    const properties = statuses.map(
      ([status, schema]) => `${status}: ${schema ? expression(schema) : "null"}`,
    );
    return `${id}: { ${properties.join(", ")} },`;
  });
  const title = `The documented responses of the ${api} API: the schema of the body by operation and status; null where there is no body.`;
  return [
    'import * as z from "zod/mini";',
    introduction,
    formatDefinitions,
    ...named,
    `${comment(title)}export const ${api}Responses = {${rows.join("\n")}} as const satisfies Record<string, Readonly<Record<number, z.ZodMiniType | null>>>;\n`,
  ].join("\n");
}
