import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { contractCases, sendCase } from "../operations/contract-cases.ts";
import { operationsOf } from "../operations/operations.ts";

/** The schemas of a document that ships, as a tool reads them that knows nothing but OpenAPI 3.1. */
function validators(api: "store" | "fleet"): (pointer: string) => ValidateFunction {
  const text = readFileSync(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url), "utf8");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "document", ...(parse(text) as object) });
  return (pointer) => ajv.compile({ $ref: `document#${pointer}` });
}

/** The pointer to the schema of a success, of which no document has one behind a reference. */
function pointerOf(path: string, method: string, status: number): string {
  const route = encodeURIComponent(path.replaceAll("/", "~1"));
  return `/paths/${route}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
}

async function damageOf(ref: ReferenceServer, id: string): Promise<object> {
  const headers = { authorization: `Bearer ${ref.keys[0]?.key}`, "x-service-api-version": "v1" };
  const response = await ref.fetch(`${ref.fleetUrl}/damages/${id}`, { headers });
  return ((await response.json()) as { data: object }).data;
}

describe.each(["store", "fleet"] as const)("Ajv, with the %s document as it ships,", (api) => {
  const validator = validators(api);

  it.each(operationsOf(api))("accepts the reference server's response to $id", async (operation) => {
    const ref = createReferenceServer();
    const [requestCase = {}] = contractCases(ref, operation).good;
    const response = await sendCase(ref, operation, requestCase);
    const validate = validator(pointerOf(operation.path, operation.method, response.status));
    validate(await response.json());
    expect(validate.errors).toBeNull();
  });
});

describe("the fleet document", () => {
  const validator = validators("fleet");

  it("accepts a damage with null for each value that it lacks (gap fleet.absent-properties)", async () => {
    const damages = [{ id: "d1", reportedBy: null, assignedTo: null }];
    const damage = await damageOf(createReferenceServer({ fleet: { damages } }), "d1");
    expect(damage).toMatchObject({ vehicle: null, inspection: null, repairedAt: null });
    expect(Object.keys(damage)).not.toContain("assignedTo");
    const validate = validator("/components/schemas/Damage");
    validate(damage);
    expect(validate.errors).toBeNull();
  });

  it("rejects a damage whose vehicle is a string", () => {
    expect(validator("/components/schemas/Damage")({ id: "d1", vehicle: "v1" })).toBe(false);
  });
});
