import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { heap, heapAfterMinorCollection } from "../proof/heap.ts";

// the only test of its process: collections are rarer in a heap that was larger before

test("minor garbage collections free the memory of listed stores", async () => {
  const ref = createReferenceServer({ store: { stores: 30_000 } });
  const headers = { authorization: `Bearer ${ref.token}` };
  const readAll = async (): Promise<void> => {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = cursor === "" ? "" : `&cursor=${cursor}`;
      const response = await ref.fetch(`${ref.storeUrl}/v1/stores?limit=100${query}`, { headers });
      ({ nextCursor: cursor } = (await response.json()) as { nextCursor: string | null });
    }
  };
  await readAll(); // loads and compiles
  heap();
  const before = heapAfterMinorCollection();
  await readAll();
  expect((heapAfterMinorCollection() - before) / 30_000).toBeLessThan(400);
});
