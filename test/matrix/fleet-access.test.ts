import { expect } from "vitest";
import type { Scope } from "../../src/client/fleet/index.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { type Check, stance } from "./gap.ts";
import { fleetRefuses, scopesLack } from "./outcomes.ts";
import { type World, world } from "./world.ts";

const key = `ref_${"0123456789abcdef".repeat(4)}`;

/** A server with the same readings, and a key with the given scopes only. */
function keyed({ readings }: World, scopes: readonly string[]): World {
  const keys = [{ key, scopes: scopes as Scope[] }]; // some of these gaps are about invalid scopes
  return world(readings, { server: { store: { stores: 1 }, fleet: { keys, vehicles: 2 }, readings } });
}

const sides = {
  "scopes.list-templates": ["inspection-templates:read", "inspections:read"],
  "scopes.get-damage": ["damages:read", "vehicles:read"],
} as const;

async function call(gap: keyof typeof sides, { fleet }: World): Promise<unknown> {
  return gap === "scopes.get-damage" ? fleet.damages.get("damage-1") : fleet.inspectionTemplates.list();
}

/** The call works with the scopes of the table, of the text, or of both. A ScopeError contains both statements. */
function opensWith(gap: keyof typeof sides, byTable: boolean, byProse: boolean): Check {
  return async (w) => {
    const [table, prose] = sides[gap];
    await call(gap, keyed(w, [table, prose]));
    for (const [held, lacking, opens] of [
      [table, prose, byTable],
      [prose, table, byProse],
    ] as const) {
      if (opens) await expect(call(gap, keyed(w, [held]))).resolves.toBeTypeOf("object");
      else {
        const error = await scopesLack(call(gap, keyed(w, [held])), [lacking]);
        expect(error.explanation).toContain(`requires ${table}, and its text requires ${prose}`);
      }
    }
  };
}

for (const gap of ["scopes.list-templates", "scopes.get-damage"] as const) {
  stance(gap, {
    either: opensWith(gap, true, true),
    table: opensWith(gap, true, false),
    prose: opensWith(gap, false, true),
    both: opensWith(gap, false, false),
  });
}

stance("scopes.implications", {
  none: async (w) => {
    const { fleet } = keyed(w, ["vehicles:write"]);
    const error = await scopesLack(fleet.vehicles.list(), ["vehicles:read"]);
    expect(error).toMatchObject({ required: ["vehicles:read"], available: ["vehicles:write"] });
    expect(error.explanation).toContain("vehicles:write does not include reading");
  },
  "write-implies-read": async (w) => {
    await expect(keyed(w, ["vehicles:write"]).fleet.vehicles.list()).resolves.toHaveProperty("items");
  },
});

stance("scopes.field-vehicles", {
  table: async (w) => {
    const { fleet } = keyed(w, ["vehicles:read"]);
    const error = await scopesLack(fleet.vehicleFields.listVehicles("field-1"), ["vehicle-fields:read"]);
    expect(error.explanation).toContain("gap scopes.field-vehicles");
  },
  "extra-scopes": async (w) => {
    const { fleet } = keyed(w, ["vehicles:read"]);
    await expect(fleet.vehicleFields.listVehicles("field-1")).resolves.toHaveProperty("items");
  },
});

stance("errors.forbidden-details", {
  always: async (w) => {
    const error = await scopesLack(keyed(w, ["damages:read"]).fleet.vehicles.list(), ["vehicles:read"]);
    expect(error).toMatchObject({ required: ["vehicles:read"], available: ["damages:read"] });
  },
  absent: async (w) => {
    const error = await scopesLack(keyed(w, ["damages:read"]).fleet.vehicles.list(), []);
    expect(error).toMatchObject({ required: [], available: [], anyOf: [] });
    expect(error.explanation).toContain("scope table requires vehicles:read");
  },
});

/** A scope without effect is returned as a string. */
function acceptsUnknownScope(scope: string): Check {
  return async (w) => {
    const error = await scopesLack(keyed(w, [scope]).fleet.vehicles.list(), ["vehicles:read"]);
    expect(error.available).toEqual([scope]);
  };
}

