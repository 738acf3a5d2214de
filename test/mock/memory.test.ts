import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";

test("a seed of 100 000 stores takes little memory until the stores are accessed", () => {
  const before = process.memoryUsage().heapUsed;
  const { state } = createReferenceServer({ store: { stores: 100_000 } });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
  expect(state.store.stores.size).toBe(100_000);
});
