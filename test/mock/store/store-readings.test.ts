import { expect, test } from "vitest";
import { Caller, type ParsedResponse, items } from "../caller.ts";

const externalIds = (page: ParsedResponse) => items(page).map(({ externalId }) => externalId);

test("the default seed has stores without an external ID, and a seed of a given size has no such stores", async () => {
  const byDefault = new Caller().ref.state.store;
  expect([byDefault.stores.size, byDefault.storesWithoutId.size]).toEqual([250, 2]);
  expect(new Caller({ store: { stores: 3 } }).ref.state.store.storesWithoutId.size).toBe(0);
});

test("a store is listed with any external ID", async () => {
  const caller = new Caller({ store: { stores: 1, storesWithoutId: 1 } });
  const odd = "\uffffstore without external ID";
  await caller.put(`/v1/stores/${encodeURIComponent(odd)}`, { name: "odd" });
  expect(externalIds(await caller.get("/v1/stores"))).toEqual(["S-1", odd, null]);
});
