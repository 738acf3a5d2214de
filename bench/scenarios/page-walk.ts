import { setTimeout as sleep } from "node:timers/promises";
import { openOpenai } from "../clients.ts";
import { load } from "../package-under-test.ts";
import { key, pageSize, token } from "../responses.ts";
import { perItem, type Scenario, type Setting, startClock } from "../scenario.ts";

type Pages = AsyncIterable<unknown>;

const fleetBase = (baseUrl: string): string => `${baseUrl}/api/third-party/v1`;

async function cursorPages(baseUrl: string, prefetch: number): Promise<() => Pages> {
  const { StoreClient } = await load("store");
  const { stores } = new StoreClient({ baseUrl, token });
  return () => stores.list({ limit: pageSize }).pages({ prefetch });
}

async function numberedPages(baseUrl: string, concurrency: number): Promise<() => Pages> {
  const { FleetClient } = await load("fleet");
  const { vehicles } = new FleetClient({ baseUrl: fleetBase(baseUrl), key });
  return () => vehicles.list({ limit: pageSize }).pages({ concurrency });
}

const walks: Readonly<Record<string, (baseUrl: string) => Promise<() => Pages | Promise<Pages>>>> = {
  "shelfleet, prefetch 1": (baseUrl) => cursorPages(baseUrl, 1),
  "shelfleet, no prefetch": (baseUrl) => cursorPages(baseUrl, 0),
  "shelfleet, concurrency 8": (baseUrl) => numberedPages(baseUrl, 8),
  "shelfleet, one at a time": (baseUrl) => numberedPages(baseUrl, 1),
  async openai(baseUrl) {
    const { files } = await openOpenai({ baseUrl });
    return async () => (await files.list({ limit: pageSize })).iterPages();
  },
};

/** The time of a whole walk in seconds. */
export async function prepare(contender: string, { baseUrl = "", busy = 0 }: Setting): Promise<Scenario> {
  const walk = await walks[contender]?.(baseUrl);
  if (walk === undefined) throw new Error(`there is no walk ${contender}`);
  return {
    async run(pages) {
      let seen = 0;
      const read = startClock();
      for await (const _ of await walk()) {
        seen += 1;
        if (busy > 0) await sleep(busy);
      }
      if (seen !== pages) throw new Error(`saw ${seen} of ${pages} pages`);
      return perItem(read(), 1000);
    },
  };
}
