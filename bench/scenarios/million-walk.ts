import { token } from "../responses.ts";
import { storeModule } from "../build.ts";
import type { Scenario } from "../scenario.ts";
import { pagesFetch } from "./stub-pages.ts";

type Visit = (store: { name: string }) => void;

/** A walk over the given number of stores that visits each of them. */
export type Walk = (stores: number, visit: Visit) => Promise<void>;

interface Page {
  items: { name: string }[];
  nextCursor: string | null;
}

const walks: Record<string, () => Promise<Walk>> = {
  async shelfleet() {
    const { StoreClient } = await storeModule();
    return async (stores, visit) => {
      const client = new StoreClient({ baseUrl: "https://api.example", token, fetch: pagesFetch(stores) });
      for await (const store of client.stores.list({ limit: 100 })) visit(store);
    };
  },
  async "json-parse"() {
    return async (stores, visit) => {
      const fetch = pagesFetch(stores);
      for (let cursor: string | null = "0"; cursor !== null; ) {
        const response = await fetch(`https://api.example/v1/stores?limit=100&cursor=${cursor}`);
        const page = JSON.parse(await response.text()) as Page;
        for (const store of page.items) visit(store);
        cursor = page.nextCursor;
      }
    };
  },
};

export async function walkOf(contender: string): Promise<Walk> {
  const walk = walks[contender];
  if (walk === undefined) throw new Error(`nobody walks by the name of ${contender}`);
  return walk();
}

/** Thousands of stores per second. */
export async function prepare(contender: string): Promise<Scenario> {
  const walk = await walkOf(contender);
  return {
    async run(stores) {
      globalThis.gc?.();
      let seen = 0;
      let letters = 0;
      const start = performance.now();
      await walk(stores, ({ name }) => {
        seen += 1;
        letters += name.length;
      });
      const ms = performance.now() - start;
      if (seen !== stores || letters < seen) throw new Error(`saw ${seen} of ${stores} stores`);
      return stores / ms;
    },
  };
}
