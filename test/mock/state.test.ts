import { expect, test } from "vitest";
import type { Store } from "../../generated/store.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";

test("the mock shows a change of its state in the next response", async () => {
  const caller = new Caller({ store: { stores: 3 } });
  const { stores, contacts } = caller.ref.state.store;
  const store = stores.get("S-1");
  if (store === undefined) throw new Error("S-1 is seeded");
  store.name = "By hand";
  expect((await caller.get("/v1/stores/S-1")).body.name).toBe("By hand");
  stores.delete("S-2");
  stores.set("A-1", { ...store, externalId: "A-1" });
  expect(items(await caller.get("/v1/stores")).map(({ externalId }) => externalId)).toEqual([
    "A-1",
    "S-1",
    "S-3",
  ]);
  contacts.set("S-1", []);
  expect(items(await caller.get("/v1/stores/S-1/contacts"))).toEqual([]);
  stores.clear();
  expect(items(await caller.get("/v1/stores"))).toEqual([]);
});

test("the mock shows a change of a row for every way to get the row, also after earlier responses", async () => {
  const caller = new Caller({ store: { stores: 4 } });
  const { stores } = caller.ref.state.store;
  const names = async (): Promise<unknown[]> => {
    const listed = items(await caller.get("/v1/stores")).map(({ name }) => name);
    const read = await Promise.all(["S-1", "S-2", "S-3"].map((id) => caller.get(`/v1/stores/${id}`)));
    expect(read.map(({ body }) => body.name)).toEqual(listed.slice(0, 3));
    return listed.slice(0, 3);
  };
  const own = { ...[...stores.values()][0], externalId: "S-2", name: "set" } as Store;
  for (const round of ["once", "twice"]) {
    await names();
    for (const store of stores.values()) store.name = `values ${round}`;
    expect(await names()).toEqual(Array.from({ length: 3 }, () => `values ${round}`));
    stores.forEach((store, key) => (store.name = `${key} ${round}`));
    expect(await names()).toEqual([`S-1 ${round}`, `S-2 ${round}`, `S-3 ${round}`]);
    stores.set("S-2", own);
    expect((await names())[1]).toBe(own.name);
    own.name = `set before ${round}`;
    expect((await names())[1]).toBe(`set before ${round}`);
    await caller.put("/v1/stores/S-3", { name: `put ${round}` });
    expect((await names())[2]).toBe(`put ${round}`);
    caller.ref.reset();
  }
});

test("a row that a test holds keeps its opening times when the store is written again", async () => {
  for (const renamed of ["S-1", "R-1"]) {
    const caller = new Caller({ store: { stores: 2 }, readings: { "stores.body-external-id": "renames" } });
    const held = caller.ref.state.store.stores.get("S-1");
    await caller.put("/v1/stores/S-1", { name: "Written", externalId: renamed });
    expect((await caller.get(`/v1/stores/${renamed}`)).body.openingTimes).toEqual(held?.openingTimes);
    held?.openingTimes.push({ weekday: 6, from: "00:00", to: "24:00" });
    const { body } = await caller.get(`/v1/stores/${renamed}`);
    expect(body.openingTimes).toEqual(held?.openingTimes);
    expect(items(await caller.get("/v1/stores"))).toContainEqual(body);
  }
});

test("many changes at once keep a list in order", async () => {
  const caller = new Caller({ store: { stores: 3 } });
  const { stores } = caller.ref.state.store;
  const [store] = stores.values();
  await caller.get("/v1/stores");
  for (let number = 100; number > 0; number--) {
    if (store) stores.set(`B-${number}`, { ...store, externalId: `B-${number}` });
  }
  await caller.put("/v1/stores/B-1x", {});
  stores.delete("B-2");
  const listed = items(await caller.get("/v1/stores")).map(({ externalId }) => externalId);
  expect(listed).toEqual([...stores.keys()].toSorted().slice(0, 100));
});

test("restore() returns to a snapshot, any number of times", async () => {
  const caller = new Caller();
  await caller.put("/v1/stores/N-1", { name: "Before" });
  const before = caller.ref.snapshot();
  const { body: whole } = await caller.get("/v1/stores?limit=5");
  for (let round = 0; round < 2; round++) {
    const made = await caller.put("/v1/stores/N-2", {});
    const store = caller.ref.state.store.stores.get("N-1");
    if (store) store.name = "After";
    caller.ref.clock.advance({ days: 1 });
    caller.ref.restore(before);
    expect((await caller.get("/v1/stores?limit=5")).body).toEqual(whole);
    expect((await caller.get("/v1/stores/N-1")).body.name).toBe("Before");
    expect((await caller.get("/v1/stores/N-2")).status).toBe(404);
    expect(caller.ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
    expect((await caller.put("/v1/stores/N-2", {})).body).toEqual(made.body);
    caller.ref.restore(before);
  }
});

test("a server rejects the snapshot of another server", () => {
  const [one, other] = [createReferenceServer(), createReferenceServer()];
  expect(() => one.restore(other.snapshot())).toThrow(/another reference server/);
  expect(() => one.restore({} as never)).toThrow(/not a snapshot/);
});

test("reset() returns everything to the seed", async () => {
  const caller = new Caller();
  const { ref } = caller;
  const [store, made] = [await caller.get("/v1/stores/S-1"), await caller.put("/v1/stores/N-1", {})];
  const [key] = ref.keys;
  ref.clock.advance({ weeks: 1 });
  ref.on("getStore").always({ status: 500 });
  ref.switchReadings({ "stores.omitted-fields": "reset" });
  if (key) key.revoked = true;
  ref.state.store.stores.delete("S-1");
  ref.reset();
  expect(ref.journal.all()).toEqual([]);
  expect(ref.clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(ref.readings["stores.omitted-fields"]).toBe("keep");
  expect(key).not.toHaveProperty("revoked");
  expect((await caller.get("/v1/stores/S-1")).body).toEqual(store.body);
  expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
  expect((await caller.put("/v1/stores/N-1", {})).body).toEqual(made.body);
});

test("two servers without options are equal, and another seed gives other data", async () => {
  const [one, same, other] = [new Caller(), new Caller(), new Caller({ seed: 2 })];
  for (const path of [
    "/v1/stores?limit=20",
    "/v1/stores/S-7/contacts",
    `/v1/stores/S-7/photos?${ALL_TIME}`,
  ]) {
    const first = await one.get(path);
    expect((await same.get(path)).body).toEqual(first.body);
    expect((await other.get(path)).body).not.toEqual(first.body);
  }
  expect([same.ref.token, same.ref.keys]).toEqual([one.ref.token, one.ref.keys]);
  expect(other.ref.token).not.toBe(one.ref.token);
});

test("the order of access does not change the data", () => {
  const [forward, backward] = [createReferenceServer(), createReferenceServer()];
  const photos = forward.state.store.photos.get("S-9");
  backward.state.store.stores.get("S-100");
  expect(backward.state.store.photos.get("S-9")).toEqual(photos);
});
