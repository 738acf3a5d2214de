import { expect, test } from "vitest";
import type { StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller } from "../caller.ts";

const COLD = "11111111-1111-4111-8111-11111111111a";
const BREAD = "22222222-2222-4222-8222-22222222222b";
const [MONDAY, TUESDAY] = ["2025-12-01T09:00:00Z", "2025-12-09T09:00:00Z"];

const FULL: StoreSeed = {
  externalId: "full",
  regionId: COLD,
  expositions: [
    { expositionId: COLD, expositionType: "FRIDGE_DRINKS", productCategories: ["DRINKS"] },
    { expositionId: BREAD, expositionType: "ROLLS_BREAD_RACK", productCategories: ["ROLLS", "BREADS"] },
  ],
  expectations: [{ displayType: "FRIDGE_DRINKS", weekday: 1, expectedFillRatio: 50 }],
  protocols: [
    { protocolId: "P-1", createdAt: MONDAY },
    { protocolId: "P-2", createdAt: TUESDAY },
    { protocolId: "P-3", status: "failed", createdAt: TUESDAY },
  ],
  photos: [
    { protocolId: "P-1", expositionId: COLD, fillRate: 40 },
    { protocolId: "P-1", expositionId: BREAD, fillRate: 80 },
    { protocolId: "P-2", expositionId: COLD, fillRate: 90.5 },
    { protocolId: "P-2", expositionId: COLD, status: "failed" },
    { protocolId: "P-3", expositionId: COLD, fillRate: 10 },
  ],
};
const OTHER: StoreSeed = {
  externalId: "other",
  regionId: null,
  protocols: [{ protocolId: "P-9", createdAt: MONDAY }],
  photos: [{ protocolId: "P-9", expositionId: COLD, fillRate: 100 }],
};

const OWN = "/v1/stores/full";

test.for<[path: string, rates: Record<string, number>]>([
  [`${OWN}/fill-rates?`, { "P-1": 60, "P-2": 90.5 }],
  [`${OWN}/fill-rates?groupBy=exposition`, { [COLD]: 65.25, [BREAD]: 80 }],
  [`${OWN}/fill-rates?groupBy=category`, { BREADS: 80, DRINKS: 65.25, ROLLS: 80 }],
  [`${OWN}/fill-rates?status=processing`, {}],
  [`${OWN}/expositions/${COLD}/fill-rate?`, { [COLD]: 65.25 }],
  ["/v1/fill-rate?", { full: 70.17, other: 100 }],
  ["/v1/fill-rate?externalIds=other,empty,other", { other: 100 }],
  ["/v1/fill-rate?minFillRate=100", { other: 100 }],
  ["/v1/fill-rate?externalIds=other&maxFillRate=100", { other: 100 }],
  [`${OWN}/expositions/${COLD.toUpperCase()}/fill-rate?`, { [COLD]: 65.25 }],
  ["/v1/fill-rate?groupBy=region", { [COLD]: 70.17, null: 100 }],
  ["/v1/fill-rate?groupBy=week", { "2025-12-01": 73.33, "2025-12-08": 90.5 }],
  ["/v1/fill-rate?groupBy=day&minFillRate=80", { "2025-12-09": 90.5 }],
])("GET %s averages the completed photos of completed protocols: %j", async ([path, rates]) => {
  const caller = new Caller({ store: { stores: [FULL, { externalId: "empty" }, OTHER] } });
  const { body } = await caller.get(`${path}&${ALL_TIME}`);
  const groups = (body.groups as object[]).map(
    (group) => Object.values(group).slice(0, 2) as [string, number],
  );
  expect(Object.fromEntries(groups)).toEqual(rates);
});

test("a store that is named twice in externalIds counts once", async () => {
  const caller = new Caller({ store: { stores: [FULL] } });
  const { body } = await caller.get(`/v1/fill-rate?externalIds=full,full&${ALL_TIME}`);
  expect(body.groups).toEqual([{ externalId: "full", fillRate: 70.17, photoCount: 3 }]);
});

test("belowExpectationOnly keeps the groups below the mean of what is expected on the day", async () => {
  const caller = new Caller({ store: { stores: [FULL] } });
  const path = `/v1/fill-rate?groupBy=productCategory&belowExpectationOnly=true&from=${MONDAY}&to=${TUESDAY}`;
  const { body } = await caller.get(path);
  expect(body.groups).toEqual([{ productCategory: "DRINKS", fillRate: 40, photoCount: 1 }]);
});
