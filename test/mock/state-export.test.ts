import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../generated/store.ts";
import { type ExportedState, type ReferenceServer, createReferenceServer } from "../../src/mock/index.ts";
import { Caller, items } from "./caller.ts";
import { everyResponse } from "./state-walk.ts";

const SMALL = {
  store: { stores: 4, storesWithoutId: 1 },
  fleet: { vehicles: 6, inspections: 5, damages: 4 },
};

/** The value after it was written to a file and read. */
function throughFile<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function importedFrom(ref: ReferenceServer): ReferenceServer {
  return createReferenceServer({ state: throughFile(ref.exportState()) });
}

/** Writes to both APIs and both environments of the fleet API. */
async function change(ref: ReferenceServer): Promise<void> {
  const caller = new Caller(ref);
  await caller.put("/v1/stores/S-1", { name: "Renamed" });
  await caller.put("/v1/stores/N-1", {
    name: "New",
    location: null,
    regionId: null,
    storeType: "Kiosk",
    openingTimes: [],
    protocolScheduleId: "11111111-1111-1111-1111-111111111111",
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: "123456",
  });
  await caller.put("/v1/stores/S-2/contacts", { contacts: [{ name: "Anna", phone: "1" }] });
  await caller.put("/v1/stores/S-3/contacts", { contacts: [] });
  for (const [base, key] of [
    [ref.fleetUrl, ref.keys[0]?.key],
    [ref.sandboxUrl, ref.keys[1]?.key],
  ] as const) {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-service-api-version": "v1",
    };
    const body = JSON.stringify({ plateNumber: `NEW ${base.length}` });
    await ref.fetch(`${base}/vehicles`, { method: "POST", headers, body });
    await ref.fetch(`${base}/vehicles/vehicle-2`, { method: "DELETE", headers });
    await ref.fetch(`${base}/damages/damage-1`, { method: "DELETE", headers });
  }
  ref.clock.advance({ hours: 2 });
}

describe("the exported state", () => {
  it("is plain JSON data without tokens and keys", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const state = ref.exportState();
    expect(state.version).toBe(1);
    expect(throughFile(state)).toEqual(state);
    const text = JSON.stringify(state);
    for (const secret of [ref.token, ...ref.keys.map(({ key }) => key)]) expect(text).not.toContain(secret);
  });

  it("has the changes: updated, created and deleted rows, the clock and the ID sequence", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const { store, fleet, sandbox, now, generatedIds } = ref.exportState();
    const stores = new Map(store?.stores?.map((one) => [one.store.externalId, one]));
    expect(stores.get("S-1")?.store.name).toBe("Renamed");
    expect(stores.get("S-2")?.contacts).toMatchObject([{ name: "Anna", phone: "1" }]);
    expect(stores.get("S-3")?.generated).not.toContain("contacts");
    expect(stores.get("S-3")?.contacts).toBeUndefined();
    expect(stores.get("N-1")?.generated).toBeUndefined();
    expect(fleet?.vehicles?.map(({ id }) => id)).not.toContain("vehicle-2");
    expect(fleet?.vehicles?.at(-1)?.plateNumber).not.toBe(sandbox?.vehicles?.at(-1)?.plateNumber);
    expect(now).toBe("2026-01-01T02:00:00.000Z");
    expect(generatedIds).toBeGreaterThan(2);
  });

  it("shares nothing with the server", () => {
    const ref = createReferenceServer(SMALL);
    ref.state.store.stores.get("S-1");
    const state = ref.exportState();
    for (const { store } of state.store?.stores ?? []) store.name = "Changed outside";
    for (const row of state.fleet?.vehicles ?? []) row.brand = "Changed outside";
    expect(JSON.stringify(ref.exportState())).not.toContain("Changed outside");
    const other = createReferenceServer({ state });
    for (const { store } of state.store?.stores ?? [])
      store.openingTimes.push({ weekday: 0, from: "x", to: "y" });
    expect(JSON.stringify(other.exportState())).not.toContain('"from":"x"');
  });

  it("includes generated lists with `full`", () => {
    const ref = createReferenceServer(SMALL);
    const short = ref.exportState();
    const full = ref.exportState({ full: true });
    expect(short.store?.stores?.[0]).toMatchObject({
      generated: ["contacts", "expectations", "expositions", "protocols", "photos"],
    });
    expect(full.store?.generator).toBeUndefined();
    expect(full.store?.stores?.[0]?.contacts).toEqual(ref.state.store.contacts.get("S-1"));
    expect(full.store?.stores?.[0]?.photos).toEqual(ref.state.store.photos.get("S-1"));
    expect(createReferenceServer({ state: full }).exportState()).toEqual(full);
  });

  it("names a row that a test stored under the key of another row", () => {
    const ref = createReferenceServer(SMALL);
    const store = ref.state.store.stores.get("S-1");
    if (store === undefined) throw new Error("S-1 is seeded");
    ref.state.store.stores.set("X-1", store);
    expect(() => ref.exportState()).toThrow(
      'state.store.stores: the store "X-1" must have its key as externalId',
    );
    ref.reset();
    ref.state.sandbox.vehicles.set("v", { id: "w" });
    expect(() => ref.exportState()).toThrow('state.sandbox.vehicles: the row "v" must have its key as id');
  });
});

