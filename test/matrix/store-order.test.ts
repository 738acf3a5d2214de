import { expect } from "vitest";
import type { StoreSeed } from "../../src/mock/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses } from "./outcomes.ts";
import { range, type World, world } from "./world.ts";

const stores: StoreSeed[] = ["C", "A", "B", "D"].map((name, index) => ({
  externalId: `S-${index + 1}`,
  name,
}));

/** The stores that a walk delivers when the last of them is deleted after the first page. */
function walksStores(...expected: string[]): Check {
  return async ({ readings }) => {
    const { store, ref } = world(readings, { server: { store: { stores } } });
    const found: (string | null)[] = [];
    for await (const page of store.stores.list({ limit: 2 }).pages()) {
      found.push(...page.items.map(({ externalId }) => externalId));
      ref.state.store.stores.delete("S-4");
    }
    expect(found).toEqual(expected);
  };
}

stance("lists.store-order", {
  fixed: walksStores("S-1", "S-2", "S-3"),
  changing: walksStores("S-2", "S-3", "S-1"),
  snapshot: walksStores("S-1", "S-2", "S-3", "S-4"),
});

/** Checks that a walk delivers each photo and protocol once. */
const deliversEachOnce: Check = async (w) => {
  const { protocols, photos } = w.ref.state.store;
  const query = { ...range, limit: 3 };
  const foundPhotos = await w.store.photos.list("S-1", query).toArray();
  const found = await w.store.protocols.list("S-1", query).toArray();
  const sorted = (ids: unknown[] = []) => ids.map(String).toSorted();
  expect(sorted(foundPhotos.map(({ photoId }) => photoId))).toEqual(
    sorted(photos.get("S-1")?.map(({ photoId }) => photoId)),
  );
  expect(sorted(found.map(({ protocolId }) => protocolId))).toEqual(
    sorted(protocols.get("S-1")?.map(({ protocolId }) => protocolId)),
  );
};

/** Checks the cursor after two photos as well: the number of entries, or the place of an entry. */
function deliversAfter(cursor: RegExp): Check {
  return async (w) => {
    await deliversEachOnce(w);
    expect((await w.store.photos.listRaw("S-1", { ...range, limit: 2 })).nextCursor).toMatch(cursor);
  };
}

stance("lists.cursor-position", {
  "after-entry": deliversAfter(/[^\d]/),
  "at-entry": async (w) => {
    await deliversEachOnce(w);
    const endless = w.store.photos.list("S-1", { ...range, limit: 1 }).toArray();
    expect(await failureOf(endless)).toMatchObject({ name: "PaginationError" });
  },
  count: deliversAfter(/^2$/),
});

type Order = "oldest-first" | "newest-first" | "unordered";

/** Checks the order of the times as well. */
function deliversIn(order: Order): Check {
  return async (w) => {
    await deliversEachOnce(w);
    const photos = await w.store.photos.list("S-1", range).toArray();
    const times = photos.map(({ createdAt }) => String(createdAt));
    const sorted = times.toSorted();
    const orders = { "oldest-first": sorted, "newest-first": sorted.toReversed() };
    const found = Object.entries(orders).find(([, expected]) => String(expected) === String(times));
    expect(found?.[0] ?? "unordered").toBe(order);
  };
}

stance("photos.order", {
  "oldest-first": deliversIn("oldest-first"),
  "newest-first": deliversIn("newest-first"),
  unordered: deliversIn("unordered"),
});

const second = (fraction: string): string => `2025-12-05T10:00:${fraction}Z`;

const precise: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P", status: "completed", createdAt: second("29.600") },
    { protocolId: "Q", status: "completed", createdAt: second("30.000") },
  ],
};

/** Sends the range as given, and returns what the service finds in it. */
function finds(...expected: string[]): Check {
  return async ({ readings }) => {
    const w = world(readings, { server: { store: { stores: [precise] } } });
    const query = { from: second("29.700"), to: second("30.500") };
    const items = await w.store.protocols.list("S-1", query).toArray();
    expect(items.map(({ protocolId }) => protocolId)).toEqual(expected);
    const [sent] = w.ref.journal.of("listProtocols");
    expect(sent?.query).toMatchObject(query);
  };
}

stance("time-range.precision", {
  millisecond: finds("Q"),
  second: finds("P"),
  "rounded-second": finds("P", "Q"),
  minute: finds(),
  day: finds(),
});

function listsStatuses(isEveryStatus: boolean): Check {
  return async ({ store, ref }) => {
    const all = ref.state.store.protocols.get("S-1") ?? [];
    for (const [index, row] of all.entries()) row.status = index === 0 ? "completed" : "failed";
    const list = await store.protocols.list("S-1", range).toArray();
    expect(list).toHaveLength(isEveryStatus ? all.length : 1);
    const failed = await store.protocols.list("S-1", { ...range, status: "failed" }).toArray();
    expect(failed).toHaveLength(all.length - 1);
  };
}

stance("lists.unfiltered-status", { every: listsStatuses(true), "completed-only": listsStatuses(false) });

const unknownProtocol = ({ store }: World) => store.photos.list("S-1", { ...range, protocolId: "unknown" });

stance("photos.unknown-ids", {
  empty: async (w) => {
    expect(await unknownProtocol(w).toArray()).toEqual([]);
  },
  invalid: (w) => storeRefuses(unknownProtocol(w), 400, { code: "validation_failed" }),
  "not-found": (w) => storeRefuses(unknownProtocol(w), 404, { code: "not_found" }),
});

/** The URL of a photo in two responses. */
async function photoUrls({ store }: World): Promise<unknown[]> {
  const read = async () => (await store.photos.list("S-1", { ...range, limit: 1 })).items[0]?.url;
  return [await read(), await read()];
}

stance("photos.urls", {
  lasting: async (w) => {
    const [before, after] = await photoUrls(w);
    expect(before).toBe(after);
    expect(before).toMatch(/^https:/);
  },
  signed: async (w) => {
    const [before, after] = await photoUrls(w);
    expect(before).not.toBe(after);
    await deliversEachOnce(w);
  },
  relative: async (w) => {
    expect((await photoUrls(w))[0]).toMatch(/^\//);
  },
});
