import { DatabaseSync } from "node:sqlite";
import { load } from "../package-under-test.ts";
import { protocolsFetch, protocolTime, storesFetch, token } from "../responses.ts";
import { perItem, type Scenario, type Setting, startClock } from "../scenario.ts";

const { StoreClient } = await load("store");
const { mirror, planStores, pull, sqliteSink } = await load("sync");
type Fetch = (url: string) => Promise<Response>;
const open = (fetch: Fetch) => new StoreClient({ baseUrl: "https://api.example", token, fetch });

/** Each returns the number of items that it has handled. */
const jobs: Readonly<Record<"pull" | "mirror" | "plan", (items: number) => Promise<number>>> = {
  async pull(items) {
    const { protocols } = open(protocolsFetch(items));
    const range = { since: protocolTime(0), allowedLateness: 3_600_000, until: () => protocolTime(items) };
    let [delivered, state] = [0, ""];
    for await (const batch of pull(protocols, "S-1", range)) {
      delivered += batch.items.length;
      state = batch.state; // a program saves the state of each batch
    }
    return state === "" ? 0 : delivered;
  },
  async mirror(items) {
    const sink = sqliteSink(new DatabaseSync(":memory:"), "stores");
    return (await mirror(open(storesFetch(items)).stores, sink)).added;
  },
  async plan(items) {
    const rows = Array.from({ length: items }, (_, index) => index);
    const desired = rows.map((index) => ({ externalId: `S-${index}`, name: `New ${index}` }));
    return (await planStores(desired, open(storesFetch(items)))).update.length;
  },
};

/** The time in µs for each item of a contender like "shelfleet, 100 000". */
export function prepare(contender: string, { job = "pull" }: Setting): Scenario {
  const items = Number(contender.replaceAll(/\D/g, ""));
  return {
    async run() {
      const read = startClock();
      const handled = await jobs[job](items);
      const times = read();
      if (handled !== items) throw new Error(`handled ${handled} of ${items} items`);
      return perItem(times, items / 1000);
    },
  };
}
