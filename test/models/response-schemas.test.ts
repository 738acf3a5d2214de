import { describe, expect, it } from "vitest";
import { fleetOperations } from "../../generated/fleet.operations.ts";
import * as fleetSchemas from "../../generated/fleet.schemas.ts";
import { type Operation, responseSchemaOf } from "../../src/wire/operation.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import * as storeSchemas from "../../generated/store.schemas.ts";
import { type Json, type JsonObject, type ModelResponse, parseJson } from "./exchange.ts";
import { createFleetModel } from "./fleet-model.ts";
import { idOf } from "./fleet-observations.ts";
import type { Collection } from "./fleet-state.ts";
import { createRandom } from "./random.ts";
import { fleetGaps, type GivenReadings, storeGaps } from "./readings.ts";
import { createStoreModel } from "./store-model.ts";
import { part, wholeRange } from "./store-observations.ts";
import { protocolId } from "./store-views.ts";

/** The part of a generated schema that the test uses. */
interface Schema {
  safeParse(value: unknown): { success: boolean };
}

/** Whether a response has the shape of the OpenAPI document. One without a schema or with an error has. */
function isDescribed(schemas: object, { id }: Operation, response: ModelResponse): boolean {
  // the generated modules export schemas under these names
  const schema = (schemas as Readonly<Record<string, Schema | undefined>>)[responseSchemaOf(id)];
  if (!schema || response.status >= 300 || response.body === "") return true;
  return schema.safeParse(parseJson(response.body)).success;
}

function randomReadings(seed: number): GivenReadings {
  const random = createRandom(seed);
  const gaps = Object.entries({ ...storeGaps, ...fleetGaps });
  const chosen = gaps.map(([gap, readings]) => [gap, random.pick<string>(readings)] as const);
  // responses of any shape and 429 are not described
  const kept = {
    "fleet.undocumented-responses": "envelope",
    "limits.store-rate": "none",
    "limits.fleet-rate": "none",
  };
  return { ...Object.fromEntries(chosen), ...kept };
}

const storeBodies: Readonly<Record<string, JsonObject>> = {
  contacts: { contacts: [{ name: "Anna", phone: "1" }] },
  expectations: {
    expectations: [
      {
        productCategory: null,
        displayType: "FRIDGE_DRINKS",
        weekday: 1,
        protocolTime: "07:00",
        expectedFillRatio: 3,
      },
    ],
  },
  expositions: { expositions: [{ label: "New", productCategories: [], expositionType: "FRIDGE_DRINKS" }] },
};

/** Responses of all operations, in the order of the table, on the first store. */
function storeResponses(seed: number): [Operation, ModelResponse][] {
  const model = createStoreModel({ seed, readings: randomReadings(seed) });
  const [record] = model.state.stores;
  const [protocol] = record?.protocols ?? [];
  const headers = { authorization: model.authorization };
  return Object.values<Operation>(storeOperations).map((operation) => {
    const path = operation.path
      .replace("{externalId}", "S-001")
      .replace("{protocolId}", protocol ? part(protocolId(protocol, model.readings)) : "")
      .replace("{expositionId}", record?.expositions[0]?.expositionId ?? "");
    const target = operation.query?.includes("from") ? `${path}?${wholeRange}` : path;
    const body: Json = storeBodies[path.split("/").at(-1) ?? ""] ?? { name: "Changed" };
    const isRead = operation.method === "GET";
    const request = {
      method: operation.method,
      target,
      headers,
      ...(!isRead && { body: JSON.stringify(body) }),
    };
    return [operation, model.handle(request)];
  });
}

function fleetResponses(seed: number): [Operation, ModelResponse][] {
  const model = createFleetModel({ seed, readings: randomReadings(seed) });
  const isMergePatch = model.readings["fleet.patch-content-type"] === "merge-patch";
  return Object.values<Operation>(fleetOperations).map((operation) => {
    const { method } = operation;
    const type = method === "PATCH" && isMergePatch ? "application/merge-patch+json" : "application/json";
    const headers = {
      authorization: `Bearer ${model.key}`,
      "content-type": type,
      "x-service-api-version": "v1",
    };
    // paths begin with the name of a collection
    const id = idOf(model, operation.path.split("/")[1] as Collection);
    const target = model.basePath + operation.path.replace("{id}", id);
    return [operation, model.handle({ method, target, headers, ...(method !== "GET" && { body: "{}" }) })];
  });
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe("a response under random readings", () => {
  it.each(seeds)("of the store model conforms to the OpenAPI document (seed %d)", (seed) => {
    const responses = storeResponses(seed);
    const wrong = responses.filter(
      ([operation, response]) => !isDescribed(storeSchemas, operation, response),
    );
    expect(wrong.map(([{ id }, { body }]) => [id, body])).toEqual([]);
    expect(responses.filter(([, { status }]) => status === 200).length).toBeGreaterThan(8);
  });

  it.each(seeds)("of the fleet model conforms to the OpenAPI document (seed %d)", (seed) => {
    const responses = fleetResponses(seed);
    const wrong = responses.filter(
      ([operation, response]) => !isDescribed(fleetSchemas, operation, response),
    );
    expect(wrong.map(([{ id }, { body }]) => [id, body])).toEqual([]);
    expect(responses.filter(([, { status }]) => status < 300).length).toBeGreaterThan(20);
  });
});
