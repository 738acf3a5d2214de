import { expect, test } from "vitest";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, type ParsedResponse, code, issuePaths } from "../caller.ts";

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

test("GET fill-rates groups by exposition and by category, where an exposition of two categories counts in both", async () => {
  expect(groups(await caller().get(`${OWN}&groupBy=exposition`))).toEqual([
    [COLD, 65.25],
    [BREAD, 80],
  ]);
  const categories = await caller().get(`${OWN}&groupBy=category`);
  expect(groups(categories)).toEqual([
    ["BREADS", 80],
    ["DRINKS", 65.25],
    ["ROLLS", 80],
  ]);
});

test("GET fill-rates counts the protocols of another status on request, and only those of the range", async () => {
  expect(groups(await caller().get(`${OWN}&status=failed`))).toEqual([["P-3", 10]]);
  const within = `/v1/stores/full/fill-rates?from=2025-12-08T00:00:00Z&to=2025-12-10T00:00:00Z`;
  expect(groups(await caller().get(within))).toEqual([["P-2", 90.5]]);
});

test("GET fill-rate returns the fill rate of one exposition, and no rate without evaluated photos", async () => {
  const seen = await caller().get(DISPLAY);
  expect(seen.body).toMatchObject({ externalId: "full", expositionId: COLD });
  expect(groups(seen)).toEqual([[COLD, 65.25]]);
  expect(groups(await caller().get(`${DISPLAY}&status=processing`))).toEqual([]);
});

test.for([
  [
    "store",
    [
      ["full", 70.17],
      ["other", 100],
    ],
  ],
  [
    "region",
    [
      [REGION, 70.17],
      [null, 100],
    ],
  ],
  [
    "expositionType",
    [
      ["FRIDGE_DRINKS", 65.25],
      ["ROLLS_BREAD_RACK", 80],
    ],
  ],
  [
    "productCategory",
    [
      ["BREADS", 80],
      ["DRINKS", 65.25],
      ["ROLLS", 80],
    ],
  ],
  [
    "day",
    [
      ["2025-12-01", 73.33],
      ["2025-12-09", 90.5],
    ],
  ],
  [
    "week",
    [
      ["2025-12-01", 73.33],
      ["2025-12-08", 90.5],
    ],
  ],
] as const)("GET /v1/fill-rate groups by %s", async ([groupBy, expected]) => {
  expect(groups(await caller().get(`${ACROSS}&groupBy=${groupBy}`))).toEqual(expected);
});

test("GET /v1/fill-rate groups by store as the default", async () => {
  const { body } = await caller().get(ACROSS);
  expect(body).toMatchObject({ groupBy: "store", status: "completed" });
});

test("GET /v1/fill-rate limits the stores to the given external IDs", async () => {
  expect(groups(await caller().get(`${ACROSS}&externalIds=other,empty,other`))).toEqual([["other", 100]]);
  expect(groups(await caller().get(`${ACROSS}&externalIds=`))).toHaveLength(2);
});

test.for([
  [`/v1/stores/full/fill-rates`, ["from", "to"]],
  [`${OWN}&groupBy=store`, ["groupBy"]],
  [`${OWN}&status=done`, ["status"]],
  [`${ACROSS}&groupBy=category`, ["groupBy"]],
  [`${ACROSS}&minFillRate=-1`, ["minFillRate"]],
  [`${ACROSS}&minFillRate=x`, ["minFillRate"]],
  [`${ACROSS}&minFillRate=100.5`, ["minFillRate"]],
  [`${ACROSS}&maxFillRate=100.5`, ["maxFillRate"]],
  [`${ACROSS}&maxFillRate=-1`, ["maxFillRate"]],
  [`${ACROSS}&belowExpectationOnly=yes`, ["belowExpectationOnly"]],
  [`/v1/stores/full/expositions/${COLD}/fill-rate`, ["from", "to"]],
] as const)("the fill rate operations reject %s and name %j", async ([path, paths]) => {
  const refused = await caller().get(path);
  expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", paths]);
});

test("GET /v1/fill-rate accepts bounds of 0 and 100 (store 8)", async () => {
  expect(groups(await caller().get(`${ACROSS}&minFillRate=0&maxFillRate=100`))).toHaveLength(2);
});

test("the fill rate operations respond with 404 for an unknown store and an unknown exposition", async () => {
  const unknown = DISPLAY.replace(COLD, REGION);
  for (const path of [OWN.replace("full", "none"), DISPLAY.replace("full", "none"), unknown]) {
    expect((await caller().get(path)).status).toBe(404);
  }
});

