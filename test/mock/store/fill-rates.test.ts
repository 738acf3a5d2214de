import { expect, test } from "vitest";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, type ParsedResponse } from "../caller.ts";

const COLD = "11111111-1111-4111-8111-11111111111a";
const BREAD = "22222222-2222-4222-8222-22222222222b";
const REGION = "33333333-3333-4333-8333-33333333333c";
/** A Monday, and the Tuesday of the next week. */
const MONDAY = "2025-12-01T09:00:00Z";
const TUESDAY = "2025-12-09T09:00:00Z";

const photo = (photoId: string, protocolId: string, expositionId: string, fillRate: number | null) => ({
  photoId,
  protocolId,
  expositionId,
  fillRate,
  status: fillRate === null ? "failed" : "completed",
  createdAt: MONDAY,
});

const FULL: StoreSeed = {
  externalId: "full",
  regionId: REGION,
  expositions: [
    { expositionId: COLD, expositionType: "FRIDGE_DRINKS", productCategories: ["DRINKS"] },
    { expositionId: BREAD, expositionType: "ROLLS_BREAD_RACK", productCategories: ["ROLLS", "BREADS"] },
  ],
  expectations: [{ displayType: "FRIDGE_DRINKS", weekday: 0, protocolTime: "08:00", expectedFillRatio: 50 }],
  protocols: [
    { protocolId: "P-1", status: "completed", createdAt: MONDAY },
    { protocolId: "P-2", status: "completed", createdAt: TUESDAY },
    { protocolId: "P-3", status: "failed", createdAt: TUESDAY },
  ],
  photos: [
    photo("I-1", "P-1", COLD, 40),
    photo("I-2", "P-1", BREAD, 80),
    photo("I-3", "P-2", COLD, 90.5),
    photo("I-4", "P-2", COLD, null),
    photo("I-5", "P-3", COLD, 10),
  ],
};

const EMPTY: StoreSeed = { externalId: "empty" };
const OTHER: StoreSeed = {
  externalId: "other",
  regionId: null,
  protocols: [{ protocolId: "P-9", createdAt: MONDAY }],
  photos: [photo("I-9", "P-9", COLD, 100)],
};

const caller = (readings: ReadingsOption = {}) =>
  new Caller({ store: { stores: [FULL, EMPTY, OTHER] }, readings });
const OWN = `/v1/stores/full/fill-rates?${ALL_TIME}`;
const ACROSS = `/v1/fill-rate?${ALL_TIME}`;
const DISPLAY = `/v1/stores/full/expositions/${COLD}/fill-rate?${ALL_TIME}`;

/** The key and the rate of each group. */
function groups({ body }: ParsedResponse): unknown[][] {
  return (body.groups as Record<string, unknown>[]).map((group) => Object.values(group).slice(0, 2));
}

test("GET fill-rates averages the completed photos of completed protocols, by protocol as the default", async () => {
  const seen = await caller().get(OWN);
  expect(seen.body).toMatchObject({ externalId: "full", groupBy: "protocol", status: "completed" });
  expect(groups(seen)).toEqual([
    ["P-1", 60],
    ["P-2", 90.5],
  ]);
  expect(seen.body.groups).toMatchObject([{ protocolId: "P-1", photoCount: 2 }, { photoCount: 1 }]);
});

test("GET fill-rate returns the fill rate of one exposition, and no rate without evaluated photos", async () => {
  const seen = await caller().get(DISPLAY);
  expect(seen.body).toMatchObject({ externalId: "full", expositionId: COLD });
  expect(groups(seen)).toEqual([[COLD, 65.25]]);
  expect(groups(await caller().get(`${DISPLAY}&status=processing`))).toEqual([]);
});

test("GET /v1/fill-rate limits the stores to the given external IDs", async () => {
  expect(groups(await caller().get(`${ACROSS}&externalIds=other,empty,other`))).toEqual([["other", 100]]);
  expect(groups(await caller().get(`${ACROSS}&externalIds=`))).toHaveLength(2);
});

test("the fill rates include a photo that is added to the state", async () => {
  const { ref, ...rest } = caller();
  expect(rest).toEqual({});
  const sender = new Caller(ref);
  ref.state.store.photos.get("other")?.push({ ...photo("I-10", "P-9", COLD, 0) });
  expect(groups(await sender.get(`${ACROSS}&externalIds=other`))).toEqual([["other", 50]]);
});
