import { parse } from "yaml";
import { readBody } from "./read-body.ts";
import { asList, asPart, asText, OpenApiDocument, type Part, plainText } from "./document.ts";
import type { Operation, Parameter } from "./operation.ts";

const METHODS = ["get", "put", "post", "patch", "delete"];

/** The operations of one OpenAPI document, in its order. */
export function readOperations(api: Operation["api"], yaml: string): Operation[] {
  const document = new OpenApiDocument(parse(yaml));
  return document.paths.flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) =>
      readOperation(document, { api, method, path, item }),
    ),
  );
}

interface Place {
  api: Operation["api"];
  method: string;
  path: string;
  item: Part;
}

function readOperation(document: OpenApiDocument, { api, method, path, item }: Place): Operation {
  const operation = asPart(item[method]);
  const parameters = [...document.parts(item, "parameters"), ...document.parts(operation, "parameters")];
  return {
    id: asText(operation.operationId),
    api,
    method: method.toUpperCase(),
    path,
    call: asText(operation["x-method"]),
    summary: asText(operation.summary),
    description: plainText(operation.description),
    gaps: asList(operation["x-gaps"]).map(String),
    // the only header is an option of the client
    parameters: parameters
      .filter(({ in: place }) => place !== "header")
      .map((it) => readParameter(document, it)),
    body: "requestBody" in operation ? readBody(document, operation) : null,
    statuses: Object.keys(asPart(operation.responses)).map(Number),
  };
}

function readParameter(document: OpenApiDocument, parameter: Part): Parameter {
  const schema = document.part(parameter, "schema");
  const variants = [schema, ...document.parts(schema, "anyOf")];
  const choices = new Set(variants.flatMap((variant) => asList(variant.enum).map(String)));
  return {
    name: asText(parameter.name),
    in: parameter.in === "path" ? "path" : "query",
    required: parameter.required === true,
    description: plainText(parameter.description),
    nameGap: asText(parameter["x-name-gap"]),
    isList: schema["x-comma-separated"] === true,
    type: (schema.type ?? "string") as Parameter["type"], // the linter of the documents allows only these four
    choices: [...choices],
    minimum: numberOrNull(schema.minimum),
    maximum: numberOrNull(schema.maximum),
    default: schema.default === undefined ? null : scalar(schema.default),
    example: scalar(parameter.example ?? ""),
  };
}

/** Returns a string, number or boolean as the input of a field. */
function scalar(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
