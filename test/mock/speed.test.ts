import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";

/** Far above what a machine at rest needs, so that a busy one does not fail. */
test("100 000 stores are there at once, and a small part of their memory", () => {
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  const { state } = createReferenceServer({ store: { stores: 100_000 } });
  expect(performance.now() - start).toBeLessThan(500);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
  expect(state.store.stores.size).toBe(100_000);
});

test("a read of one store takes a few microseconds", () => {
  const ref = createReferenceServer();
  const request = {
    base: "store",
    method: "GET",
    target: "/v1/stores/S-1",
    authorization: `Bearer ${ref.token}`,
  } as const;
  const time = () => {
    const start = performance.now();
    for (let turn = 0; turn < 5000; turn++) ref.answer(request);
    return (performance.now() - start) / 5;
  };
  time();
  expect(time()).toBeLessThan(100);
});
