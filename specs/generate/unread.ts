import { type Document, type Endpoint, type Parameter, resolve } from "./document.ts";
import { isCommaList } from "./query-rules.ts";
import { refuse } from "./refusal.ts";

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

const inCode =
  "no client checks it. Leave it out, or write the code for it and pass it in specs/generate/unread.ts";

function refuseUnreadKeyword(document: Document, place: "path" | "query", parameter: Parameter): void {
  const { name, schema } = parameter;
  if (place === "query" && isCommaList(parameter)) return;
  const { $ref: _, ...own } = { ...resolve(document, schema), ...schema };
  if (own.type === "array")
    refuse(parameter, `the list ${name}`, "write a list of strings with style: form and explode: false");
  if (own.type === "object") refuse(parameter, `the object ${name}`, "write a parameter for each property");
  const known = new Set([...keywords[place], ...prose]);
  const keyword = Object.keys(own).find((one) => !known.has(one) && !one.startsWith("x-"));
  if (keyword !== undefined) refuse(parameter, `${keyword} of the ${place} parameter ${name}`, inCode);
}

function refuseUnreadParameters(document: Document, { parameters }: Endpoint): void {
  for (const parameter of parameters) {
    const { in: place, name, required } = parameter;
    if (place === "path" || place === "query") refuseUnreadKeyword(document, place, parameter);
    else if (place !== "header" || !sentHeaders.has(name) || required === true) {
      const kind = required === true ? "required " : "";
      const instead = `the clients send only ${[...sentHeaders].join(", ")}, if a user sets it. Leave it out`;
      refuse(parameter, `the ${kind}${place} parameter ${name}`, instead);
    }
  }
}

function refuseUnreadResponses(document: Document, { method, operation }: Endpoint): void {
  // a client takes any success of a DELETE, with or without a body
  const known = method === "DELETE" ? /^20[0-5]$/ : /^20[01]$/;
  for (const [status, reference] of Object.entries(operation.responses)) {
    if (!/^[45]\d\d$/.test(status) && !known.test(status))
      refuse(
        reference,
        `the status ${status}`,
        "write 200 or 201 for a success (any of 200 to 205 for a DELETE)",
      );
    for (const name of Object.keys(resolve(document, reference).headers ?? {}))
      if (!readHeaders.has(name.toLowerCase()))
        refuse(
          reference,
          `the header ${name} of the response ${status}`,
          `the clients read only ${[...readHeaders].join()}`,
        );
  }
}

/** Throws if an operation has a part that neither the table nor the code of clients, server and tools contains. */
export function refuseUnread(document: Document, endpoint: Endpoint): void {
  const { body, operation } = endpoint;
  for (const name of ["servers", "callbacks"])
    if (operation[name] !== undefined)
      refuse(
        operation,
        `${name} of an operation`,
        `write ${name === "servers" ? "them at the top" : "no callbacks"}`,
      );
  if (operation["requestBody"] !== undefined && body === undefined)
    refuse(operation["requestBody"], "a body that is not JSON", "write application/json");
  refuseUnreadParameters(document, endpoint);
  refuseUnreadResponses(document, endpoint);
}
