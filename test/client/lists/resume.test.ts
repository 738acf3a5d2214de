// Walks of which each page is read by another process, which knows only the token of the page before.
import { describe, expect, it } from "vitest";
import { PaginationError } from "../../../src/index.ts";
import { type Answer, notFound, pageOf, rejection, serve, storeRow } from "../../sync/service.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const hour = 3_600_000;

interface Page {
  readonly items: readonly object[];
  readonly resume: string | null;
}

/** Reads a list page by page, each page by another process; `tokens` has the token of each page. */
async function inPieces(open: (resume: string | undefined) => PromiseLike<Page>, most = 60) {
  const items: object[] = [];
  const tokens: string[] = [];
  let resume: string | null | undefined;
  while (resume !== null) {
    if (tokens.length > most) throw new Error("the walk does not end");
    const page: Page = await open(resume);
    items.push(...page.items);
    resume = page.resume;
    tokens.push(resume ?? "");
  }
  return { items, tokens };
}

interface ProtocolRow {
  readonly protocolId: string;
  readonly at: number;
}

const protocols = (count: number, gap: number): ProtocolRow[] =>
  Array.from({ length: count }, (_, n) => ({ protocolId: `P-${n}`, at: start + n * gap }));

/** Protocols of a store. A second function changes the rows before a request. */
function protocolsOf(
  rows: ProtocolRow[],
  cursors: "used" | "inclusive" | "ignored" | "new" | "rejected",
  before: (request: number, rows: ProtocolRow[]) => void = () => {},
  /** The number of rows that a page has whatever its limit says. */
  pageSize?: number,
) {
  const served = serve(({ query }): Answer => {
    before(served.sent.length, rows);
    const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? ""));
    const limit = pageSize ?? Number(query.get("limit"));
    const cursor = query.get("cursor");
    if (cursor !== null && cursors === "rejected") return [400, { error: { code: "validation_failed" } }];
    const found = rows.filter(({ at }) => Number(from) <= at && at < Number(to));
    const isUsed = cursors === "used" || cursors === "inclusive";
    const index = isUsed ? found.findIndex(({ protocolId }) => protocolId === cursor) : -1;
    const first = index + (cursors === "inclusive" && index >= 0 ? 0 : 1);
    const items = found.slice(first, first + limit);
    const fresh = cursors === "new" ? `c${served.sent.length}` : "c";
    const next = isUsed ? items.at(-1)?.protocolId : fresh;
    return [
      200,
      { externalId: "S-1", items, nextCursor: first + limit < found.length ? (next ?? null) : null },
    ];
  });
  const open = (limit: number, options: object = {}) => {
    const range = { from: new Date(start), to: new Date(start + 40 * 24 * hour), limit };
    return (resume: string | undefined) =>
      served.makeStore(options).protocols.list("S-1", { ...range, resume });
  };
  return { open, sent: served.sent };
}

const idsOf = (items: readonly object[]) =>
  items.map((item) => (item as { protocolId: string }).protocolId).toSorted();

