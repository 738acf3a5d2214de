import { expect, test } from "vitest";
import { storeBodyLimits } from "../../../generated/store.limits.ts";
import { Caller, issuePaths, items } from "../caller.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";

const { maxItems } = storeBodyLimits.ExpositionUpsert.expositions;

const PATH = "/v1/stores/S-1/expositions";
const ONE = "11111111-1111-4111-8111-11111111111a";
const TWO = "22222222-2222-4222-8222-22222222222b";
const NEW = "33333333-3333-4333-8333-33333333333c";
const element = { label: "Fridge", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" } as const;

const SEED: StoreSeed = {
  externalId: "S-1",
  expositions: [
    {
      ...element,
      productCategories: ["DRINKS"],
      expositionId: ONE,
      friendlyTitle: "Cold",
      status: "disabled",
    },
    { expositionId: TWO, label: "Rack", productCategories: [], expositionType: "ROLLS_BREAD_RACK" },
  ],
};

const caller = (readings: ReadingsOption = {}) => new Caller({ store: { stores: [SEED] }, readings });

test("PUT expositions updates the exposition with an ID, also in capitals, and uses status active by default (store 3)", async () => {
  const listed = items(
    await caller().put(PATH, { expositions: [{ ...element, expositionId: ONE.toUpperCase() }] }),
  );
  expect(listed[0]).toEqual({ ...element, expositionId: ONE, friendlyTitle: null, status: "active" });
});

test.for([
  [maxItems, 200],
  [maxItems + 1, 400],
] as const)(
  "PUT expositions accepts at most as many elements as the contract allows: %i is %i (store 8)",
  async ([count, status]) => {
    const seen = await caller().put(PATH, { expositions: Array.from({ length: count }, () => element) });
    expect(seen.status).toBe(status);
  },
);

test.for([
  ["always-new", [element], [false]],
  ["label", [{ ...element, expositionType: "FRIDGE_SALADS" }], [true]],
  ["label", [{ ...element, label: "Other" }], [false]],
  ["type", [{ ...element, label: "Other" }], [true]],
  ["type", [{ ...element, expositionType: "FRIDGE_SALADS" }], [false]],
  ["label-and-type", [element], [true]],
  ["label-and-type", [{ ...element, label: "Other" }], [false]],
  ["label", [element, element], [true, true]],
  [
    "type",
    [
      { ...element, label: "Other" },
      { ...element, expositionId: ONE },
    ],
    [false, true],
  ],
  [
    "label",
    [
      { ...element, label: "New" },
      { ...element, label: "New" },
    ],
    [false, false],
  ],
] as const)(
  "expositions.matching: %s decides which stored exposition %j means: %j",
  async ([reading, expositions, matched]) => {
    const listed = items(await caller({ "expositions.matching": reading }).put(PATH, { expositions }));
    expect(listed).toHaveLength(2 + matched.filter((found) => !found).length);
  },
);

test("expositions.omitted-title decides whether an omitted title is cleared or kept; null always clears it", async () => {
  for (const [reading, title] of [
    ["cleared", null],
    ["kept", "Cold"],
  ] as const) {
    const sender = caller({ "expositions.omitted-title": reading });
    const [first] = items(await sender.put(PATH, { expositions: [{ ...element, expositionId: ONE }] }));
    expect(first?.friendlyTitle).toBe(title);
    const nulled = { ...element, expositionId: ONE, friendlyTitle: null };
    expect(items(await sender.put(PATH, { expositions: [nulled] }))[0]?.friendlyTitle).toBeNull();
  }
});

test("expositions.unknown-id decides whether an unknown ID is used, replaced, not found or invalid", async () => {
  const send = (reading: "created" | "created-with-new-id" | "not-found" | "invalid") =>
    caller({ "expositions.unknown-id": reading }).put(PATH, {
      expositions: [{ ...element, expositionId: NEW }],
    });
  expect(items(await send("created")).at(-1)?.expositionId).toBe(NEW);
  const anew = items(await send("created-with-new-id"));
  expect(anew).toHaveLength(3);
  expect(anew.at(-1)?.expositionId).not.toBe(NEW);
  expect((await send("not-found")).status).toBe(404);
  expect(issuePaths(await send("invalid"))).toEqual(["expositions.0.expositionId"]);
});

test("PUT expositions changes nothing if one of several elements is rejected", async () => {
  const sender = caller({ "expositions.unknown-id": "not-found" });
  const before = await sender.get(PATH);
  const expositions = [
    { ...element, expositionId: ONE },
    { ...element, expositionId: NEW },
  ];
  expect((await sender.put(PATH, { expositions })).status).toBe(404);
  expect((await sender.get(PATH)).body).toEqual(before.body);
});

test("lists.duplicates decides about two expositions with one ID", async () => {
  const expositions = [
    { ...element, expositionId: ONE, label: "first" },
    { ...element, expositionId: ONE.toUpperCase(), label: "second" },
  ];
  const send = (reading: "accepted" | "last-wins" | "rejected") =>
    caller({ "lists.duplicates": reading }).put(PATH, { expositions });
  expect(items(await send("accepted"))[0]).toMatchObject({ expositionId: ONE, label: "second" });
  expect(items(await send("last-wins"))[0]).toMatchObject({ expositionId: ONE, label: "second" });
  expect(issuePaths(await send("rejected"))).toEqual(["expositions.1"]);
});