/** A key without the scope is not affected. */
const withDefaultPrefix: Check = async (w) => {
  const { items } = await keyed(w, ["vehicles:read"]).fleet.vehicles.list();
  expect(items).toHaveLength(2);
};

stance("keys.review-scopes", { refused: withDefaultPrefix, granted: acceptsUnknownScope("users:read") });
stance("keys.unknown-scopes", { refused: withDefaultPrefix, ignored: acceptsUnknownScope("reports:read") });

/** A key in capitals, on a server that has it in capitals or in lower case. */
async function sendUpperCaseKey(readings: ReadingsOption): Promise<PromiseLike<unknown>> {
  const upperCaseKey = `ref_${"0123456789ABCDEF".repeat(4)}`;
  const { ref, fleetWith } = world(readings);
  const response = fleetWith({ key: upperCaseKey }).vehicles.list().then(String);
  await response.catch(() => {});
  expect(ref.journal.of("listVehicles")).toHaveLength(1);
  return response;
}

stance("keys.hex-case", {
  any: async ({ readings }) => {
    const upperCaseKey = `ref_${"0123456789ABCDEF".repeat(4)}`;
    const keys = [{ key: upperCaseKey, scopes: ["vehicles:read" as const] }];
    const { fleet } = world(readings, { server: { fleet: { keys }, readings } });
    await expect(fleet.vehicles.list()).resolves.toHaveProperty("items");
  },
  "lower-only": async ({ readings }) => {
    await fleetRefuses(sendUpperCaseKey(readings), 401, { code: "UNAUTHORIZED" });
  },
});

stance("fleet.version-header", {
  optional: async ({ fleetWith }) => {
    await expect(fleetWith({ apiVersion: undefined }).vehicles.list()).resolves.toHaveProperty("items");
  },
  required: async ({ fleet, fleetWith }) => {
    await fleetRefuses(fleetWith({ apiVersion: undefined }).vehicles.list(), 400);
    await expect(fleet.vehicles.list()).resolves.toHaveProperty("items");
  },
});

stance("fleet.unknown-version", {
  ignored: async ({ fleetWith }) => {
    await expect(fleetWith({ apiVersion: "v9" }).vehicles.list()).resolves.toHaveProperty("items");
  },
  rejected: async ({ fleet, fleetWith }) => {
    await fleetRefuses(fleetWith({ apiVersion: "v9" }).vehicles.list(), 400);
    await expect(fleet.vehicles.list()).resolves.toHaveProperty("items");
  },
});

stance("limits.fleet-rate", {
  none: async ({ fleet }) => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => fleet.vehicles.get("vehicle-1")));
    expect(responses).toHaveLength(50);
  },
  "too-many-requests": async ({ fleet, ref }) => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => fleet.vehicles.get("vehicle-1")));
    expect(responses).toHaveLength(20);
    expect(ref.journal.all().map(({ status }) => status)).toContain(429);
    for (const headers of [{ "retry-after": "0" }, {} as Record<string, string>]) {
      ref.on("createVehicle").once({ status: 429, headers });
      await expect(fleet.vehicles.create({})).resolves.toHaveProperty("id");
    }
    ref.on("createVehicle").always({ status: 429, headers: { "retry-after": "3600" } });
    await fleetRefuses(fleet.vehicles.create({}), 429, { attempts: 1 });
  },
});

stance("errors.undocumented-bodies", {
  envelope: async ({ fleet, fleetWith, ref }) => {
    ref.on("getVehicle").once({ status: 500 });
    await fleetRefuses(fleet.vehicles.get("vehicle-1", { retry: 0 }), 500, { code: "INTERNAL_ERROR" });
    ref.on("getVehicle").once({ status: 400 });
    await fleetRefuses(fleetWith({}).vehicles.get("vehicle-1"), 400, { code: "BAD_REQUEST" });
  },
  empty: async ({ fleet, ref }) => {
    for (const status of [400, 500]) {
      ref.on("getVehicle").once({ status });
      await fleetRefuses(fleet.vehicles.get("vehicle-1", { retry: 0 }), status, {
        code: undefined,
        body: "",
      });
    }
  },
});
