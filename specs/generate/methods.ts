import { type Document, type Endpoint, endpoints, resolve } from "./document.ts";
import { comment } from "./prose.ts";
import { refuse } from "./refusal.ts";

/** The client's method for an operation, from `x-method: vehicles.list`. */
export interface ClientMethod {
  resource: string;
  name: string;
  /** The property of the body that the method takes in place of the body: its only property, if that is an array. */
  bodyArgument: string | undefined;
}

/** Reads the extension `x-method` of an operation. Throws if it is missing or malformed. */
export function clientMethod(document: Document, endpoint: Endpoint): ClientMethod {
  const { id, operation } = endpoint;
  const text = operation["x-method"];
  const [, resource, name] = /^(\w+)\.(\w+)$/.exec(String(text)) ?? [];
  if (resource === undefined || name === undefined) {
    refuse(operation, `${id} has no method of the client`, "write x-method: <resource>.<method>");
  }
  return { resource, name, bodyArgument: bodyArgument(document, endpoint) };
}

function bodyArgument(document: Document, { body }: Endpoint): string | undefined {
  const properties = Object.entries((body && resolve(document, body).properties) ?? {});
  const [[name, schema] = []] = properties;
  return properties.length === 1 && schema?.type === "array" ? name : undefined;
}

/** An interface with the operation of each method, by resource. */
export function methodsInterface(api: "store" | "fleet", document: Document): string {
  const title = api === "store" ? "Store" : "Fleet";
  const resources = new Map<string, Map<string, string>>();
  for (const endpoint of endpoints(document)) {
    const { resource, name } = clientMethod(document, endpoint);
    const methods = resources.get(resource) ?? new Map<string, string>();
    const other = methods.get(name);
    if (other !== undefined)
      refuse(endpoint.operation, `the x-method of ${endpoint.id} is that of ${other}`, "write another one");
    resources.set(resource, methods.set(name, endpoint.id));
  }
  const rows = [...resources].map(([resource, methods]) => {
    const properties = [...methods].map(([name, id]) => `${name}: "${id}";`);
    return `${resource}: { ${properties.join(" ")} };`;
  });
  const doc = `The operation that each method of the ${api} client calls, by resource.`;
  return `${comment(doc)}export interface ${title}Methods {${rows.join("\n")}}\n`;
}
