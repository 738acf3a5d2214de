import { load } from "../package-under-test.ts";
import { storesFetch, token } from "../responses.ts";
import type { Scenario, Setting } from "../scenario.ts";

type Visit = (store: { name: string }) => void;

async function walkWithClient(count: number, visit: Visit): Promise<void> {
  const { StoreClient } = await load("store");
  const { stores } = new StoreClient({ baseUrl: "https://api.example", token, fetch: storesFetch(count) });
  for await (const store of stores.list({ limit: 100 })) visit(store);
}

async function walkWithParse(count: number, visit: Visit): Promise<void> {
  const fetch = storesFetch(count);
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const response = await fetch(`https://api.example/v1/stores?limit=100&cursor=${cursor}`);
    const page = JSON.parse(await response.text()) as {
      items: { name: string }[];
      nextCursor: string | null;
    };
    for (const store of page.items) visit(store);
    cursor = page.nextCursor;
  }
}

/** Thousands of stores per second, or the growth of the heap in MB after the first tenth of the walk. */
export function prepare(contender: string, { isMemory = false }: Setting): Scenario {
  const walk = contender === "shelfleet" ? walkWithClient : walkWithParse;
  return {
    async run(stores) {
      let [seen, letters, heap] = [0, 0, heapInUse()];
      const start = performance.now();
      await walk(stores, ({ name }) => {
        seen += 1;
        letters += name.length;
        if (isMemory && seen === stores / 10) heap = heapInUse();
      });
      const ms = performance.now() - start;
      if (seen !== stores || letters < seen) throw new Error(`saw ${seen} of ${stores} stores`);
      return isMemory ? Math.max(0, heapInUse() - heap) / 1e6 : stores / ms;
    },
  };
}

function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
