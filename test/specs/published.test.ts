import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FleetClient } from "../../src/index.ts";
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

const UUID = "3f0c7f6e-7c39-4d0b-9c5b-0d8f6f3a1b2c";
const META = {
  version: "v1",
  pagination: { currentPage: 1, totalPages: 1, totalCount: 1, hasNextPage: false, hasPreviousPage: false },
};
const INSPECTION = {
  id: UUID,
  templateId: "t1",
  template: {},
  status: "COMPLETED",
  performedAt: "2026-01-01T00:00:00Z",
  performedBy: {},
  vehicles: [],
  location: {},
  notes: "",
  damages: [],
};
const FIELD = {
  id: "f1",
  label: "Tyres",
  description: "",
  inputType: "SELECT",
  isRequired: true,
  instructionImageUrl: null,
  hasStatusRule: true,
  groupIds: [],
  groups: [],
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
};

/** Responses with null for each object and status of which the contract does not say whether it may be null. */
const WITH_NULL: readonly [string, object, (fleet: FleetClient) => Promise<unknown>][] = [
  [
    "/damages/{id}",
    { data: { id: "d1", vehicle: null, inspection: null, reportedBy: null, assignedTo: null }, meta: META },
    (fleet) => fleet.damages.get("d1"),
  ],
  [
    "/damages/{id}",
    { data: { id: "d1", inspection: { id: UUID, template: null } }, meta: META },
    (fleet) => fleet.damages.get("d1"),
  ],
  [
    "/inspections/{id}",
    { data: { ...INSPECTION, responses: [{ id: "r1", templateItem: null }] }, meta: META },
    (fleet) => fleet.inspections.get(UUID),
  ],
  [
    "/vehicle-fields",
    { data: [{ ...FIELD, options: [{ id: "o1", status: null }] }], meta: { ...META, filters: null } },
    (fleet) => fleet.vehicleFields.list().toArray(),
  ],
  [
    "/vehicle-fields/{id}/vehicles",
    {
      data: [{ vehicleId: "v1", status: null, latestResponse: null }],
      meta: { ...META, field: null, filters: null },
    },
    (fleet) => fleet.vehicleFields.listVehicles("f1").toArray(),
  ],
];

describe("the fleet document", () => {
  const validator = validators("fleet");

  it.each(WITH_NULL)(
    "accepts null where the contract leaves it open in %s, as the client does",
    async (path, body, read) => {
      const validate = validator(pointerOf(path, "GET", 200));
      validate(body);
      expect(validate.errors).toBeNull();
      const ref = createReferenceServer();
      const fetch = async (): Promise<Response> => Response.json(body);
      await read(new FleetClient({ ...ref.fleetOptions, fetch, validate: "full", retry: 0 }));
    },
  );

  it("accepts a damage with null for each value that it lacks (gap fleet.absent-properties)", async () => {
    const damages = [{ id: "d1", reportedBy: null, assignedTo: null }];
    const damage = await damageOf(createReferenceServer({ fleet: { damages } }), "d1");
    const absent = { vehicle: null, inspection: null, reportedBy: null, assignedTo: null, repairedAt: null };
    expect(damage).toMatchObject(absent);
    const validate = validator("/components/schemas/Damage");
    validate(damage);
    expect(validate.errors).toBeNull();
  });

  it("rejects a damage whose vehicle is a string", () => {
    expect(validator("/components/schemas/Damage")({ id: "d1", vehicle: "v1" })).toBe(false);
  });

  it("rejects an inspection that nobody performed", () => {
    expect(validator("/components/schemas/Inspection/properties/performedBy")(null)).toBe(false);
  });
});
