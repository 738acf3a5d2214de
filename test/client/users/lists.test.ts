// Kinds 12 to 15: what a walk costs, what its tokens are, and what `verify` sees.
import { describe, expect, it } from "vitest";
import { PaginationError } from "../../../src/index.ts";
import { type Answer, pageOf, serve, storeRow } from "../../sync/service.ts";

const vehicles = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `v${n}` }));

/** A list of vehicles; each page is made by a function that may change the rows and the pagination. */
function numbered(
  rowsOf: (request: number) => readonly object[],
  wrong: (page: number, length: number) => object = () => ({}),
) {
  let count = 0;
  const served = serve(({ query }) => {
    count += 1;
    const rows = rowsOf(count);
    const page = Number(query.get("page") ?? 1);
    const limit = Number(query.get("limit") ?? 50);
    return pageOf(rows, query, wrong(page, rows.slice((page - 1) * limit, page * limit).length));
  });
  return {
    list: served.fleet.vehicles.list({ limit: 10 }),
    open: served.fleet.vehicles.list,
    sent: served.sent,
  };
}

const idsOf = (items: readonly object[]) => items.map((item) => (item as { id: string }).id).toSorted();

describe("a numbered list", () => {
  const doubled = vehicles(100);
  doubled.splice(60, 0, doubled[5] as { id: string });
  doubled.splice(80, 0, doubled[7] as { id: string });

  it.each<[string, readonly object[], (page: number, length: number) => object]>([
    ["has a capped total", vehicles(100), () => ({ totalCount: 50 })],
    ["has hasNextPage on a full last page", vehicles(100), (_, length) => ({ hasNextPage: length === 10 })],
    ["has hasPreviousPage never", vehicles(100), () => ({ hasPreviousPage: false })],
    ["has hasNextPage never", vehicles(100), () => ({ hasNextPage: false })],
    ["has the total of each page", vehicles(100), (_, length) => ({ totalCount: length })],
    [
      "has the total of each page, and a short last one",
      vehicles(95),
      (_, length) => ({ totalCount: length }),
    ],
  ])("that %s in each pass is whole after at most two passes", async (_, rows, wrong) => {
    const { open, sent } = numbered(() => rows, wrong);
    expect(idsOf(await open({ limit: 10 }).toArray())).toEqual([...new Set(idsOf(rows))]);
    expect(sent.length).toBeLessThanOrEqual(22);
  });

  it.each<[string, readonly object[], object]>([
    ["has rows twice, which its total counts (a JOIN)", doubled, {}],
    ["has a total that counts hidden rows", vehicles(100), { totalCount: 110 }],
  ])("that %s is an error, and is delivered with onDrift report", async (_, rows, wrong) => {
    const { open, sent } = numbered(
      () => rows,
      () => wrong,
    );
    await expect(open({ limit: 10 }).toArray()).rejects.toThrow("100 different items instead of 1");
    expect(sent.length).toBeLessThanOrEqual(22);
    const found = await open({ limit: 10, onDrift: "report" }).toArray();
    expect(idsOf(found)).toEqual([...new Set(idsOf(rows))]);
  });

  it("whose total counts more than its pages have is not said to have changed", async () => {
    const { open } = numbered(
      () => vehicles(100),
      () => ({ totalCount: 110 }),
    );
    await expect(open({ limit: 10, onDrift: "throw" }).toArray()).rejects.toThrow(
      /^GET \/vehicles: the pages have 100 different items instead of 110$/,
    );
  });

  it.each<[string, readonly number[], number]>([
    ["one entry is deleted in the middle", [20], 44],
    ["one entry is deleted for each 30 requests", [30, 60, 90], 46],
  ])("of 40 pages from which %s has every entry that stayed, in few requests", async (_, deletions, most) => {
    let rows = vehicles(400);
    const { list, sent } = numbered((request) => {
      if (deletions.includes(request)) rows = rows.filter((row) => row !== rows[1]);
      return rows;
    });
    const found = new Set(idsOf(await list.toArray()));
    expect(idsOf(rows).filter((id) => !found.has(id))).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(most);
  });

  it.each<[string, (page: number) => object]>([
    [
      "with totals",
      (page) => ({ totalPages: 1000, totalCount: 10_000, hasNextPage: true, currentPage: page }),
    ],
    [
      "whose total grows with each page",
      (page) => ({ totalPages: page + 1, totalCount: 10 * page + 10, hasNextPage: true }),
    ],
  ])("that returns the same page for ever, %s, ends after a few requests", async (_, pagination) => {
    const { fleet, sent } = serve(({ query }) =>
      pageOf(vehicles(10), new URLSearchParams(), pagination(Number(query.get("page")))),
    );
    await expect(fleet.vehicles.list().toArray()).rejects.toBeInstanceOf(PaginationError);
    expect(sent.length).toBeLessThan(8);
  });
});

const start = Date.parse("2026-01-01T00:00:00Z");
const range = { from: new Date(start), to: new Date(start + 1e9) };

