import { expect, test } from "vitest";
import type { Fetch } from "../../src/client/core/options/options.ts";
import { StoreClient } from "../../src/index.ts";
import { heap, heapAfterMinorCollection } from "../proof/heap.ts";

// the only test of its process: collections are rarer in a heap that was larger before

test("minor garbage collections free the memory of settled calls", async () => {
  const body = new TextEncoder().encode('{"storeId": "1", "externalId": "S"}');
  const fetch: Fetch = async () => new Response(body);
  const store = new StoreClient({ baseUrl: "http://127.0.0.1", token: "some-token", fetch });
  const makeCalls = async (): Promise<void> => {
    for (let call = 0; call < 2000; call += 1) await store.stores.get("S");
  };
  await makeCalls(); // loads and compiles
  heap();
  const before = heapAfterMinorCollection();
  await makeCalls();
  expect((heapAfterMinorCollection() - before) / 2000).toBeLessThan(1000);
});
