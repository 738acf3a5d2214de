import { expect, test } from "vitest";
import { Caller } from "../caller.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";

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
