import { describe, expect, it } from "vitest";
import { FleetApiError, FleetClient, ScopeError, type Scope } from "../../../src/client/fleet/index.ts";
import { createReferenceServer, type ReadingsOption } from "../../../src/mock/index.ts";
import { json } from "../core/stub-fetch.ts";
import { key, rejection, stubClient } from "./stub-client.ts";

/** The error of a call with a key with these scopes. */
async function refusal(
  scopes: Scope[],
  call: (client: FleetClient) => PromiseLike<unknown>,
  readings?: ReadingsOption,
): Promise<ScopeError> {
  const ref = createReferenceServer({ fleet: { keys: [{ key, scopes }] }, ...(readings && { readings }) });
  const error = await rejection(call(new FleetClient({ baseUrl: ref.fleetUrl, key, fetch: ref.fetch })));
  expect(error).toBeInstanceOf(ScopeError);
  expect(error).toBeInstanceOf(FleetApiError);
  return error as ScopeError;
}

async function fromBody(body: unknown): Promise<ScopeError> {
  const { client } = stubClient(() => json(body, { status: 403 }));
  return (await rejection(client.damages.get("d-1"))) as ScopeError;
}

describe("a ScopeError", () => {
  it("names the required scopes, those of the key and those to request", async () => {
    const error = await refusal(["vehicles:read"], (c) => c.vehicles.create({}));
    expect(error).toMatchObject({
      name: "ScopeError",
      status: 403,
      code: "FORBIDDEN",
      required: ["vehicles:write"],
      available: ["vehicles:read"],
      missing: ["vehicles:write"],
      anyOf: [],
    });
    expect(error.message).toBe(
      "POST /vehicles: 403 FORBIDDEN: The API key lacks a required scope (missing vehicles:write)",
    );
    expect(error.explanation).toBe(
      "createVehicle (POST /vehicles) was refused. The contract's scope table requires vehicles:write. " +
        "The server requires vehicles:write; the key has vehicles:read. Scopes are fixed when a key is created: " +
        "ask a company administrator for a new key that has vehicles:write as well.",
    );
  });

  it("gives both statements where the contract disagrees with itself, and what settles it", async () => {
    const error = await refusal(["inspections:read"], (c) => c.damages.get("d-1"));
    expect(error).toMatchObject({
      required: ["damages:read", "vehicles:read"],
      missing: ["damages:read", "vehicles:read"],
      anyOf: ["damages:read", "vehicles:read"],
    });
    expect(error.explanation).toBe(
      "getDamage (GET /damages/{id}) was refused. The contract's scope table requires damages:read, and its text requires " +
        "vehicles:read; whether one of them suffices is not stated (gap scopes.get-damage). The server requires " +
        "damages:read and vehicles:read; the key has inspections:read. Scopes are fixed when a key is created: ask " +
        "a company administrator for a new key that has damages:read and vehicles:read (one of them may suffice) as well.",
    );
  });

  it("requests the other scope if one of the two did not suffice", async () => {
    const readings = { "scopes.get-damage": "both" } as const;
    const error = await refusal(["vehicles:read"], (c) => c.damages.get("d-1"), readings);
    expect(error).toMatchObject({ missing: ["damages:read"], anyOf: [] });
    expect(error.explanation).toContain("a new key that has damages:read as well.");
  });

  it("requests the scopes of the server if it follows only the text", async () => {
    const readings = { "scopes.list-templates": "prose" } as const;
    const error = await refusal(["inspection-templates:read"], (c) => c.inspectionTemplates.list(), readings);
    expect(error).toMatchObject({ required: ["inspections:read"], missing: ["inspections:read"], anyOf: [] });
    expect(error.explanation).toContain("gap scopes.list-templates");
    expect(error.explanation).toContain("a new key that has inspections:read as well.");
  });

  it("names the alternatives of the list of fields", async () => {
    const error = await refusal(["damages:read"], (c) => c.vehicleFields.list());
    expect(error.anyOf).toEqual(["vehicle-fields:read", "vehicles:read", "vehicles:write"]);
    expect(error.explanation).toContain(
      "The contract's scope table requires vehicle-fields:read; its text also accepts vehicles:read or vehicles:write.",
    );
    expect(error.explanation).toContain(
      "a new key that has vehicle-fields:read, vehicles:read or vehicles:write as well.",
    );
  });

  it("names the surest scope for the vehicles of a field", async () => {
    const readings = { "scopes.field-vehicles": "extra-scopes" } as const;
    const error = await refusal(["damages:read"], (c) => c.vehicleFields.listVehicles("f"), readings);
    expect(error.anyOf).toHaveLength(3);
    expect(error.explanation).toContain("gap scopes.field-vehicles");
    expect(error.explanation).toContain("a new key that has vehicle-fields:read as well.");
  });

  it("says that a write scope did not include reading (gap scopes.implications)", async () => {
    const error = await refusal(["damages:write"], (c) => c.damages.list());
    expect(error.explanation).toContain("On this server, damages:write does not include reading.");
  });

  it("speaks from the scope table where the response has no details (gap errors.forbidden-details)", async () => {
    const readings = { "errors.forbidden-details": "absent" } as const;
    const error = await refusal([], (c) => c.damages.get("d-1"), readings);
    expect(error).toMatchObject({ required: [], available: [], missing: [], anyOf: [] });
    expect(error.explanation).toContain("The server did not name the required scopes.");
    expect(error.explanation).toContain(
      "a new key that has damages:read and vehicles:read (one of them may suffice) as well.",
    );
  });

  it.each([
    [null],
    ["<html>Forbidden</html>"],
    [{}],
    [[]],
    [{ errors: {} }],
    [{ errors: null, details: { required: ["a"] } }],
  ])("says of the body %j that something in between may have returned", async (body) => {
    const error = await fromBody(body);
    expect(error).toMatchObject({ required: [], available: [], missing: [], anyOf: [] });
    expect(error.explanation).toContain("it may come from a proxy or firewall");
  });

  it.each([
    [{ errors: [] }],
    [{ errors: [null, "x", { details: 5 }, { details: {} }] }],
    [{ errors: [{ details: { required: "damages:read", available: {} } }] }],
    [{ errors: [{ details: { required: [1, null], available: [[]] } }] }],
  ])("reads nothing from %j", async (body) => {
    const error = await fromBody(body);
    expect(error).toMatchObject({ required: [], available: [], missing: [], anyOf: [] });
    expect(error.explanation).toContain("did not name");
  });

  it("keeps unknown scopes", async () => {
    const details = { required: ["fleet:admin"], available: ["users:read"] };
    const error = await fromBody({ errors: [{ code: "FORBIDDEN", message: "m", details }] });
    expect(error).toMatchObject({ ...details, missing: ["fleet:admin"] });
    expect(error.explanation).toContain("a new key that has fleet:admin as well.");
  });

  it("refers to the operator of the service if no scope is missing", async () => {
    const details = { required: ["damages:read"], available: ["damages:read"] };
    const error = await fromBody({ errors: [{ code: "FORBIDDEN", message: "m", details }] });
    expect(error.missing).toEqual([]);
    expect(error.explanation).toContain("ask the operator of the service");
  });
});
