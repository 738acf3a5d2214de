import { setTimeout as sleep } from "node:timers/promises";
import { key, token } from "../responses.ts";
import { fleetModule, storeModule } from "../build.ts";
import { openOctokit } from "../clients/octokit.ts";
import { openClient as openOpenai } from "../clients/openai.ts";
import { openClient as openStripe } from "../clients/stripe.ts";
import type { Scenario, ScenarioSetting } from "../scenario.ts";

/** Walks all pages and waits for `consume` after each. */
type Walk = (consume: () => Promise<unknown>) => Promise<unknown>;

const fleetBase = (baseUrl: string): string => `${baseUrl}/api/third-party/v1`;

async function cursorPages(baseUrl: string, prefetch: number): Promise<Walk> {
  const { StoreClient } = await storeModule();
  const { stores } = new StoreClient({ baseUrl, token });
  return async (consume) => {
    for await (const _ of stores.list({ limit: 100 }).pages({ prefetch })) await consume();
  };
}

async function numberedPages(baseUrl: string, concurrency: number): Promise<Walk> {
  const { FleetClient } = await fleetModule();
  const { vehicles } = new FleetClient({ baseUrl: fleetBase(baseUrl), key });
  return async (consume) => {
    for await (const _ of vehicles.list({ limit: 100 }).pages({ concurrency })) await consume();
  };
}

const walks: Record<string, (baseUrl: string) => Walk | Promise<Walk>> = {
  "shelfleet-prefetch": (baseUrl) => cursorPages(baseUrl, 1),
  "shelfleet-cursor": (baseUrl) => cursorPages(baseUrl, 0),
  "shelfleet-concurrency": (baseUrl) => numberedPages(baseUrl, 8),
  "shelfleet-numbered": (baseUrl) => numberedPages(baseUrl, 1),
  openai(baseUrl) {
    const { files } = openOpenai({ baseUrl });
    return async (consume) => {
      const first = await files.list({ limit: 100 });
      for await (const _ of first.iterPages()) await consume();
    };
  },
  stripe(baseUrl) {
    const { customers } = openStripe({ baseUrl });
    return async (consume) => {
      let items = 0;
      for await (const _ of customers.list({ limit: 100 })) {
        items += 1;
        if (items % 100 === 0) await consume();
      }
    };
  },
  octokit(baseUrl) {
    const { paginate } = openOctokit(fleetBase(baseUrl));
    return async (consume) => {
      for await (const _ of paginate.iterator("GET /vehicles", { limit: 100 })) await consume();
    };
  },
};

/** The duration of a whole walk in seconds. */
export async function prepare(
  contender: string,
  { baseUrl = "", busy = 0 }: ScenarioSetting,
): Promise<Scenario> {
  const walk = await walks[contender]?.(baseUrl);
  if (walk === undefined) throw new Error(`nobody walks by the name of ${contender}`);
  return {
    async run(pages) {
      let seen = 0;
      const start = performance.now();
      await walk(async () => {
        seen += 1;
        if (busy > 0) await sleep(busy);
      });
      if (seen !== pages) throw new Error(`saw ${seen} of ${pages} pages`);
      return (performance.now() - start) / 1000;
    },
  };
}
