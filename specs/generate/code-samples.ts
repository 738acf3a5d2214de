import { type Body, type Document, type Endpoint, resolve } from "./document.ts";
import { clientMethod } from "./methods.ts";
import { refuse } from "./refusal.ts";

const WIDTH = 80;

/** Writes a value as TypeScript, without quotes around property names, and on several lines if it is long. */
export function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((element) => literal(element, inner))
    : Object.entries(value)
        .filter(([, property]) => property !== undefined)
        .map(([name, property]) => `${name}: ${literal(property, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const space = Array.isArray(value) ? "" : " ";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  const isShort = indent.length + line.length <= WIDTH && !line.includes("\n");
  return isShort ? line : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** The first example of a request body. */
function bodyExample(document: Document, body: Body | undefined): unknown {
  const media = body && resolve(document, body).content?.["application/json"];
  const { examples = {} } = (media ?? {}) as { examples?: Record<string, { value: unknown }> };
  return Object.values(examples)[0]?.value;
}

/** The arguments of the client's method: the IDs of the path, then the body or what the query requires. */
function sampleArguments(document: Document, endpoint: Endpoint): unknown[] {
  const { parameters, operation } = endpoint;
  const ids = parameters.filter((one) => one.in === "path").map((one) => one["example"]);
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  if (required.length > 0)
    return [...ids, Object.fromEntries(required.map((one) => [one.name, one["example"]]))];
  const body = bodyExample(document, operation.requestBody);
  if (body === undefined) return ids;
  const { bodyArgument } = clientMethod(document, endpoint);
  return [...ids, bodyArgument === undefined ? body : (body as Record<string, unknown>)[bodyArgument]];
}

/** The call of an operation on the client of its API, with the examples of the document. */
export function codeSample(api: "store" | "fleet", document: Document, endpoint: Endpoint): string {
  const { resource, name } = clientMethod(document, endpoint);
  const given = sampleArguments(document, endpoint).map((value) => literal(value));
  const call = `${api}.${resource}.${name}(${given.join(", ")})`;
  return endpoint.operation["x-item-id"] === undefined
    ? `await ${call};`
    : `for await (const item of ${call}) console.log(item);`;
}

/** Throws if the sample in the document is not the call of the operation. */
export function refuseOtherSample(api: "store" | "fleet", document: Document, endpoint: Endpoint): void {
  const { id, operation } = endpoint;
  const [sample] = (operation["x-codeSamples"] ?? []) as { source?: string }[];
  const source = codeSample(api, document, endpoint);
  if (sample?.source?.trim() !== source)
    refuse(
      operation,
      `x-codeSamples of ${id}`,
      `write lang: TypeScript, label: shelfleet, and as source\n${source}`,
    );
}
