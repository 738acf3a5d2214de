import type { ListFacts } from "../../src/wire/operation.ts";
import { refuseOtherSample } from "./code-samples.ts";
import { type Document, type Endpoint, endpoints, resolve } from "./document.ts";
import { methodsInterface } from "./methods.ts";
import { comment } from "./prose.ts";
import { refuse } from "./refusal.ts";
import { responseKind } from "./response-kind.ts";
import { operationScopes } from "./scopes.ts";
import { refuseUnread } from "./unread.ts";

/** Returns an object literal of the defined properties; each value is source code. */
function literal(properties: Record<string, string | undefined>): string {
  const present = Object.entries(properties).filter(([, code]) => code !== undefined);
  return `{ ${present.map(([name, code]) => `${JSON.stringify(name)}: ${code}`).join(", ")} }`;
}

/** `value` as source code; undefined where there is none. */
function source(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function pathFormats(endpoint: Endpoint): string | undefined {
  const formatted = endpoint.parameters
    .filter(({ in: place, schema }) => place === "path" && schema["format"] !== undefined)
    .map(({ name, schema }): [string, unknown] => [name, schema["format"]]);
  return formatted.length === 0 ? undefined : JSON.stringify(Object.fromEntries(formatted));
}

/** The contract shows no response of a list with the gap of undocumented lists. */
function listFacts(document: Document, endpoint: Endpoint): ListFacts | undefined {
  const { operation, parameters } = endpoint;
  const itemId = operation["x-item-id"] as string[] | undefined; // a list with pages has it
  const isPage = responseKind(document, endpoint).endsWith("page");
  if (!isPage && itemId === undefined) return undefined;
  const { default: defaultPageSize, maximum: maxPageSize } =
    parameters.find(({ name }) => name === "limit")?.schema ?? {};
  if (itemId === undefined || typeof defaultPageSize !== "number" || typeof maxPageSize !== "number")
    refuse(operation, `the list ${endpoint.id}`, "write x-item-id, and a default and a maximum of limit");
  const gaps = operation["x-gaps"] ?? [];
  return { isDocumented: !gaps.includes("lists.undocumented"), itemId, defaultPageSize, maxPageSize };
}

/** The first required property of an entity. */
function entityId(document: Document, endpoint: Endpoint): string | undefined {
  const [schema] = endpoint.responses;
  if (schema === undefined || responseKind(document, endpoint) !== "entity") return undefined;
  return resolve(document, schema).required?.[0];
}

function row(api: "store" | "fleet", document: Document, endpoint: Endpoint): string {
  const { id, method, path, operation } = endpoint;
  refuseUnread(document, endpoint);
  // the clients take the name of the schema from the operation's id
  if (endpoint.responses.length === 0)
    refuse(operation, `${id} has no response with a schema`, "write a JSON schema for its success");
  const code = literal({
    method: source(method),
    path: source(path),
    formats: pathFormats(endpoint),
    response: source(responseKind(document, endpoint)),
    entityId: source(entityId(document, endpoint)),
    scopes: source(operationScopes(document, endpoint)),
    list: source(listFacts(document, endpoint)),
  });
  refuseOtherSample(api, document, endpoint);
  return `${comment(operation.summary)}${id}: ${code},`;
}

/** The path that every base URL ends in, and the version of requests without a header. */
function fleetFacts(document: Document): string {
  const servers = (document["servers"] ?? []) as { url: string }[];
  const [path, ...others] = new Set(servers.map(({ url }) => url.replace(/^\{\w+\}/, "")));
  if (path === undefined || others.length > 0)
    refuse(servers, "servers with different paths", 'write "{origin}", and the same path for each');
  const parameters = endpoints(document).flatMap((endpoint) => endpoint.parameters);
  const version = parameters.find(({ in: place }) => place === "header")?.schema.default;
  return `/** The end of every base URL of the fleet API. */
export const fleetBasePath = ${JSON.stringify(path)};

/** The version that requests without a version have. */
export const fleetVersion = ${JSON.stringify(version)};

`;
}

/** One table with everything that the contract fixes about each operation, by the operation's id. */
export function operationsModule(api: "store" | "fleet", document: Document): string {
  const title = api === "store" ? "Store" : "Fleet";
  const rows = endpoints(document).map((endpoint) => row(api, document, endpoint));
  const facts = api === "fleet" ? fleetFacts(document) : "";
  const imports = [
    'import { type OperationRow, toOperations } from "../src/wire/operation.ts";',
    ...(api === "fleet" ? ['\nexport { scopes } from "./fleet.enums.ts";'] : []),
  ];
  return [
    `${imports.join("\n")}\n`,
    `${comment(`The operations of the ${api} API.`)}export const ${api}Operations = /* @__PURE__ */ toOperations({${rows.join("\n")}} as const satisfies Record<string, OperationRow>);\n`,
    `/** The id of an operation in the OpenAPI document of the ${api} API. */\nexport type ${title}OperationId = keyof typeof ${api}Operations;\n`,
    facts + methodsInterface(api, document),
  ].join("\n");
}
