import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import type { StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, issuePaths, items } from "../caller.ts";

const EXPOSITION = "11111111-1111-4111-8111-11111111111a";

const SEED: StoreSeed = {
  externalId: "S-1",
  protocols: [{ protocolId: "P-1" }, { protocolId: "P-2" }],
  photos: [
    { photoId: "I-1", protocolId: "P-1", expositionId: EXPOSITION },
    { photoId: "I-2", protocolId: "P-2" },
    { photoId: "I-3", protocolId: "P-2" },
  ],
};

test.each([
  ["/v1/stores?", storeQueryLimits.listStores.limit.default],
  [`/v1/stores/S-1/protocols?${ALL_TIME}`, storeQueryLimits.listProtocols.limit.default],
  [`/v1/stores/S-1/photos?${ALL_TIME}`, storeQueryLimits.listPhotos.limit.default],
])("GET %s returns a page of %d rows without a limit (store 8)", async (path, length) => {
  const page = await new Caller({ store: { stores: 150, protocolsPerStore: 150 } }).get(path);
  expect(items(page)).toHaveLength(length);
  expect(page.body.nextCursor).not.toBeNull();
});

test.each([
  ["protocolId=P-2", ["I-2", "I-3"]],
  [`expositionId=${EXPOSITION.toUpperCase()}`, ["I-1"]],
])("GET photos filters by %s", async (filter, ids) => {
  const caller = new Caller({ store: { stores: [SEED] } });
  const photos = items(await caller.get(`/v1/stores/S-1/photos?${ALL_TIME}&${filter}`));
  expect(photos.map(({ photoId }) => photoId)).toEqual(ids);
});

test("strict rejects an unknown parameter, and not the cursor that protocols.next-page decides", async () => {
  const readings = { "protocols.next-page": "ignored" } as const;
  const caller = new Caller({ store: { stores: [SEED] }, strict: true, readings });
  const path = `/v1/stores/S-1/protocols?${ALL_TIME}`;
  expect((await caller.get(`${path}&cursor=x`)).status).toBe(200);
  expect(issuePaths(await caller.get(`${path}&page=2`))).toEqual(["page"]);
});

test("the default seed has stores without an external ID, and a seed of a given size has no such stores", () => {
  const byDefault = new Caller().ref.state.store;
  expect([byDefault.stores.size, byDefault.storesWithoutId.size]).toEqual([250, 2]);
  expect(new Caller({ store: { stores: 3 } }).ref.state.store.storesWithoutId.size).toBe(0);
});

test("a store is listed with any external ID", async () => {
  const caller = new Caller({ store: { stores: 1, storesWithoutId: 1 } });
  const odd = "\uffffstore without external ID";
  await caller.put(`/v1/stores/${encodeURIComponent(odd)}`, { name: "odd" });
  const ids = items(await caller.get("/v1/stores")).map(({ externalId }) => externalId);
  expect(ids).toEqual(["S-1", odd, null]);
});

test("a PUT of too many expositions says how many there may be and how many there are", async () => {
  const element = { label: "L", productCategories: [], expositionType: "FRIDGE_DRINKS" };
  const response = await new Caller().put("/v1/stores/S-1/expositions", {
    expositions: Array.from({ length: 501 }, () => element),
  });
  expect(response.status).toBe(400);
  expect(JSON.stringify(response.body)).toContain("must have at most 500 elements, not 501");
});

test("a PUT of expositions changes nothing if one of several elements is rejected", async () => {
  const readings = { "expositions.unknown-id": "not-found" } as const;
  const caller = new Caller({ store: { stores: 1 }, readings });
  const path = "/v1/stores/S-1/expositions";
  const before = items(await caller.get(path));
  const [known] = before;
  const expositions = [
    { ...known, label: "New" },
    { ...known, expositionId: EXPOSITION },
  ];
  expect((await caller.put(path, { expositions })).status).toBe(404);
  expect(items(await caller.get(path))).toEqual(before);
});