describe("a list of protocols that each page of which another process reads", () => {
  it.each(
    (["used", "inclusive", "ignored", "new", "rejected"] as const).flatMap((cursors) =>
      [17_000, hour].flatMap((gap) =>
        ["auto", "window"].map((protocolPages) => [cursors, gap, protocolPages] as const),
      ),
    ),
  )(
    "delivers each protocol once if cursors are %s, with one each %i ms and %s",
    async (cursors, gap, pages) => {
      const rows = protocols(40, gap);
      for (const order of [rows, rows.toReversed()]) {
        const { open } = protocolsOf([...order], cursors);
        const { items } = await inPieces(open(10, { protocolPages: pages }));
        expect(idsOf(items)).toEqual(idsOf(rows));
      }
    },
  );

  it.each([1, 2, 3, 4])(
    "ends if cursors are ignored and a protocol arrives before request %i",
    async (at) => {
      for (const cursors of ["ignored", "new"] as const) {
        const rows = protocols(17, hour).toReversed();
        const { open } = protocolsOf([...rows], cursors, (request, all) => {
          if (request === at) all.unshift({ protocolId: "new", at: start + 20 * 24 * hour });
        });
        const { items } = await inPieces(open(5));
        const found = idsOf(items);
        expect(found.filter((id) => id !== "new")).toEqual(idsOf(rows));
      }
    },
  );

  it("ends if protocols have no ID, and each response is that of the second page with another cursor", async () => {
    const items = [{ status: "a" }, { status: "b" }];
    const { makeStore, sent } = serve(({ query }) => [
      200,
      {
        externalId: "S-1",
        items: query.has("cursor") ? [{ status: "c" }, { status: "d" }] : items,
        nextCursor: `${sent.length}`,
      },
    ]);
    const range = { from: new Date(start), to: new Date(start + hour) };
    const open = (resume: string | undefined) => makeStore().protocols.list("S-1", { ...range, resume });
    await expect(inPieces(open)).rejects.toBeInstanceOf(PaginationError);
  });

  it("has tokens with a largest length, and small ones while cursors are used", async () => {
    const longest = async (cursors: "used" | "rejected"): Promise<number> => {
      const { open } = protocolsOf(protocols(1000, hour / 2), cursors);
      const { tokens } = await inPieces(open(100));
      return Math.max(...tokens.map(({ length }) => length));
    };
    expect(await longest("used")).toBeLessThan(1500);
    expect(await longest("rejected")).toBeLessThan(4096);
  });

  it("has tokens with a largest length if the service ignores the limit and rejects its cursors", async () => {
    const newestFirst = protocols(3000, hour / 4).toReversed();
    const { open } = protocolsOf(newestFirst, "rejected", undefined, 2000);
    const list = open(100)(undefined);
    const lengths: number[] = [];
    for await (const { resume } of list.pages()) lengths.push((resume ?? "").length);
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(8192);
  });
});

describe("a list of stores that each page of which another process reads", () => {
  it("notices that the store of a saved cursor was deleted", async () => {
    let all = Array.from({ length: 8 }, (_, n) => storeRow(n));
    const { store } = serve(({ path, query }) => {
      const cursor = query.get("cursor");
      const at = all.findIndex(({ externalId }) => externalId === cursor);
      if (path !== "/stores") return notFound;
      if (cursor !== null && at < 0) return [200, { items: [], nextCursor: null }];
      return [200, { items: all.slice(at + 1, at + 4), nextCursor: all[at + 3]?.externalId ?? null }];
    });
    const { resume, nextCursor } = await store.stores.list({ limit: 3 });
    all = all.filter(({ externalId }) => externalId !== nextCursor);
    const error = await rejection(store.stores.list({ limit: 3, resume: resume ?? "" }).toArray());
    expect(error.message).toContain("the store of its cursor was deleted or renamed");
  });

  it.each<[string, Record<string, [number[], string]>]>([
    ["a cursor leads to itself", { "": [[1], "a"], a: [[2], "a"] }],
    ["two cursors lead to each other", { "": [[1], "a"], a: [[2], "b"], b: [[3], "a"] }],
    [
      "a loop of three cursors comes after two others",
      { "": [[1], "a"], a: [[2], "b"], b: [[3], "c"], c: [[4], "d"], d: [[5], "e"], e: [[6], "c"] },
    ],
    ["pages without a new store have new cursors", { "": [[1], "0"] }],
  ])("ends if %s", async (_, pages) => {
    const { store, sent } = serve(({ query }) => {
      const [ids, nextCursor] = pages[query.get("cursor") ?? ""] ?? [[1], `${sent.length}`];
      return [200, { items: ids.map((n) => storeRow(n)), nextCursor }];
    });
    const open = (resume: string | undefined) => store.stores.list({ limit: 1, resume });
    await expect(inPieces(open)).rejects.toBeInstanceOf(PaginationError);
  });
});

describe("a list of vehicles that each page of which another process reads", () => {
  it.each([1, 2, 3])("has no item twice if a row is added at %i and one is deleted", async (index) => {
    let rows = Array.from({ length: 7 }, (_, n) => ({ id: `v${n}` }));
    const { fleet, sent } = serve(({ query }) => {
      if (sent.length === 3) rows = rows.slice(0, -1);
      if (sent.length === 4) rows.splice(index, 0, { id: "new" });
      return pageOf(rows, query);
    });
    const { items } = await inPieces((resume) => fleet.vehicles.list({ limit: 3, resume }));
    const ids = items.map((item) => (item as { id: string }).id);
    expect(ids.filter((id) => id !== "new").toSorted()).toEqual(["v0", "v1", "v2", "v3", "v4", "v5"]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