test("fill-rates.calculation: fraction returns the same mean as 0 to 1, with bounds from 0 to 100", async () => {
  const sender = caller({ "fill-rates.calculation": "fraction" });
  expect(groups(await sender.get(`${ACROSS}&minFillRate=80`))).toEqual([["other", 1]]);
  expect(groups(await sender.get(DISPLAY))).toEqual([[COLD, 0.6525]]);
});

test("fill-rates.shape: items renames the array", async () => {
  const { body } = await caller({ "fill-rates.shape": "items" }).get(ACROSS);
  expect(body.items).toHaveLength(2);
  expect(body).not.toHaveProperty("groups");
});

test("fill-rates.bounds decides whether a rate equal to the bound is kept, and whether bounds are ignored", async () => {
  const groupsUnder = async (reading: "inclusive" | "exclusive" | "ignored") =>
    groups(await caller({ "fill-rates.bounds": reading }).get(`${ACROSS}&minFillRate=100`));
  expect(await groupsUnder("inclusive")).toEqual([["other", 100]]);
  expect(await groupsUnder("exclusive")).toEqual([]);
  expect(await groupsUnder("ignored")).toHaveLength(2);
});

test("fill-rates.inverted-bounds decides whether inverted bounds are rejected or give no groups", async () => {
  const inverted = `${ACROSS}&minFillRate=60&maxFillRate=40`;
  expect(issuePaths(await caller().get(inverted))).toEqual(["minFillRate"]);
  for (const bounds of ["inclusive", "ignored"] as const) {
    const sender = caller({ "fill-rates.inverted-bounds": "empty", "fill-rates.bounds": bounds });
    expect(groups(await sender.get(inverted))).toEqual([]);
  }
});

test("fill-rates.below-expectation decides whether groups or stores below the expectation are kept, or all", async () => {
  const groupsUnder = async (reading: "groups" | "stores" | "ignored", groupBy: string) => {
    const sender = caller({ "fill-rates.below-expectation": reading });
    return groups(await sender.get(`${ACROSS}&belowExpectationOnly=true&groupBy=${groupBy}`));
  };
  // On Monday the fridge has 40 of the expected 50; the average of all days is above the expectation.
  expect(await groupsUnder("groups", "day")).toEqual([]);
  expect(await groupsUnder("groups", "store")).toEqual([]);
  expect(await groupsUnder("stores", "store")).toEqual([]);
  expect(await groupsUnder("ignored", "store")).toHaveLength(2);
});

test("fill-rates.below-expectation keeps an exposition below its expectation", async () => {
  const monday = "/v1/fill-rate?from=2025-12-01T00:00:00Z&to=2025-12-02T00:00:00Z&belowExpectationOnly=true";
  const groupsUnder = async (readings: ReadingsOption, groupBy: string) =>
    groups(await caller(readings).get(`${monday}&groupBy=${groupBy}`));
  const mondayIsZero = { "weekdays.first": "monday" } as const;
  expect(await groupsUnder(mondayIsZero, "productCategory")).toEqual([["DRINKS", 40]]);
  expect(
    await groupsUnder({ ...mondayIsZero, "fill-rates.below-expectation": "stores" }, "productCategory"),
  ).toEqual([
    ["BREADS", 80],
    ["DRINKS", 40],
    ["ROLLS", 80],
  ]);
  expect(
    await groupsUnder({ ...mondayIsZero, "expectations.null-category": "no-meaning" }, "productCategory"),
  ).toEqual([]);
  expect(await groupsUnder({}, "productCategory")).toEqual([]);
});

test("fill-rates.unknown-stores decides whether unknown stores are skipped or rejected", async () => {
  expect(groups(await caller().get(`${ACROSS}&externalIds=none,other`))).toHaveLength(1);
  const strict = caller({ "fill-rates.unknown-stores": "rejected" });
  expect(issuePaths(await strict.get(`${ACROSS}&externalIds=none,other`))).toEqual(["externalIds"]);
});

test("fill-rates.exposition-id decides whether an ID that is not a UUID is invalid or not found", async () => {
  const path = DISPLAY.replace(COLD, "no-uuid");
  const strict = caller({ "fill-rates.exposition-id": "invalid" });
  expect(issuePaths(await strict.get(path))).toEqual(["expositionId"]);
  expect((await caller().get(path)).status).toBe(404);
});

test("the fill rates include a photo that is added to the state", async () => {
  const { ref, ...rest } = caller();
  expect(rest).toEqual({});
  const sender = new Caller(ref);
  ref.state.store.photos.get("other")?.push({ ...photo("I-10", "P-9", COLD, 0) });
  expect(groups(await sender.get(`${ACROSS}&externalIds=other`))).toEqual([["other", 50]]);
});
