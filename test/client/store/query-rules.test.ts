import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { InvalidRequestError, type StoreClient } from "../../../src/client/store/index.ts";
import { range, stubClient, uuid } from "./stub-client.ts";

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}
interface Document {
  paths: Record<string, { get?: Operation }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

const spec = parse(
  readFileSync(new URL("../../../specs/store.openapi.yaml", import.meta.url), "utf8"),
) as Document;

/** The query parameters of an operation in the OpenAPI document. */
function parametersOf(id: string): Parameter[] {
  const operation = Object.values(spec.paths).find(({ get }) => get?.operationId === id)?.get;
  return (operation?.parameters ?? [])
    .map((one) => (one.$ref === undefined ? one : spec.components.parameters[nameOf(one.$ref)]))
    .filter((one): one is Parameter => one?.in === "query");
}

function nameOf(ref: string): string {
  return ref.split("/").at(-1) as string;
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolve(spec.components.schemas[nameOf(schema.$ref)] as Schema);
}

/** Values that a parameter takes, and values just outside. */
function probesOf(name: string, given: Schema): { good: unknown[]; bad: unknown[] } {
  const schema = resolve(given);
  if (name === "externalIds") return { good: [["a"], ["a", "b"]], bad: [[], ["a,b"], "a"] };
  const values = [schema, ...(schema.anyOf ?? []).map(resolve)].flatMap((one) => one.enum ?? []);
  if (values.length > 0) return { good: values, bad: ["nothing-known", "", null, 5] };
  if (schema.format === "date-time") return { good: [new Date(0)], bad: ["today", 0, null] };
  if (schema.format === "uuid") return { good: [uuid], bad: ["x", "", null] };
  if (schema.type === "boolean") return { good: [true, false], bad: ["true", 1, null] };
  if (schema.type === "string") return { good: ["x", "ü/,"], bad: [5, null, ["x"]] };
  const { minimum = Number.NaN, maximum = Number.NaN, type } = schema;
  const step = type === "integer" ? 1 : 0.001;
  const inside = type === "integer" ? [] : [minimum + 0.5];
  const outside = type === "integer" ? [minimum + 0.5, "5"] : ["5"];
  return {
    good: [minimum, maximum, ...inside],
    bad: [minimum - step, maximum + step, Number.NaN, Infinity, null, ...outside],
  };
}

type Send = (client: StoreClient, query: never) => PromiseLike<unknown>;

const operations: Record<string, { send: Send }> = {
  listStores: { send: (client, query) => client.stores.list(query) },
  listProtocols: { send: (client, query) => client.protocols.list("S-1", query) },
  listPhotos: { send: (client, query) => client.photos.list("S", query) },
  getStoreFillRates: { send: (client, query) => client.fillRates.forStore("S", query) },
  getExpositionFillRate: { send: (client, query) => client.fillRates.forExposition("S", uuid, query) },
  getFillRates: { send: (client, query) => client.fillRates.across(query) },
};

/** The issues of a query, by path; none where it is sent. */
async function issuesOf(send: Send, query: object): Promise<Record<string, string>> {
  try {
    await send(stubClient().client, query as never);
    return {};
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return Object.fromEntries(error.issues.map(({ path, message }) => [path, message]));
  }
}

describe("the query", () => {
  it("every operation with a query is tested", () => {
    const all = Object.values(spec.paths).flatMap(({ get }) => (get === undefined ? [] : [get.operationId]));
    expect(all.filter((id) => parametersOf(id).length > 0).toSorted()).toEqual(
      Object.keys(operations).toSorted(),
    );
  });

  it.each(Object.entries(operations))("of %s has the names of the document", async (id, { send }) => {
    const { unheardOf } = await issuesOf(send, { unheardOf: 1 });
    const known = unheardOf?.replace(/^.* Expected one of /, "").split(", ");
    expect(known?.toSorted()).toEqual(
      parametersOf(id)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it.each(Object.entries(operations))(
    "of %s requires the same parameters as the document",
    async (id, { send }) => {
      const required = parametersOf(id).filter((one) => one.required === true);
      expect(Object.keys(await issuesOf(send, {})).toSorted()).toEqual(
        required.map(({ name }) => name).toSorted(),
      );
    },
  );

  it.each(Object.entries(operations))("of %s has the bounds of the document", async (id, { send }) => {
    const parameters = parametersOf(id);
    const needed = parameters.some(({ name }) => name === "from") ? range : {};
    for (const { name, schema } of parameters) {
      const { good, bad } = probesOf(name, schema);
      // a range of one instant, so that neither end is before the other
      const around = name === "from" || name === "to" ? { from: new Date(0), to: new Date(0) } : needed;
      for (const value of good)
        expect(await issuesOf(send, { ...around, [name]: value }), `${name} ${String(value)}`).toEqual({});
      for (const value of bad)
        expect(
          Object.keys(await issuesOf(send, { ...around, [name]: value })),
          `${name} ${String(value)}`,
        ).toEqual([name]);
    }
  });
});