describe("a server that starts with an exported state", () => {
  it("exports the same JSON, before and after everything was read", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const state = ref.exportState();
    const other = importedFrom(ref);
    expect(JSON.stringify(other.exportState())).toBe(JSON.stringify(state));
    await everyResponse(other);
    expect(importedFrom(other).exportState()).toEqual(other.exportState());
    expect(other.exportState({ full: true })).toEqual(ref.exportState({ full: true }));
  });

  it("continues like the first server: the same writes get the same responses", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const other = importedFrom(ref);
    await change(ref);
    await change(other);
    expect(other.exportState()).toEqual(ref.exportState());
  });

  it("restores the state with reset()", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const other = importedFrom(ref);
    const before = other.exportState();
    await change(other);
    expect(other.exportState()).not.toEqual(before);
    other.reset();
    expect(other.exportState()).toEqual(before);
  });

  it("prefers the clock of the options to that of the state", () => {
    const state: ExportedState = { version: 1, now: "2027-01-01T00:00:00Z" };
    expect(createReferenceServer({ state }).clock.now().toISOString()).toBe("2027-01-01T00:00:00.000Z");
    const later = createReferenceServer({ state, now: "2028-01-01T00:00:00Z" });
    expect(later.clock.now().toISOString()).toBe("2028-01-01T00:00:00.000Z");
  });

  it("has no data if the state has no data", async () => {
    const caller = new Caller({ state: { version: 1 } });
    expect(items(await caller.get("/v1/stores"))).toEqual([]);
    expect((await caller.get("/vehicles")).body.data).toEqual([]);
  });

  it("has all 100 000 stores", () => {
    const ref = createReferenceServer({ store: { stores: 100_000 } });
    const other = createReferenceServer({ state: ref.exportState() });
    expect(other.state.store.stores.size).toBe(100_000);
    expect(other.exportState().store?.stores).toHaveLength(100_000);
  });
});

it("a walk over every list and row gets the same bytes from an imported state", async () => {
  const ref = createReferenceServer(SMALL);
  await change(ref);
  const other = importedFrom(ref);
  const [expected, actual] = [await everyResponse(ref), await everyResponse(other)];
  expect([...actual]).toEqual([...expected]);
});

