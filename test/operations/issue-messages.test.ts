import { describe, expect, test } from "vitest";
import type { QueryRule } from "../../src/wire/operation.ts";
import { serializeQuery } from "../../src/client/core/request/serialize-query.ts";
import { FleetClient, InvalidRequestError, type Issue, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { sampleOf, sendCase } from "./contract-cases.ts";
import { type ApiOperation, operationsOf } from "./operations.ts";

const ref = createReferenceServer({
  store: { stores: 1 },
  fleet: { vehicles: 5 },
  readings: {
    "requests.unknown-properties": "rejected",
    "fleet.unknown-properties": "rejected",
    "lists.unknown-filters": "rejected",
  },
});

/** Returns wrong values of a parameter. */
function wrongValues({ type, values, minimum, maximum }: QueryRule): unknown[] {
  if (values !== undefined) return ["no such value"];
  if (type === "boolean") return ["yes"];
  if (type === "uuid") return ["S-1"];
  if (type !== "integer" && type !== "number") return [];
  return [
    "many",
    ...(type === "integer" ? [1.5] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ];
}

const operations = [...operationsOf("store"), ...operationsOf("fleet")];
const cases = operations.flatMap((operation) => {
  const { id, query } = operation;
  if (query === undefined) return []; // the contract documents no status that could reject a parameter
  const wrong = Object.entries(query).flatMap(([name, rule]) =>
    wrongValues(rule).map((value) => ({ operation, id, name, value })),
  );
  return [...wrong, { operation, id, name: "unheardOf", value: "x" }];
});

/** Sends the sample of an operation with another value of a parameter; returns the issues of the 400. */
async function issuesOfServer(operation: ApiOperation, name: string, value: unknown): Promise<Issue[]> {
  const { path, query } = sampleOf(ref, operation);
  const requestCase = { path: { ...path }, query: { ...query, [name]: String(value) } };
  const response = await sendCase(ref, operation, requestCase);
  expect(response.status).toBe(400);
  const { error, errors = [] } = (await response.json()) as {
    error?: { issues: Issue[] };
    errors?: { message: string; details: { path: string } }[];
  };
  if (error !== undefined) return error.issues.map((issue) => ({ path: issue.path, message: issue.message }));
  return errors.map(({ message, details: { path: place } }) => {
    expect(message.startsWith(`${place} `)).toBe(true);
    return { path: place, message: message.slice(place.length + 1) };
  });
}

describe("client and reference server describe a wrong query parameter in the same words", () => {
  test.for(cases)("$id, $name: $value", async ({ operation, name, value }) => {
    const { issues } = serializeQuery({ ...sampleOf(ref, operation).query, [name]: value }, operation.query);
    expect(issues).toHaveLength(1);
    expect(await issuesOfServer(operation, name, value)).toEqual(issues);
  });
});

describe("client and reference server describe a wrong body in the same words", () => {
  const { fetch, storeUrl, token, fleetUrl } = ref;
  const store = new StoreClient({ baseUrl: storeUrl, token, fetch });
  const fleet = new FleetClient({ baseUrl: fleetUrl, key: ref.keys[0]?.key ?? "", fetch });

  const storeBodies: [string, () => PromiseLike<unknown>, unknown][] = [
    ["/v1/stores/S-1", () => store.stores.upsert("S-1", [] as never), []],
    ["/v1/stores/S-1", () => store.stores.upsert("S-1", { name: 1 } as never), { name: 1 }],
    [
      "/v1/stores/S-1/contacts",
      () => store.contacts.replace("S-1", [{ name: "A", phone: 1, email: "x", hasWhatsapp: 1 }] as never),
      { contacts: [{ name: "A", phone: 1, email: "x", hasWhatsapp: 1 }] },
    ],
    [
      "/v1/stores/S-1/expositions",
      () => store.expositions.upsert("S-1", [{ expositionId: "x", label: "A" }] as never),
      { expositions: [{ expositionId: "x", label: "A" }] },
    ],
  ];
  test.for(storeBodies)("%s: %o", async ([path, call, body]) => {
    const response = await fetch(`${storeUrl}${path}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error: { issues: Issue[] } };
    const issues = error.issues.map((issue) => ({ path: issue.path, message: issue.message }));
    await expect(call()).rejects.toMatchObject({ name: "InvalidRequestError", issues });
  });

  test.for([
    [undefined, "the body is required"],
    ["[]", "the body must be an object"],
    ["{", "the body must be JSON"],
  ] as const)("the body %o of a vehicle", async ([body, message]) => {
    const response = await fetch(`${fleetUrl}/vehicles`, {
      method: "POST",
      headers: { authorization: `Bearer ${ref.keys[0]?.key}`, "content-type": "application/json" },
      ...(body !== undefined && { body }),
    });
    expect(await response.json()).toEqual({
      errors: [{ code: "BAD_REQUEST", message, details: { path: "" } }],
    });
    if (body === "{") return; // the client writes the JSON itself
    const value = body === undefined ? undefined : (JSON.parse(body) as unknown);
    await expect(fleet.vehicles.create(value as never)).rejects.toThrow(
      new InvalidRequestError("POST /vehicles", [{ path: "", message: message.slice("the body ".length) }]),
    );
  });
});

test("the reference server says that a parameter must be given once", async () => {
  const headers = { authorization: `Bearer ${ref.token}` };
  const response = await ref.fetch(`${ref.storeUrl}/v1/stores?limit=1&limit=2`, { headers });
  expect(await response.json()).toMatchObject({
    error: { issues: [{ path: "limit", message: "must be given once" }] },
  });
});
