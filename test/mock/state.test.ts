import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../generated/store.ts";
import { createReferenceServer, type ExportedState, type ReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";

const SMALL = {
  store: { stores: 4, storesWithoutId: 1 },
  fleet: { vehicles: 6, inspections: 5, damages: 4 },
};

/** The value after it was written to a file and read. */
function throughFile<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Writes to both APIs and both environments of the fleet API. */
async function change(ref: ReferenceServer): Promise<void> {
  const caller = new Caller(ref);
  await caller.put("/v1/stores/S-1", { name: "Renamed" });
  await caller.put("/v1/stores/N-1", { name: "New" });
  await caller.put("/v1/stores/S-2/contacts", { contacts: [{ name: "Anna", phone: "1" }] });
  await caller.put("/v1/stores/S-3/contacts", { contacts: [] });
  for (const [index, base] of [ref.fleetUrl, ref.sandboxUrl].entries()) {
    const headers = { authorization: `Bearer ${ref.keys[index]?.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ plateNumber: `NEW ${index}` });
    await ref.fetch(`${base}/vehicles`, { method: "POST", headers, body });
    await ref.fetch(`${base}/vehicles/vehicle-2`, { method: "DELETE", headers });
  }
  ref.clock.advance({ hours: 2 });
}

/** The responses to requests of many kinds. */
async function responses(ref: ReferenceServer): Promise<unknown[]> {
  const caller = new Caller(ref);
  const ofStore = ["", "/contacts", "/expositions", `/protocols?${ALL_TIME}`, `/photos?${ALL_TIME}`];
  const paths = [
    "/v1/stores",
    `/v1/fill-rate?${ALL_TIME}&groupBy=store`,
    "/vehicles",
    "/damages",
    ...["S-1", "S-2", "S-3", "N-1"].flatMap((id) => ofStore.map((path) => `/v1/stores/${id}${path}`)),
  ];
  return Promise.all(paths.map(async (path) => (await caller.get(path)).body));
}

describe("the state", () => {
  test("shows a change in the next response, for every way to get a row", async () => {
    const caller = new Caller({ store: { stores: 4 } });
    const { stores, contacts } = caller.ref.state.store;
    const names = async (): Promise<unknown[]> => {
      const listed = items(await caller.get("/v1/stores")).map(({ name }) => name);
      const read = await Promise.all(["S-1", "S-2", "S-3"].map((id) => caller.get(`/v1/stores/${id}`)));
      expect(read.map(({ body }) => body.name)).toEqual(listed.slice(0, 3));
      return listed.slice(0, 3);
    };
    await names();
    for (const store of stores.values()) store.name = "values";
    expect(await names()).toEqual(["values", "values", "values"]);
    stores.forEach((store, key) => (store.name = key));
    expect(await names()).toEqual(["S-1", "S-2", "S-3"]);
    for (const [key, store] of stores) stores.set(key, { ...store, name: `set ${key}` });
    expect(await names()).toEqual(["set S-1", "set S-2", "set S-3"]);
    await caller.put("/v1/stores/S-3", { name: "put" });
    expect((await names())[2]).toBe("put");
    contacts.set("S-1", []);
    expect(items(await caller.get("/v1/stores/S-1/contacts"))).toEqual([]);
    stores.clear();
    expect(items(await caller.get("/v1/stores"))).toEqual([]);
  });

  test("keeps its lists in order under many changes", async () => {
    const caller = new Caller({ store: { stores: 3 } });
    const { stores } = caller.ref.state.store;
    const [store] = stores.values();
    await caller.get("/v1/stores");
    for (let number = 100; number > 0; number--)
      if (store) stores.set(`B-${number}`, { ...store, externalId: `B-${number}` });
    await caller.put("/v1/stores/B-1x", {});
    stores.delete("B-2");
    const listed = items(await caller.get("/v1/stores")).map(({ externalId }) => externalId);
    expect(listed).toEqual([...stores.keys()].toSorted().slice(0, 100));
  });

  test("of two servers is equal, in any order of access, and another seed gives other data", () => {
    const options = { store: { stores: 10 } };
    const [one, same] = [createReferenceServer(options), createReferenceServer(options)];
    const other = createReferenceServer({ ...options, seed: 2 });
    same.state.store.photos.get("S-9");
    same.state.fleet.damages.get("damage-3");
    expect(same.exportState()).toEqual(one.exportState());
    expect([same.token, same.keys]).toEqual([one.token, one.keys]);
    expect(other.state.store.photos.get("S-9")).not.toEqual(one.state.store.photos.get("S-9"));
    expect(other.state.fleet.damages.get("damage-3")).not.toEqual(one.state.fleet.damages.get("damage-3"));
    expect(other.token).not.toBe(one.token);
  });

  test("of 100 000 stores takes little memory until the stores are accessed", () => {
    const before = process.memoryUsage().heapUsed;
    const { state } = createReferenceServer({ store: { stores: 100_000 } });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
    expect(state.store.stores.size).toBe(100_000);
  });
});

test("an exported state is imported any number of times", async () => {
  const caller = new Caller();
  await caller.put("/v1/stores/N-1", { name: "Before" });
  const before = caller.ref.exportState();
  const { body: whole } = await caller.get("/v1/stores?limit=5");
  for (let round = 0; round < 2; round++) {
    const made = await caller.put("/v1/stores/N-2", {});
    const store = caller.ref.state.store.stores.get("N-1");
    if (store) store.name = "After";
    caller.ref.clock.advance({ days: 1 });
    caller.ref.importState(before);
    expect((await caller.get("/v1/stores?limit=5")).body).toEqual(whole);
    expect((await caller.get("/v1/stores/N-1")).body.name).toBe("Before");
    expect((await caller.get("/v1/stores/N-2")).status).toBe(404);
    expect(caller.ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
    expect((await caller.put("/v1/stores/N-2", {})).body).toEqual(made.body);
    caller.ref.importState(before);
  }
});

test("reset() returns everything to the start", async () => {
  const caller = new Caller();
  const { ref } = caller;
  const [store, made] = [await caller.get("/v1/stores/S-1"), await caller.put("/v1/stores/N-1", {})];
  const [key] = ref.keys;
  ref.importState({ version: 1, now: "2027-01-01T00:00:00Z" });
  ref.clock.advance({ weeks: 1 });
  ref.on("getStore").always({ status: 500 });
  ref.switchReadings({ "stores.omitted-fields": "reset" });
  if (key) key.expiresAt = "2020-01-01T00:00:00Z";
  ref.reset();
  expect([ref.journal.all(), ref.overrides.all()]).toEqual([[], []]);
  expect(ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(ref.readings["stores.omitted-fields"]).toBe("keep");
  expect(ref.keys[0]).not.toHaveProperty("expiresAt");
  expect((await caller.get("/v1/stores/S-1")).body).toEqual(store.body);
  expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
  expect((await caller.put("/v1/stores/N-1", {})).body).toEqual(made.body);
});

describe("an exported state", () => {
  test("is plain JSON of all data, without tokens and keys", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const state = ref.exportState();
    expect(throughFile(state)).toEqual(state);
    const text = JSON.stringify(state);
    for (const secret of [ref.token, ...ref.keys.map(({ key }) => key)]) expect(text).not.toContain(secret);
    const stores = new Map(state.store?.stores?.map((row) => [row.store.externalId, row]));
    expect(stores.get("S-1")).toMatchObject({
      store: { name: "Renamed" },
      photos: ref.state.store.photos.get("S-1"),
    });
    expect(stores.get("S-2")?.contacts).toMatchObject([{ name: "Anna", phone: "1" }]);
    expect(state.fleet?.vehicles?.map(({ id }) => id)).not.toContain("vehicle-2");
    expect(state.fleet?.vehicles?.at(-1)?.plateNumber).not.toBe(state.sandbox?.vehicles?.at(-1)?.plateNumber);
    expect(state.now).toBe("2026-01-01T02:00:00.000Z");
  });

  test("starts a server that responds and continues like the first, and resets to it", async () => {
    const ref = createReferenceServer(SMALL);
    await change(ref);
    const state = ref.exportState();
    const other = createReferenceServer({ state: throughFile(state) });
    expect(await responses(other)).toEqual(await responses(ref));
    expect(JSON.stringify(other.exportState())).toBe(JSON.stringify(state));
    await change(ref);
    await change(other);
    expect(other.exportState()).toEqual(ref.exportState());
    other.reset();
    expect(other.exportState()).toEqual(state);
  });

  test("shares nothing with a server", () => {
    const ref = createReferenceServer(SMALL);
    const state = ref.exportState();
    const other = createReferenceServer({ state });
    for (const { store } of state.store?.stores ?? [])
      store.openingTimes.push({ weekday: 0, from: "x", to: "y" });
    for (const row of state.fleet?.vehicles ?? []) row.brand = "Changed outside";
    for (const server of [ref, other])
      expect(JSON.stringify(server.exportState())).not.toMatch(/"from":"x"|outside/);
  });

  test("gives its clock to a server, unless the options have another", () => {
    const state: ExportedState = { version: 1, now: "2027-01-01T00:00:00Z" };
    expect(createReferenceServer({ state }).clock.now()).toEqual(new Date("2027-01-01T00:00:00Z"));
    const later = createReferenceServer({ state, now: "2028-01-01T00:00:00Z" });
    expect(later.clock.now()).toEqual(new Date("2028-01-01T00:00:00Z"));
  });

  test("cannot be combined with options that seed data", () => {
    const state: ExportedState = { version: 1 };
    const withSeeds = [{ store: { stores: 1 } }, { fleet: { vehicles: [] } }];
    for (const seeds of withSeeds)
      expect(() => createReferenceServer({ state, ...seeds })).toThrow(
        "must not have seeds of store and fleet together with a state",
      );
    expect(createReferenceServer({ state, store: { token: "my-own-token" } }).token).toBe("my-own-token");
  });
});

describe("importState", () => {
  test("replaces the data and moves the clock, also a running one", () => {
    const saved = createReferenceServer({ store: { stores: 2 }, now: "2026-05-01T00:00:00Z" }).exportState();
    for (const now of ["2026-01-01T00:00:00Z", "system"]) {
      const ref = createReferenceServer({ now });
      ref.importState(saved);
      expect(ref.clock.now().toISOString()).toMatch(/^2026-05-01T00:00/);
      expect(ref.state.store.stores.size).toBe(2);
    }
  });

  test("keeps credentials, readings, overrides and journal, and the clock if the state has no time", async () => {
    const ref = createReferenceServer();
    const { token } = ref.credentials.addToken();
    ref.switchReadings({ "stores.omitted-fields": "reset" });
    ref.on("listStores").always({ status: 500 });
    await ref.fetch(`${ref.storeUrl}/v1/stores`);
    ref.importState({ version: 1 });
    expect(ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
    const headers = { authorization: `Bearer ${token}` };
    expect((await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, { headers })).status).toBe(404);
    expect(ref.readings["stores.omitted-fields"]).toBe("reset");
    expect([ref.overrides.all(), ref.journal.all()]).toMatchObject([[{}], [{}, {}]]);
  });
});

describe("a wrong state is an error that names the place:", () => {
  const broken = (edit: (stores: JsonObject[]) => void): unknown => {
    const { store, ...state } = createReferenceServer({ ...SMALL, store: { stores: 2 } }).exportState();
    edit(store?.stores as never);
    return { ...state, store };
  };
  const inside = (value: unknown, name: string): JsonObject =>
    (value as Record<string, JsonObject>)[name] ?? {};

  test.for<[unknown, string]>([
    [[], "state must be an object"],
    [{}, "state.version must be 1: other versions cannot be read"],
    [{ version: 1, shops: [] }, 'state: unknown property "shops". Expected one of version, now'],
    [{ version: 1, now: "soon" }, "state.now must be an ISO 8601 date-time"],
    [{ version: 1, fleet: { vehicles: {} } }, "state.fleet.vehicles must be an array"],
    [{ version: 1, fleet: { damages: [{}] } }, "state.fleet.damages[0].id is required"],
    [
      { version: 1, fleet: { damages: [{ id: "a" }, { id: "a" }] } },
      "state.fleet.damages must have different IDs",
    ],
    [
      { version: 1, fleet: { damages: [{ id: "." }] } },
      "state.fleet.damages[0].id must not be a dot segment",
    ],
    [
      broken(([, store]) => (inside(store, "store").name = 7)),
      "state.store.stores[1].store.name must be a string",
    ],
    [
      broken(([, store]) => (inside(store, "store").externalId = "S-1")),
      "state.store.stores must have different IDs",
    ],
    [broken(([store]) => (inside(store, "store").externalId = "..")), "externalId must not be a dot segment"],
    [
      broken(([store]) => delete (inside(store, "protocols") as unknown as JsonObject[])[1]?.createdAt),
      "state.store.stores[0].protocols[1].createdAt is required",
    ],
  ])("case %#", ([state, message]) => {
    expect(() => createReferenceServer({ state: state as ExportedState })).toThrow(message);
  });
});
