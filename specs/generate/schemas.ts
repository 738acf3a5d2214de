import {
  type Document,
  type Endpoint,
  endpoints,
  type Parameter,
  type Schema,
  schemaName,
} from "./document.ts";
import { comment } from "./prose.ts";
import { refuse } from "./refusal.ts";
import { visitObjects } from "./visit.ts";
import { expression, formatImports } from "./zod.ts";

/** The component schemas in an order in which each one follows those that it refers to. */
export function schemasInOrder(schemas: Record<string, Schema>): [string, Schema][] {
  const done = new Map<string, Schema>();
  const place = (name: string, above: string[]): void => {
    if (done.has(name)) return;
    const schema = schemas[name];
    if (above.includes(name)) {
      const circle = [...above, name].join(" → ");
      refuse(
        schema,
        `the schemas ${circle} refer to themselves`,
        "make the inner one an object without properties",
      );
    }
    visitObjects(schema, (part) => {
      if (typeof part["$ref"] !== "string") return;
      const target = schemaName(part);
      if (schemas[target] === undefined)
        refuse(part, `no schema is named ${target}`, "correct the reference");
      place(target, [...above, name]);
    });
    if (schema !== undefined) done.set(name, schema);
  };
  for (const name of Object.keys(schemas)) place(name, []);
  return [...done];
}

/** Each schema is made within a call that is marked pure, so that a bundler drops the unused ones. */
export function schemaConstant(name: string, value: string): string {
  const made = /^z[A-Z]\w*$/.test(value) ? value : `/* @__PURE__ */ (() => ${value})()`;
  return `const ${name} = ${made};\n`;
}

function exported(name: string, value: string, doc: string): string {
  return `${doc}export ${schemaConstant(name, value)}`;
}

/** The schema of a parameter in a URL, where every value is a string. */
function wireText(document: Document, schema: Schema): string {
  const target = schema.$ref === undefined ? schema : document.components.schemas[schemaName(schema)];
  if (target?.type === "integer") return `integerText(${expression(schema)})`;
  if (target?.type === "number") return `numberText(${expression(schema)})`;
  if (target?.type === "boolean") return "booleanText";
  return target?.type === "array" ? "z.string()" : expression(schema);
}

function parameterValue(document: Document, { schema, required }: Parameter): string {
  const value = wireText(document, schema);
  if (schema.default !== undefined) return `z._default(${value}, ${JSON.stringify(schema.default)})`;
  return required ? value : `z.optional(${value})`;
}

function parameters(document: Document, endpoint: Endpoint, place: Parameter["in"]): string | undefined {
  const here = endpoint.parameters.filter((one) => one.in === place);
  if (here.length === 0) return undefined;
  const values = here.map((one) => `${JSON.stringify(one.name)}: ${parameterValue(document, one)}`);
  return `z.looseObject({ ${values.join(", ")} })`;
}

type Part = "Path" | "Query" | "Body" | "Response";

/** The name of the schema of one part of an operation: `zPutStoreBody`. */
export function partName(id: string, part: Part): string {
  return `z${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`;
}

/** Returns the code of an operation's schemas. `known` are the names of the earlier ones by their code, which need not be repeated. */
function operationSchemas(document: Document, endpoint: Endpoint, known: Map<string, string>): string {
  const responses = [...new Set(endpoint.responses.map(expression))];
  const response = responses.length > 1 ? `z.union([${responses.join(", ")}])` : responses[0];
  const parts: Record<Part, string | undefined> = {
    Path: parameters(document, endpoint, "path"),
    Query: parameters(document, endpoint, "query"),
    Body: endpoint.body && expression(endpoint.body),
    Response: response,
  };
  const code: string[] = [];
  for (const part of Object.keys(parts) as Part[]) {
    const value = parts[part];
    if (value === undefined) continue;
    const name = partName(endpoint.id, part);
    code.push(exported(name, known.get(value) ?? value, `/** \`${endpoint.method} ${endpoint.path}\` */\n`));
    if (!known.has(value)) known.set(value, name);
  }
  return code.join("");
}

const introduction = `
/*
 * Schemas of what the contract describes, for \`z.parse\` and \`z.safeParse\`.
 *
 * - \`zStore\`, \`zContactInput\`, …: one for each schema. Unknown fields are kept. In a body, an enum takes any string.
 * - \`zListStoresPath\`, \`zListStoresQuery\`, \`zPutStoreBody\`, \`zGetStoreResponse\`, …: one for each part of an operation.
 *   The input of a path or query schema is decoded strings, \`{ limit: "20", isActive: "true" }\`. The output has numbers,
 *   booleans, and the defaults of parameters that were left out.
 */
`;

/** A zod/mini schema for every component schema and for every part of each operation. */
export function schemasModule(document: Document): string {
  const named = schemasInOrder(document.components.schemas).map(([name, schema]) =>
    exported(`z${name}`, expression(schema), comment(schema.description)),
  );
  const known = new Map<string, string>();
  const parts = endpoints(document).map((endpoint) => operationSchemas(document, endpoint, known));
  const code = [...named, ...parts].join("\n");
  return ['import * as z from "zod/mini";', formatImports(code), introduction, code].join("\n");
}