describe("a wrong or misplaced state", () => {
  const good = throughFile(
    createReferenceServer({ ...SMALL, store: { stores: 2 } }).exportState({ full: true }),
  );
  const broken = (edit: (state: JsonObject) => void): unknown => {
    const state = throughFile(good) as unknown as JsonObject;
    edit(state);
    return state;
  };
  const at = (value: unknown, ...path: (string | number)[]): JsonObject =>
    path.reduce<unknown>((part, name) => (part as JsonObject)[name], value) as JsonObject;

  it.each<[string, unknown, string]>([
    ["null", null, "state must be an object"],
    ["an array", [], "state must be an object"],
    ["no version", {}, "state.version must be 1: other versions cannot be read"],
    ["another version", { version: 2 }, "state.version must be 1: other versions cannot be read"],
    [
      "an unknown property",
      { version: 1, shops: [] },
      'state: unknown property "shops". Expected one of version, now',
    ],
    ["a wrong time", { version: 1, now: "soon" }, "state.now must be an ISO 8601 date-time"],
    ["a wrong count", { version: 1, generatedIds: -1 }, "state.generatedIds must be"],
    ["a list for an object", { version: 1, store: [] }, "state.store must be an object"],
    [
      "an object for a list",
      { version: 1, fleet: { vehicles: {} } },
      "state.fleet.vehicles must be an array",
    ],
    ["an unknown resource", { version: 1, sandbox: { cars: [] } }, 'state.sandbox: unknown property "cars"'],
    [
      "a property of a wrong type",
      broken((state) => (at(state, "store", "stores", 1, "store").name = 7)),
      "state.store.stores[1].store.name must be a string",
    ],
    [
      "a store without its ID",
      broken((state) => (at(state, "store", "stores", 0, "store").externalId = null)),
      "state.store.stores[0].store.externalId must be a string",
    ],
    [
      "a store twice",
      broken((state) => (at(state, "store", "stores", 1, "store").externalId = "S-1")),
      'state.store.stores[1].store.externalId: duplicate "S-1"',
    ],
    [
      "a wrong row of a list",
      broken((state) => delete (at(state, "store", "stores", 0, "contacts", 0) as { phone?: unknown }).phone),
      "state.store.stores[0].contacts[0].phone is required",
    ],
    [
      "a protocol without a creation time",
      broken((state) => delete at(state, "store", "stores", 0, "protocols", 1).createdAt),
      "state.store.stores[0].protocols[1].createdAt is required",
    ],
    [
      "a photo with a creation time of another form",
      broken((state) => (at(state, "store", "stores", 1, "photos", 0).createdAt = null)),
      "state.store.stores[1].photos[0].createdAt must be a string",
    ],
    [
      "images that are not a list",
      broken((state) => (at(state, "store", "stores", 0, "protocols", 0).images = 5)),
      "state.store.stores[0].protocols[0].images must be an array",
    ],
    [
      "a generated list without a generator",
      broken((state) => (at(state, "store", "stores", 0).generated = ["photos"])),
      "state.store.stores[0].generated needs a generator in state.store",
    ],
    [
      "an unknown generated list",
      {
        version: 1,
        store: {
          generator: { version: 1, seed: 1, now: "2026-01-01T00:00:00Z" },
          stores: [{ store: good.store?.stores?.[0]?.store, generated: ["shelves"] }],
        },
      },
      "state.store.stores[0].generated[0] must be one of contacts",
    ],
    [
      "another generator",
      { version: 1, store: { generator: { version: 2 } } },
      "state.store.generator.version must be 1",
    ],
    [
      "a row without an ID",
      { version: 1, fleet: { damages: [{}] } },
      "state.fleet.damages[0].id is required",
    ],
    [
      "a row twice",
      { version: 1, fleet: { damages: [{ id: "a" }, { id: "a" }] } },
      'state.fleet.damages[1].id: duplicate "a"',
    ],
  ])("is an error that names the place: %s", (_name, state, message) => {
    expect(() => createReferenceServer({ state: state as ExportedState })).toThrow(message);
  });

  it("is an error also if it is combined with options that seed data", () => {
    const state: ExportedState = { version: 1 };
    expect(() => createReferenceServer({ state, store: { stores: 1 } })).toThrow(
      "store.stores cannot be given together with a state",
    );
    expect(() => createReferenceServer({ state, fleet: { vehicles: [] } })).toThrow(
      "fleet.vehicles cannot be given together with a state",
    );
    expect(createReferenceServer({ state, store: { token: "my-own-token" } }).token).toBe("my-own-token");
  });
});
