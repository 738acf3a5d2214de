import type { ExportedState } from "../../src/mock/index.ts";
import { mockModule, storeModule, syncModule } from "../build.ts";
import { token } from "../responses.ts";
import type { Scenario } from "../scenario.ts";
import { protocolsFetch, firstInstant, instantOf } from "./stub-protocols.ts";
import { pagesFetch } from "./stub-pages.ts";

/** Prepares a job over a number of items; the returned function is timed, and returns the number that it has handled. */
type Job = (items: number) => () => number | Promise<number>;

const baseUrl = "https://api.example";

const jobs: Record<string, () => Promise<Job>> = {
  async pull() {
    const { StoreClient } = await storeModule();
    const { pull } = await syncModule();
    return (items) => async () => {
      const store = new StoreClient({ baseUrl, token, fetch: protocolsFetch(items) });
      const until = (): Date => new Date(instantOf(items));
      const options = { since: new Date(firstInstant), allowedLateness: 3_600_000, until };
      let [delivered, state] = [0, ""];
      for await (const batch of pull(store.protocols, "S-1", options)) {
        delivered += batch.items.length;
        state = batch.state; // a program saves the state of each batch
      }
      return state === "" ? 0 : delivered;
    };
  },
  async mirror() {
    const { StoreClient } = await storeModule();
    const { mirror } = await syncModule();
    return (items) => async () => {
      const store = new StoreClient({ baseUrl, token, fetch: pagesFetch(items) });
      const rows = new Map<string, { hash: string; pass: number }>();
      const { added } = await mirror(store.stores, {
        load: () => undefined,
        find: (ids) =>
          new Map(
            ids.flatMap((id) => {
              const row = rows.get(id);
              return row === undefined ? [] : [[id, row] as const];
            }),
          ),
        save({ entries, pass }) {
          for (const { id, hash } of entries) rows.set(id, { hash, pass });
        },
        countUnseen: () => 0,
        findUnseen: () => [],
      });
      return added;
    };
  },
  async plan() {
    const { StoreClient } = await storeModule();
    const { planStores } = await syncModule();
    return (items) => async () => {
      const store = new StoreClient({ baseUrl, token, fetch: pagesFetch(items) });
      const desired = Array.from({ length: items }, (_, at) => ({
        externalId: `S-${at}`,
        name: `New ${at}`,
      }));
      const { update } = await planStores(desired, store);
      return update.length;
    };
  },
  async "state-export"() {
    const { createReferenceServer } = await mockModule();
    return (items) => () => {
      const ref = createReferenceServer({ store: { token, stores: items } });
      return JSON.stringify(ref.exportState()).length > items ? items : 0;
    };
  },
  async "state-import"() {
    const { createReferenceServer } = await mockModule();
    const states = new Map<number, ExportedState>();
    return (items) => {
      const state =
        states.get(items) ?? createReferenceServer({ store: { token, stores: items } }).exportState();
      states.set(items, state);
      return () => createReferenceServer({ state }).state.store.stores.size;
    };
  },
};

/** The time in µs for each item of a job. */
export async function prepare(contender: string): Promise<Scenario> {
  const job = await jobs[contender]?.();
  if (job === undefined) throw new Error(`there is no job ${contender}`);
  return {
    async run(items) {
      const work = job(items);
      globalThis.gc?.();
      const start = performance.now();
      const handled = await work();
      const ms = performance.now() - start;
      if (handled !== items) throw new Error(`handled ${handled} of ${items} items`);
      return (ms * 1000) / items;
    },
  };
}
