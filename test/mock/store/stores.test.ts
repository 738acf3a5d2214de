import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { growth } from "../../proof/growth.ts";
import { Caller, items } from "../caller.ts";

const { limit } = storeQueryLimits.listStores;

test("GET /v1/stores returns a default page without a limit (store 8)", async () => {
  const page = await new Caller({ store: { stores: limit.default + 1 } }).get("/v1/stores");
  expect(items(page)).toHaveLength(limit.default);
});

test("GET /v1/stores returns the last page of 100 000 stores as fast as the first", async () => {
  const { ref } = new Caller({ store: { stores: 100_000 } });
  const request = (target: string) =>
    ref.respond({ base: "store", method: "GET", target, authorization: `Bearer ${ref.token}` });
  const [first, last] = ["/v1/stores?limit=100", "/v1/stores?limit=100&cursor=S-99908"];
  expect(JSON.parse(request(last).body ?? "")).toMatchObject({ nextCursor: null });
  const work = (factor: number): void => {
    for (let round = 0; round < 20; round++) request(factor === 1 ? first : last);
  };
  expect(await growth(work, 0.5)).toBeLessThan(0.5);
});
