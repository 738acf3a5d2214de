import { type Document, type Endpoint, resolve, type Schema } from "./document.ts";

/** The header that the fleet client sends if its option `apiVersion` is set. */
const sentHeaders = new Set(["X-Service-API-Version"]);

/** The headers of responses that the clients read. */
const readHeaders = new Set(["retry-after"]);

const prose = ["description", "default", "example", "examples", "deprecated"];

/** The keywords of parameters that a row of the operation table contains. */
const keywords = {
  path: ["type", "format"],
  query: ["type", "format", "minimum", "maximum", "enum", "anyOf"],
};

function unreadKeyword(document: Document, place: "path" | "query", schema: Schema): string | undefined {
  const { $ref: _, ...own } = { ...resolve(document, schema), ...schema };
  const known = new Set([...keywords[place], ...prose]);
  const unknown = Object.keys(own).find((keyword) => !known.has(keyword) && !keyword.startsWith("x-"));
  if (unknown !== undefined) return unknown;
  return own.type === "array" || own.type === "object" ? `type ${own.type}` : undefined;
}

function* unreadParameters(document: Document, { parameters }: Endpoint): Generator<string> {
  for (const { in: place, name, required, schema } of parameters) {
    if (place === "path" || place === "query") {
      const keyword = unreadKeyword(document, place, schema);
      if (keyword !== undefined) yield `${keyword} of the ${place} parameter ${name}`;
    } else if (place !== "header" || !sentHeaders.has(name) || required === true)
      yield `the ${required === true ? "required " : ""}${place} parameter ${name}`;
  }
}

function* unreadResponses(document: Document, { method, operation }: Endpoint): Generator<string> {
  // a client takes any success of a DELETE, with or without a body
  const known = method === "DELETE" ? /^20[0-5]$/ : /^20[01]$/;
  for (const [status, reference] of Object.entries(operation.responses)) {
    if (!/^[45]\d\d$/.test(status) && !known.test(status)) yield `the status ${status}`;
    for (const name of Object.keys(resolve(document, reference).headers ?? {}))
      if (!readHeaders.has(name.toLowerCase())) yield `the header ${name} of the response ${status}`;
  }
}

/** Throws if an operation has a part that neither the table nor the code of clients, server and tools contains. */
export function refuseUnread(document: Document, endpoint: Endpoint): void {
  const { id, body, operation } = endpoint;
  const extra = ["security", "servers", "callbacks"].filter((name) => operation[name] !== undefined);
  if (operation["requestBody"] !== undefined && body === undefined) extra.push("a body that is not JSON");
  const all = [...extra, ...unreadParameters(document, endpoint), ...unreadResponses(document, endpoint)];
  if (all.length === 0) return;
  throw new Error(
    `${id} has ${all.join(", ")}: write the code for it, then let specs/generate/unread.ts pass it`,
  );
}
