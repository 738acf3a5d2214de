import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { type ReferenceServer, type StoreSeed, createReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME, Caller } from "./caller.ts";

const SEED = {
  store: { stores: 5 },
  fleet: { vehicles: 4, inspections: 3, damages: 3, driverAssignments: 2 },
};

const RANGE = { from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" } as const;

function clients(ref: ReferenceServer): { store: StoreClient; fleet: FleetClient } {
  const { fetch } = ref;
  const key = ref.keys[0]?.key ?? "";
  return {
    store: new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch }),
    fleet: new FleetClient({ baseUrl: ref.fleetUrl, key, fetch }),
  };
}

describe("rows that a client received", () => {
  it("seed the store API, which returns them unchanged", async () => {
    const ref = createReferenceServer(SEED);
    const { store } = clients(ref);
    const recorded = await store.stores.list().toArray();
    expect(recorded.filter(({ externalId }) => externalId === null)).toHaveLength(0);
    const seeds = await Promise.all(
      recorded.map(async (one): Promise<StoreSeed> => {
        const id = one.externalId ?? "";
        return {
          ...one,
          contacts: (await store.contacts.get(id)).items,
          expectations: (await store.expectations.get(id)).items,
          expositions: (await store.expositions.get(id)).items,
          protocols: await store.protocols.list(id, RANGE).toArray(),
        };
      }),
    );
    const twin = new Caller({ store: { stores: seeds } });
    const original = new Caller(ref);
    for (const path of ["", "/contacts", "/expectations", "/expositions", `/protocols?${ALL_TIME}`]) {
      const url = `/v1/stores/S-2${path}`;
      expect((await twin.get(url)).body).toEqual((await original.get(url)).body);
    }
    expect((await twin.get("/v1/stores")).body).toEqual((await original.get("/v1/stores")).body);
  });

  it("may be stores without an external ID and stores of an unknown type", async () => {
    const ref = createReferenceServer(); // its seed has stores without an external ID
    const recorded = (await clients(ref).store.stores.list().toArray()).map((one) => ({
      ...one,
      storeType: "Shop",
    }));
    expect(recorded.filter(({ externalId }) => externalId === null)).toHaveLength(2);
    const twin = createReferenceServer({ store: { stores: recorded } });
    expect(await clients(twin).store.stores.list().toArray()).toEqual(recorded);
    expect(twin.exportState().store?.storesWithoutId).toHaveLength(2);
  });

  it("seed the fleet API, which lists them unchanged", async () => {
    const ref = createReferenceServer(SEED);
    const { fleet } = clients(ref);
    const vehicles = await fleet.vehicles.list().toArray();
    const vehicleGroups = await fleet.vehicleGroups.list().toArray();
    const vehicleFields = await fleet.vehicleFields.list().toArray();
    const inspectionTemplates = await fleet.inspectionTemplates.list().toArray();
    const inspections = await fleet.inspections.list().toArray();
    const damages = await fleet.damages.list().toArray();
    const driverAssignments = await fleet.driverAssignments.list().toArray();
    const rows = {
      vehicles,
      vehicleGroups,
      vehicleFields,
      inspectionTemplates,
      inspections,
      damages,
      driverAssignments,
    };
    const { fleet: twin } = clients(createReferenceServer({ fleet: rows }));
    expect(await twin.vehicles.list().toArray()).toEqual(vehicles);
    expect(await twin.vehicleGroups.list().toArray()).toEqual(vehicleGroups);
    expect(await twin.vehicleFields.list().toArray()).toEqual(vehicleFields);
    expect(await twin.inspectionTemplates.list().toArray()).toEqual(inspectionTemplates);
    expect(await twin.inspections.list().toArray()).toEqual(inspections);
    expect(await twin.damages.list().toArray()).toEqual(damages);
    expect(await twin.driverAssignments.list().toArray()).toEqual(driverAssignments);
    createReferenceServer({
      fleet: {
        damages: [await fleet.damages.get("damage-1")],
        inspections: [await fleet.inspections.get(String(inspections[0]?.id))],
      },
    });
  });

  it("are rejected if a store has lists but no external ID", () => {
    expect(() => createReferenceServer({ store: { stores: [{ externalId: null, contacts: [] }] } })).toThrow(
      "store.stores[0].contacts cannot be given for a store without an external ID",
    );
  });
});
