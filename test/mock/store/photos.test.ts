import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "../caller.ts";

const { limit } = storeQueryLimits.listPhotos;

const DISPLAY = "11111111-1111-4111-8111-11111111111a";
const at = (number: number) => `2025-12-01T00:00:0${number}Z`;
const photo = (number: number, protocolId: string, status: string) => ({
  photoId: `I-${number}`,
  protocolId,
  status,
  createdAt: at(number),
  ...(number === 1 && { expositionId: DISPLAY }),
});

const SEED: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P-done", status: "completed" },
    { protocolId: "P-running", status: "processing" },
  ],
  photos: [
    photo(1, "P-done", "completed"),
    photo(2, "P-done", "failed"),
    photo(3, "P-running", "completed"),
    photo(4, "P-running", "annotating"),
  ],
};

const caller = (readings: ReadingsOption = {}) => new Caller({ store: { stores: [SEED] }, readings });
const PATH = `/v1/stores/S-1/photos?${ALL_TIME}`;
const ids = (rows: { photoId?: unknown }[]) => rows.map(({ photoId }) => photoId);

test("GET photos filters by protocol and by exposition", async () => {
  expect(ids(items(await caller().get(`${PATH}&protocolId=P-running`)))).toEqual(["I-3", "I-4"]);
  expect(ids(items(await caller().get(`${PATH}&expositionId=${DISPLAY.toUpperCase()}`)))).toEqual(["I-1"]);
});

test("GET photos returns a default page without a limit (store 8)", async () => {
  const many = new Caller({ store: { stores: 1, protocolsPerStore: limit.default + 20 } });
  expect(items(await many.get(PATH))).toHaveLength(limit.default);
});
