// A job that ends again and again, at another request each time, while stores change.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { JobError, pullStores, sqliteSink } from "../../src/sync/index.ts";

const count = 12;

/** A service, a database, and runs that end after some requests. */
function world(concurrency: number) {
  const ref = createReferenceServer({ now: "system", store: { stores: count, protocolsPerStore: 7 } });
  const db = new DatabaseSync(":memory:");
  const sink = sqliteSink(db, "protocols");
  const since = new Date(Date.now() - 40 * 86_400_000);
  const run = async (requests = Infinity): Promise<"done" | "killed" | JobError> => {
    const kill = new AbortController();
    let left = requests;
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      if ((left -= 1) < 0) kill.abort("killed");
      kill.signal.throwIfAborted();
      return ref.fetch(url, init);
    };
    const store = new StoreClient({ ...ref.storeOptions, retry: 0, fetch });
    const options = { since, allowedLateness: 3_600_000, limit: 3, concurrency, signal: kill.signal };
    try {
      const onWarning = () => {};
      await pullStores(store, "protocols", sink, { ...options, onWarning });
      return "done";
    } catch (error) {
      if (error === "killed" || error instanceof JobError) return error;
      throw error;
    }
  };
  /** The IDs of the rows that the copy has, and those that it lacks. */
  const saved = () =>
    db
      .prepare("SELECT id FROM protocols")
      .all()
      .map(({ id }) => String(id));
  const missing = (): string[] => {
    const ids = new Set(saved());
    return protocolsOf(ref).filter((id) => !ids.has(id));
  };
  return { ref, run, saved, missing };
}

function protocolsOf({ state }: ReferenceServer): string[] {
  return [...state.store.stores.keys()].flatMap((id) =>
    (state.store.protocols.get(id) ?? []).map(({ protocolId }) => `${id}/${protocolId}`),
  );
}

async function requestsOf(concurrency: number): Promise<number> {
  const its = world(concurrency);
  expect(await its.run()).toBe("done");
  return its.ref.journal.all().length;
}

const cases = [1, 4].flatMap((concurrency) =>
  [5, 7, 11, 23, 50, 90].map((rest) => ({ concurrency, requests: rest + concurrency })),
);

describe("a job that ends after some requests has every row after a bounded number of runs", () => {
  it.each(cases)("$requests requests, $concurrency at a time", async ({ concurrency, requests }) => {
    const its = world(concurrency);
    const total = await requestsOf(concurrency);
    // in each run the list of stores takes two requests, a list that continues one, and those in flight are lost
    const bound = Math.ceil(total / (requests - 3 - concurrency));
    let runs = 0;
    while (its.missing().length > 0 && runs <= bound) {
      await its.run(requests);
      runs += 1;
    }
    expect(its.missing()).toEqual([]);
    expect(runs).toBeLessThanOrEqual(bound);
    expect(new Set(its.saved()).size).toBe(its.saved().length);
    expect(await its.run()).toBe("done");
  });

  it.each(cases)(
    "$requests requests, $concurrency at a time, while stores change and one always fails",
    async (row) => {
      const its = world(row.concurrency);
      const { ref } = its;
      const total = await requestsOf(row.concurrency);
      ref.on("listProtocols", { path: { externalId: "S-3" } }).always({ status: 500 });
      const rename = (from: string, to: string): void => {
        const { stores, protocols } = ref.state.store;
        const found = stores.get(from);
        if (found === undefined) return;
        stores.set(to, { ...found, externalId: to });
        protocols.set(to, protocols.get(from) ?? []);
        stores.delete(from);
        protocols.delete(from);
      };
      const changes = [
        () => ref.state.store.stores.delete("S-5"),
        () => rename("S-7", "R-7"),
        () =>
          ref.state.store.storesWithoutId.set("S-90", {
            ...ref.state.store.stores.get("S-1"),
            storeId: "",
            externalId: null,
          } as never),
        () => ref.state.store.stores.delete("S-1"),
        () => rename("S-12", "R-12"),
      ];
      const missing = () => its.missing().filter((id) => !id.startsWith("S-3/"));
      // the renamed stores are read from the start, and the one that fails takes a request in each run
      const bound =
        Math.ceil((total * (1 + 2 / count)) / (row.requests - 4 - row.concurrency)) + changes.length;
      let runs = 0;
      while ((missing().length > 0 || changes.length > 0) && runs <= bound) {
        await its.run(row.requests);
        changes.shift()?.();
        runs += 1;
      }
      expect(missing()).toEqual([]);
      expect(runs).toBeLessThanOrEqual(bound);
      const last = await its.run();
      expect((last as JobError).failed.map(({ id }) => id)).toEqual(["S-3"]);
      expect((last as JobError).results).toMatchObject({ stores: count - 3, withoutExternalId: 1 });
    },
  );
});