/** A list of protocols whose cursor is the time of the last item, compared with ">". */
function protocolsWithTies(perTime: number) {
  const rows = Array.from({ length: 10 }, (_, n) => ({
    protocolId: `P-${n}`,
    createdAt: new Date(start + Math.floor(n / perTime) * 1000).toISOString(),
  }));
  return serve(({ query }) => {
    const cursor = query.get("cursor");
    const limit = Number(query.get("limit"));
    const found = rows.filter(({ createdAt }) => cursor === null || createdAt > cursor);
    const nextCursor = found.length > limit ? found[limit - 1]?.createdAt : null;
    return [200, { externalId: "S-1", items: found.slice(0, limit), nextCursor }];
  });
}

/** Photos whose pages are clamped to 100, with a cursor that counts as the request asked. */
function clampedPhotos() {
  return serve(({ query }) => {
    const limit = Number(query.get("limit"));
    const offset = Number(query.get("cursor") ?? 0);
    const items = Array.from({ length: Math.min(100, limit) }, (_, n) => ({
      photoId: `${offset + n}`,
    })).filter(({ photoId }) => Number(photoId) < 1500);
    return [200, { items, nextCursor: offset + limit < 1500 ? String(offset + limit) : null }];
  });
}

/** Stores that are sorted without regard to case, with a cursor that is compared by bytes. */
function collatedStores() {
  const all = ["a", "B", "c", "D", "E", "f"].map((externalId, n) => storeRow(n, { externalId }));
  return serve(({ query }): Answer => {
    const cursor = query.get("cursor") ?? "";
    const limit = Number(query.get("limit"));
    const found = all.filter(({ externalId }) => externalId > cursor);
    return [
      200,
      {
        items: found.slice(0, limit),
        nextCursor: found.length > limit ? found[limit - 1]?.externalId : null,
      },
    ];
  });
}

describe("verify", () => {
  it.each([2, 3, 4, 5, 7])(
    "with cursors on a time with four ties and limit %i has all protocols, or an error",
    async (limit) => {
      const { store } = protocolsWithTies(4);
      const found = await store.protocols
        .list("S-1", { ...range, limit, verify: true })
        .toArray()
        .catch(() => "error");
      expect(found === "error" || found.length === 10).toBe(true);
    },
  );

  it("with photos whose limit the service clamps has all of them, or an error", async () => {
    const { store } = clampedPhotos();
    expect(await store.photos.list("S-1", { ...range, limit: 500 }).toArray()).toHaveLength(300);
    const verified = store.photos.list("S-1", { ...range, limit: 500, verify: true }).toArray();
    await expect(verified).rejects.toThrow("pages of different sizes lose items");
  });

  it("with stores that are sorted by another rule than their cursor has all of them, or an error", async () => {
    const { store } = collatedStores();
    expect((await store.stores.list({ limit: 3 }).toArray()).length).toBeLessThan(6);
    const { store: other, sent } = collatedStores();
    await expect(other.stores.list({ limit: 3, verify: true }).toArray()).rejects.toThrow(
      /: 5 passes had different items \(verify\): the list changes too often, or pages of different sizes lose items$/,
    );
    expect(sent).toHaveLength(12);
  });

  it.each([2, 3, 4, 5])(
    "has %i photos where a page begins with the last one of the page before",
    async (count) => {
      const { store } = serve(({ query }) => {
        const first = Number(query.get("cursor") ?? 0);
        const end = first + Number(query.get("limit") ?? 100);
        const items = Array.from({ length: count }, (_, n) => ({ id: `p${n}` })).slice(first, end);
        return [200, { items, nextCursor: end < count ? String(end - 1) : null }];
      });
      expect(await store.photos.list("S-1", { ...range, verify: true }).toArray()).toHaveLength(count);
    },
  );

  it("uses less than half of the longest page in each second pass", async () => {
    const { fleet, sent } = serve(({ query }) => {
      const limit = String(Math.min(20, Number(query.get("limit"))));
      return pageOf(vehicles(45), new URLSearchParams({ page: query.get("page") ?? "1", limit }));
    });
    expect(await fleet.vehicles.list({ limit: 50, verify: true }).toArray()).toHaveLength(45);
    expect(sent.map(({ query }) => query.get("limit")).join(" ")).toBe("50 50 50 9 9 9 9 9");
  });

  it("compares items without ID by their content", async () => {
    const { store } = serve(({ query }) => [
      200,
      { items: [{ url: query.get("limit") === "5" ? "a" : "b" }], nextCursor: null },
    ]);
    await expect(store.photos.list("S-1", { ...range, limit: 5, verify: true }).toArray()).rejects.toThrow(
      "verify",
    );
    expect(await store.photos.list("S-1", { ...range, limit: 2, verify: true }).toArray()).toHaveLength(1);
  });

  it.each([0, 1, 2])("delivers a list of %i items", async (count) => {
    const { open } = numbered(() => vehicles(count));
    expect(await open({ verify: true }).toArray()).toHaveLength(count);
    expect({ ...(await open({ verify: true })) }).toHaveProperty("resume", null);
  });
});
