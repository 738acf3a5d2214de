import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import * as fleetSchemas from "../../generated/fleet.schemas.ts";
import * as storeSchemas from "../../generated/store.schemas.ts";
import { type Body, type Document, endpoints, readYaml, resolve } from "../../specs/generate/document.ts";

type Schemas = Record<string, z.ZodMiniType>;

const prefix = (id: string): string => `z${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** Every example of the operations' bodies, with the name of the schema that must accept it. */
function examples(document: Document): { name: string; value: unknown }[] {
  return endpoints(document).flatMap(({ id, operation }) => {
    const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    const responseValues = responses.flatMap(([, body]) => valuesOf(document, body));
    return [
      ...valuesOf(document, operation.requestBody).map((value) => ({ name: `${prefix(id)}Body`, value })),
      ...responseValues.map((value) => ({ name: `${prefix(id)}Response`, value })),
    ];
  });
}

function valuesOf(document: Document, body: Body | undefined): unknown[] {
  const media = body && resolve(document, body).content?.["application/json"];
  if (!media) return [];
  const { example, examples: several } = media as {
    example?: unknown;
    examples?: Record<string, { $ref?: string; value?: unknown }>;
  };
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(several ?? {}).map((one) => resolve(document, one).value),
  ];
}

/** The bodies of requests and responses without an example. */
function withoutExample(document: Document): string[] {
  return endpoints(document).flatMap(({ id, operation }) => {
    const bodies = { request: operation.requestBody, ...operation.responses };
    return Object.entries(bodies)
      .filter(([, body]) => body && resolve(document, body).content && valuesOf(document, body).length === 0)
      .map(([name]) => `${id} ${name}`);
  });
}

describe.each([
  ["store", storeSchemas as unknown as Schemas],
  ["fleet", fleetSchemas as unknown as Schemas],
])("the generated schemas of the %s API", (api, schemas) => {
  const document = readYaml(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url)) as Document;
  const rows = examples(document);

  it("accept every example of the document, and return it unchanged", () => {
    for (const { name, value } of rows) {
      const schema = schemas[name];
      expect(schema && z.parse(schema, value), name).toEqual(value);
    }
    expect(rows.length).toBeGreaterThan(10);
  });

  it("are those of a document with an example of every body", () => {
    // that each example has the form of its schema is what `npm run lint:specs` checks
    expect(withoutExample(document)).toEqual([]);
  });
});
