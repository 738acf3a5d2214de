import { describe, expect, it } from "vitest";
import { fleetOperations, type FleetOperationId } from "../../../generated/fleet.operations.ts";
import { ConfigurationError, type Scope, scopes } from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { stubClient } from "./stub-client.ts";

const { client } = stubClient();
const operations = Object.keys(fleetOperations) as FleetOperationId[];

describe("fleet.scopes.for (fleet 5)", () => {
  it("gives the scope of an operation that the table alone speaks of", () => {
    expect(client.scopes.for("createDamage")).toMatchObject({
      sufficient: [["damages:write"]],
      possiblySufficient: [],
    });
  });

  it("gives a read scope that the write scope may include (gap scopes.implications)", () => {
    expect(client.scopes.for("listVehicles")).toMatchObject({
      sufficient: [["vehicles:read"]],
      possiblySufficient: ["vehicles:write"],
    });
  });

  it("gives each scope that suffices for the list of fields", () => {
    expect(client.scopes.for("listVehicleFields")).toMatchObject({
      sufficient: [["vehicle-fields:read"], ["vehicles:read"], ["vehicles:write"]],
      possiblySufficient: [],
    });
  });

  it("gives both statements where the contract disagrees with itself", () => {
    expect(client.scopes.for("getDamage")).toEqual({
      sufficient: [["damages:read", "vehicles:read"]],
      possiblySufficient: ["damages:read", "vehicles:read", "damages:write", "vehicles:write"],
      entry: fleetOperations.getDamage.scopes,
    });
    expect(client.scopes.for("listInspectionTemplates")).toMatchObject({
      sufficient: [["inspection-templates:read", "inspections:read"]],
      entry: { gap: "scopes.list-templates" },
    });
  });

  it("gives the scopes that may permit the vehicles of a field (gap scopes.field-vehicles)", () => {
    expect(client.scopes.for("listVehicleFieldVehicles")).toMatchObject({
      sufficient: [["vehicle-fields:read"]],
      possiblySufficient: ["vehicles:read", "vehicles:write"],
    });
  });

  it.each(["", "getDamages", "toString", undefined])("rejects the operation %j", (id) => {
    expect(() => client.scopes.for(id as never)).toThrow(ConfigurationError);
  });
});

describe("fleet.scopes.check", () => {
  it("allows everything to a key with every scope, and nothing to one without", () => {
    expect(client.scopes.check(scopes)).toEqual({ allowed: operations, disputed: [], forbidden: [] });
    expect(client.scopes.check([])).toEqual({ allowed: [], disputed: [], forbidden: operations });
  });

  it("ignores unknown scopes, which a 403 may list", () => {
    expect(client.scopes.check(["reports:read", "users:read"]).forbidden).toEqual(operations);
  });
});

/** Every set of none, one or two scopes. */
const sets: Scope[][] = [
  [],
  ...scopes.map((one) => [one]),
  ...scopes.flatMap((one, at) => scopes.slice(at + 1).map((other) => [one, other])),
];

/** Each reading of each gap about scopes, at least once with each reading of the implications. */
const readings = (["either", "table", "prose", "both"] as const).flatMap((reading, at) =>
  (["none", "write-implies-read"] as const).map((implied) => ({
    "scopes.list-templates": reading,
    "scopes.get-damage": reading,
    "scopes.field-vehicles": at % 2 === 0 ? ("table" as const) : ("extra-scopes" as const),
    "scopes.implications": implied,
  })),
);

it("fleet.scopes.check says what the reference server does under every reading", async () => {
  const keyOf = (at: number): string => `acme_${at.toString(16).padStart(64, "0")}`;
  const keys = sets.map((own, at) => ({ key: keyOf(at), scopes: own }));
  const refusals = new Map<string, Set<boolean>>();
  for (const one of readings) {
    const ref = createReferenceServer({ readings: one, fleet: { keys, vehicles: 1 }, journal: { limit: 1 } });
    for (const [at] of sets.entries()) {
      for (const id of operations) {
        const { method, path } = fleetOperations[id];
        const response = await ref.fetch(`${ref.fleetUrl}${path.replace("{id}", "x")}`, {
          method,
          headers: { authorization: `Bearer ${keyOf(at)}`, "content-type": "application/json" },
        });
        const seen = refusals.get(`${at} ${id}`) ?? new Set();
        refusals.set(`${at} ${id}`, seen.add(response.status === 403));
      }
    }
  }
  for (const [at, own] of sets.entries()) {
    const expected = (...refused: boolean[]): FleetOperationId[] =>
      operations.filter((id) => {
        const seen = refusals.get(`${at} ${id}`);
        return seen?.size === refused.length && refused.every((one) => seen.has(one));
      });
    expect(client.scopes.check(own), own.join(" ")).toEqual({
      allowed: expected(false),
      disputed: expected(false, true),
      forbidden: expected(true),
    });
  }
});
