import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoreClient } from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { pageOf, serve } from "../../sync/service.ts";

const named = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ externalId: `S-${String(index).padStart(3, "0")}` }));

function open(options: Parameters<typeof createReferenceServer>[0]) {
  const ref = createReferenceServer(options);
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
  return { ref, store };
}

describe("a list of stores", () => {
  it.each([2, 7, 100])(
    "is the same with pages of %i, ahead or not, and when it is resumed after each page",
    async (limit) => {
      const { store } = open({ store: { stores: named(23) } });
      const whole = await store.stores.list().toArray();
      const ahead = [];
      for await (const item of store.stores.list({ limit }).items({ prefetch: 3 })) ahead.push(item);
      const resumed = [];
      let resume: string | undefined;
      do {
        const page = await store.stores.list({ limit, resume });
        resumed.push(...page.items);
        resume = page.resume ?? undefined;
        expect((resume ?? "").length).toBeLessThan(400);
      } while (resume !== undefined);
      expect([ahead, resumed]).toEqual([whole, whole]);
    },
  );
});

describe("a numbered list", () => {
  it("is not resumed where rows have moved", async () => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
    const { list } = serve(({ query }) => pageOf(rows, query)).fleet.vehicles;
    const { resume } = await list({ limit: 3 });
    expect(await list({ limit: 3, resume: resume ?? "" }).toArray()).toHaveLength(7);
    rows.shift();
    const moved = list({ limit: 3, resume: resume ?? "" }).toArray();
    await expect(moved).rejects.toThrow("rows were added or deleted");
  });

  it("sends each request with the options of its call, and aborts those in flight when the walk ends", async () => {
    const sent: RequestInit[] = [];
    const { fetch: respond, makeFleet } = serve(({ query }) =>
      pageOf([{ id: 1 }, { id: 2 }, { id: 3 }], query),
    );
    const fetch = async (url: string, init: RequestInit): Promise<Response> =>
      sent.push(init) > 1 ? new Promise(() => {}) : respond(url, init);
    const { vehicles } = makeFleet({ fetch });
    for await (const { items } of vehicles
      .list({ limit: 1 }, { headers: { "x-a": "1" } })
      .pages({ concurrency: 2 })) {
      expect(items).toEqual([{ id: 1 }]);
      await new Promise((resolve) => setImmediate(resolve));
      break;
    }
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([false, true]);
    expect(sent[1]?.headers).toMatchObject({ "x-a": "1" });
  });

  it("has each item in order with any concurrency", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 6 }),
        async (count, limit, concurrency) => {
          const rows = Array.from({ length: count }, (_, id) => ({ id }));
          const { vehicles } = serve(({ query }) => pageOf(rows, query)).fleet;
          const found = [];
          for await (const row of vehicles.list({ limit }).items({ concurrency })) found.push(row);
          expect(found).toEqual(rows);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("a list of protocols", () => {
  const range = { from: "2025-12-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

  it.each(["cursor", "ignored", "ignored-new-cursor", "rejected"] as const)(
    "is whole if a second page is %s, also if it is resumed after each page",
    async (reading) => {
      const { ref, store } = open({
        store: { stores: 1, protocolsPerStore: 30 },
        readings: { "protocols.next-page": reading },
      });
      const whole = await store.protocols.list("S-1", { ...range, limit: 7 }).toArray();
      expect(new Set(whole.map((row) => row["protocolId"])).size).toBe(30);
      expect([whole.length, ref.journal.all().length < 60]).toEqual([30, true]);
      const found = [];
      let resume: string | null | undefined;
      for (let count = 0; resume !== null && count < 40; count += 1) {
        const page = await store.protocols.list("S-1", { ...range, limit: 7, resume });
        found.push(...page.items.map((row) => row["protocolId"]));
        resume = page.resume;
      }
      expect(resume).toBe(null);
      expect(new Set(found).size).toBe(30);
    },
  );
});
