import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Document, endpoints, type Schema } from "../../specs/generate/document.ts";
import { CONTROL_BODY_LIMIT, controlRoutes } from "../../src/mock/adapters/control.ts";
import { startControlled } from "./control-client.ts";

const file = new URL("../../specs/control.openapi.yaml", import.meta.url);
const document = parse(readFileSync(file, "utf8")) as Document;
const operations = endpoints(document);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "control");

/** The errors of a value, if there is one, by a schema of the document. */
function errorsOf(schema: Schema | undefined, value: unknown): string | undefined {
  if (schema === undefined || value === undefined) return undefined;
  const absolute = schema.$ref === undefined ? schema : { $ref: `control${schema.$ref}` };
  return ajv.validate(absolute, value) ? undefined : ajv.errorsText();
}

const key = `acme_${"7".repeat(64)}`;
const range = { min: 0, max: 1 };

/** Requests that succeed after an override was declared: path parameter, then body. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  setClock: [{ now: "2030-01-01T00:00:00Z" }],
  advanceClock: [{ days: 1, hours: -1, minutes: 0.5 }],
  switchReadings: [{ "stores.omitted-fields": "reset" }],
  switchLimits: [{ perSecond: 1000, burst: 2000, retryAfter: "date" }, {}],
  importState: [{ version: 1, now: "2029-01-01T00:00:00Z" }],
  findRequests: [{ operation: "getStore", path: { externalId: "S-1" }, status: 200 }, {}],
  expectRequests: [{ operation: "listStores", query: { limit: "0" }, status: 400, times: 1 }],
  addOverride: [
    {
      operation: "getStore",
      matcher: { path: { externalId: "S-2" }, headers: { "x-test": null } },
      response: { status: 503, body: { down: true }, headers: { "retry-after": "1" } },
      times: 2,
      rate: 0.5,
      skip: 1,
    },
    { operation: "*", delay: range, matcher: { query: { limit: 5 }, body: { a: 1 } } },
    { operation: "putStore", fault: "reset", at: "after" },
    { operation: "getStore", fault: "slow", bytesPerSecond: 10 },
    { operation: "listStores", paging: "cycle" },
  ],
  addToken: [{ token: "token-of-a-sample", expiresAt: "2040-01-01T00:00:00Z" }, undefined],
  addKey: [{ key, scopes: ["vehicles:read"] }, undefined],
  expireCredential: [undefined, { at: "2040-01-01T00:00:00Z" }],
};

describe("the OpenAPI document of the control API", () => {
  it("has the routes of the table", () => {
    const documented = operations.map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(Object.keys(controlRoutes).toSorted());
  });

  it("states the size limit of a body", () => {
    expect(JSON.stringify(document["info"])).toContain(`${CONTROL_BODY_LIMIT} bytes`);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    "describes the requests and responses of %s",
    async (id, { method, path, body: requestSchema, responses: [schema] }) => {
      for (const body of samples[id] ?? [undefined]) {
        const client = await startControlled({ store: { stores: 5 } });
        await client.call("POST /overrides", { operation: "getDamage", response: { status: 500 } });
        expect(await client.store("/v1/stores/S-1")).toBe(200);
        expect(await client.store("/v1/stores?limit=0")).toBe(400);
        expect(errorsOf(requestSchema, body)).toBeUndefined();
        const place = path.replace("{id}", path.startsWith("/overrides") ? "1" : "key-1");
        const response = await client.send(method, place, { body });
        expect(response.status).toBe(schema === undefined ? 204 : 200);
        expect(errorsOf(schema, response.body)).toBeUndefined();
      }
    },
  );
});
