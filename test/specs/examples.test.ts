import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

type Node = Record<string, unknown>;

/** A value that a schema of the document must accept; both are given by their JSON pointers. */
interface Example {
  at: string;
  schema: string;
  value: unknown;
}

const documents = ["store", "fleet"];

/** Keys whose children are named by the author of the document, not by OpenAPI. */
const maps = new Set(
  `paths webhooks schemas responses requestBodies parameters headers content pathItems links callbacks
  variables securitySchemes properties patternProperties dependentSchemas $defs`.split(/\s+/),
);

/** Keys with plain data. */
const data = new Set(["example", "examples", "default", "enum", "const", "value", "required", "mapping"]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function load(name: string): Node {
  const file = new URL(`../../specs/${name}.openapi.yaml`, import.meta.url);
  const document: unknown = parse(readFileSync(file, "utf8"));
  if (!isNode(document)) throw new Error(`${file.pathname} is not an object`);
  return document;
}

function child(pointer: string, key: string | number): string {
  return `${pointer}/${encodeURIComponent(String(key).replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}

function deref(document: Node, value: unknown): Node {
  if (!isNode(value)) return {};
  if (typeof value.$ref !== "string") return value;
  let target: unknown = document;
  for (const part of value.$ref.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target = isNode(target) ? target[key] : undefined;
  }
  if (target === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return deref(document, target);
}

/** The examples of a media type, a parameter or a header. */
function examplesOfCarrier(document: Node, node: Node, pointer: string): Example[] {
  const schema = child(pointer, "schema");
  const single = "example" in node ? [{ at: child(pointer, "example"), schema, value: node.example }] : [];
  const named = isNode(node.examples) ? Object.entries(node.examples) : [];
  return [
    ...single,
    ...named.map(([name, entry]) => ({
      at: child(child(pointer, "examples"), name),
      schema,
      value: deref(document, entry).value,
    })),
  ];
}

/** The examples of a schema, and its default, which is also an example. */
function examplesOfSchema(node: Node, pointer: string): Example[] {
  const list: unknown[] = Array.isArray(node.examples) ? node.examples : [];
  return [
    ...list.map((value, i) => ({ at: child(child(pointer, "examples"), i), schema: pointer, value })),
    ...["example", "default"]
      .filter((key) => key in node)
      .map((key) => ({ at: child(pointer, key), schema: pointer, value: node[key] })),
  ];
}

function* examplesIn(document: Node, node: unknown, pointer: string, inSchema: boolean): Generator<Example> {
  if (Array.isArray(node)) {
    for (const [i, item] of node.entries()) yield* examplesIn(document, item, child(pointer, i), inSchema);
    return;
  }
  if (!isNode(node)) return;
  if (inSchema) yield* examplesOfSchema(node, pointer);
  else if (isNode(node.schema)) yield* examplesOfCarrier(document, node, pointer);
  for (const [key, value] of Object.entries(node)) {
    if (data.has(key) || key.startsWith("x-")) continue;
    const below = child(pointer, key);
    const schemas = inSchema || key === "schema" || key === "schemas";
    if (!maps.has(key) || !isNode(value)) {
      yield* examplesIn(document, value, below, schemas);
      continue;
    }
    for (const [name, entry] of Object.entries(value)) {
      yield* examplesIn(document, entry, child(below, name), schemas);
    }
  }
}

function refuse(message: string): never {
  throw new Error(message);
}

/** One line for each example that its schema rejects. */
function wrongExamples(document: Node): string[] {
  // The logger throws, because ajv only warns of an unknown format and does not check its values.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: { log: refuse, warn: refuse, error: refuse },
  });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  return [...examplesIn(document, document, "", false)].flatMap(({ at, schema, value }) => {
    const validate = ajv.getSchema(`document#${schema}`);
    if (!validate) return [`${at}: no schema at ${schema}`];
    if (validate(value)) return [];
    return [`${at}: ${ajv.errorsText(validate.errors, { dataVar: "value" })}`];
  });
}

/** The bodies of requests and responses for which the document has no example. */
function bodiesWithoutExample(document: Node): string[] {
  const operations = Object.values(deref(document, document.paths))
    .flatMap((item) => Object.values(deref(document, item)))
    .filter((operation) => isNode(operation) && "operationId" in operation)
    .map((operation) => deref(document, operation));
  return operations.flatMap((operation) => {
    const responses = Object.entries(deref(document, operation.responses));
    return [["request", operation.requestBody] as const, ...responses]
      .flatMap(([name, body]) =>
        Object.values(deref(document, deref(document, body).content)).map((media) => ({ name, media })),
      )
      .filter(
        ({ media }) =>
          !isNode(media) || !("example" in media || Object.keys(deref(document, media.examples)).length > 0),
      )
      .map(({ name }) => `${String(operation.operationId)} ${name}`);
  });
}

describe.each(documents)("the %s document", (name) => {
  const document = load(name);

  it("has examples and defaults that its own schemas accept", () => {
    expect([...examplesIn(document, document, "", false)].length).toBeGreaterThan(50);
    expect(wrongExamples(document)).toEqual([]);
  });

  it("has an example of every body", () => {
    expect(bodiesWithoutExample(document)).toEqual([]);
  });
});

describe("the check of examples", () => {
  const limit = { type: "integer", maximum: 100, default: 101 };
  const broken = {
    openapi: "3.1.1",
    paths: {
      "/v1/things": {
        get: {
          operationId: "listThings",
          parameters: [{ name: "limit", in: "query", schema: limit, example: 500 }],
          responses: {
            "200": {
              content: {
                "application/json": {
                  schema: { $ref: "#/components/schemas/Thing" },
                  examples: {
                    inline: { value: { id: "no uuid" } },
                    shared: { $ref: "#/components/examples/Shared" },
                    right: { value: { id: "3f0c7f6e-7c39-4d0b-9c5b-0d8f6f3a1b2c", example: "x" } },
                  },
                },
              },
            },
            "401": { content: { "application/json": { schema: {} } } },
          },
        },
      },
    },
    components: {
      examples: { Shared: { value: {} } },
      schemas: {
        Thing: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string", format: "uuid" }, example: { type: "string", examples: [5] } },
          examples: [{ id: null }],
        },
      },
    },
  };

  it("finds a wrong example in any place", () => {
    const body = "/paths/~1v1~1things/get/responses/200/content/application~1json/examples";
    expect(wrongExamples(broken).map((line) => decodeURIComponent(line).split(":")[0])).toEqual([
      "/paths/~1v1~1things/get/parameters/0/example",
      "/paths/~1v1~1things/get/parameters/0/schema/default",
      `${body}/inline`,
      `${body}/shared`,
      "/components/schemas/Thing/examples/0",
      "/components/schemas/Thing/properties/example/examples/0",
    ]);
  });

  it("finds a body without an example", () => {
    expect(bodiesWithoutExample(broken)).toEqual(["listThings 401"]);
  });

  it("rejects a format that it cannot check", () => {
    const odd = { type: "string", format: "uiud", examples: ["x"] };
    expect(() => wrongExamples({ components: { schemas: { Odd: odd } } })).toThrow("uiud");
  });
});
