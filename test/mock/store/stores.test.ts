import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { Caller, items } from "../caller.ts";

const { limit } = storeQueryLimits.listStores;

test("GET /v1/stores returns a default page without a limit (store 8)", async () => {
  const page = await new Caller({ store: { stores: limit.default + 1 } }).get("/v1/stores");
  expect(items(page)).toHaveLength(limit.default);
});
