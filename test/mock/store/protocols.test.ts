import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, issuePaths, items } from "../caller.ts";

const bounds = storeQueryLimits.listProtocols.limit;

const day = (number: number) => `2025-12-0${number}T00:00:00Z`;

const SEED: StoreSeed = {
  externalId: "S-1",
  protocols: [3, 1, 2].map((number) => ({
    protocolId: `P-${number}`,
    status: number === 2 ? "failed" : "completed",
    createdAt: day(number),
  })),
  photos: [
    { photoId: "I-1", protocolId: "P-1" },
    { photoId: "I-2", protocolId: "P-2" },
  ],
};

const caller = (readings: ReadingsOption = {}) => new Caller({ store: { stores: [SEED] }, readings });
const PATH = "/v1/stores/S-1/protocols";

test("GET protocols returns a default page without a limit (store 8)", async () => {
  const many = new Caller({ store: { stores: 1, protocolsPerStore: bounds.default + 1 } });
  const seen = await many.get(`${PATH}?${ALL_TIME}`);
  expect(items(seen)).toHaveLength(bounds.default);
  expect(seen.body.nextCursor).not.toBeNull();
});

test("requests.unknown-properties: rejected does not affect the cursor, which protocols.next-page decides", async () => {
  const sender = caller({ "requests.unknown-properties": "rejected", "protocols.next-page": "ignored" });
  expect((await sender.get(`${PATH}?${ALL_TIME}&cursor=x`)).status).toBe(200);
  expect(issuePaths(await sender.get(`${PATH}?${ALL_TIME}&page=2`))).toEqual(["page"]);
});
