import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";

test("100 000 stores take a small part of their memory until they are accessed", () => {
  const before = process.memoryUsage().heapUsed;
  const { state } = createReferenceServer({ store: { stores: 100_000 } });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
  expect(state.store.stores.size).toBe(100_000);
});
