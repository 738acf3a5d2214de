import { type Document, type Endpoint, endpoints } from "./document.ts";
import { comment } from "./prose.ts";

/** The client's method for an operation, from `x-method: vehicles.list`. */
export interface ClientMethod {
  resource: string;
  name: string;
  /** The property of the body that the method takes in place of the body, from `x-body-argument: contacts`. */
  bodyArgument: string | undefined;
}

/** Reads the extension `x-method` of an operation. Throws if it is missing or malformed. */
export function clientMethod({ id, operation }: Endpoint): ClientMethod {
  const text = operation["x-method"];
  const [, resource, name] = /^(\w+)\.(\w+)$/.exec(String(text)) ?? [];
  if (resource === undefined || name === undefined) {
    throw new Error(`${id} needs x-method: <resource>.<method>, the client's method that calls it`);
  }
  const bodyArgument = operation["x-body-argument"];
  return { resource, name, bodyArgument: typeof bodyArgument === "string" ? bodyArgument : undefined };
}

/** An interface with the operation of each method, by resource. */
export function methodsInterface(api: "store" | "fleet", document: Document): string {
  const title = api === "store" ? "Store" : "Fleet";
  const resources = new Map<string, Map<string, string>>();
  for (const endpoint of endpoints(document)) {
    const { resource, name } = clientMethod(endpoint);
    const methods = resources.get(resource) ?? new Map<string, string>();
    const other = methods.get(name);
    if (other !== undefined) throw new Error(`${other} and ${endpoint.id} have the same x-method`);
    resources.set(resource, methods.set(name, endpoint.id));
  }
  const rows = [...resources].map(([resource, methods]) => {
    const properties = [...methods].map(([name, id]) => `${name}: "${id}";`);
    return `${resource}: { ${properties.join(" ")} };`;
  });
  const doc = `The operation that each method of the ${api} client calls, by resource.`;
  return `${comment(doc)}export interface ${title}Methods {${rows.join("\n")}}\n`;
}
