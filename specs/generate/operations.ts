import { type Document, type Endpoint, endpoints } from "./document.ts";
import { comment } from "./prose.ts";

const doc = (endpoint: Endpoint): string => comment(endpoint.operation.summary);

function row(endpoint: Endpoint): string {
  const { id, method, path } = endpoint;
  const scopes = endpoint.operation["x-scopes"];
  return `${doc(endpoint)}${id}: ${JSON.stringify({ method, path, ...(scopes === undefined ? {} : { scopes }) })},`;
}

/** Method, path and, in the fleet API, scopes of every operation, by its id. */
export function operationsModule(api: "store" | "fleet", document: Document): string {
  const title = api === "store" ? "Store" : "Fleet";
  const rows = endpoints(document).map(row);
  const scopes = api === "fleet" ? ['export { scopes } from "./fleet.enums.ts";\n'] : [];
  return [
    ...scopes,
    `${comment(`The operations of the ${api} API.`)}export const ${api}Operations = {${rows.join("\n")}} as const;\n`,
    `/** The id of an operation in the OpenAPI document of the ${api} API. */\nexport type ${title}OperationId = keyof typeof ${api}Operations;\n`,
  ].join("\n");
}
