import { load } from "../package-under-test.ts";
import { storesFetch, token } from "../responses.ts";
import { perItem, type Scenario, type Setting, startClock } from "../scenario.ts";

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

/** The time in µs for each store, or the growth of the heap in MB after the first tenth of the walk. */
export function prepare(contender: string, { isMemory = false }: Setting): Scenario {
  const walk = contender === "shelfleet" ? walkWithClient : walkWithParse;
  return {
    async run(stores) {
      let [seen, letters, heap] = [0, 0, 0];
      const read = startClock();
      await walk(stores, ({ name }) => {
        seen += 1;
        letters += name.length;
        if (isMemory && seen === stores / 10) heap = heapInUse();
      });
      const times = read();
      if (seen !== stores || letters < seen) throw new Error(`saw ${seen} of ${stores} stores`);
      return isMemory ? Math.max(0, heapInUse() - heap) / 1e6 : perItem(times, stores / 1000);
    },
  };
}

/** The heap after a collection. No row measures a time beside it. */
function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
