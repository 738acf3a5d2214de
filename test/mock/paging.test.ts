import { expect, test } from "vitest";
import type { Pagination } from "../../generated/fleet.ts";
import type { PagingFaultKind } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";

/** The next page after a cursor or page number: the last letters of the IDs and its successor, which is null at the end. */
type Read = (caller: Caller, next: string) => Promise<[ids: string, next: string | null]>;

const lettersOf = (rows: readonly Record<string, unknown>[], name: string): string =>
  rows.map((row) => String(row[name]).at(-1)).join("");

const apis: Record<string, Read> = {
  "a store list": async (caller, cursor) => {
    const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await caller.get(`/v1/stores?limit=2${query}`);
    return [lettersOf(items(page), "externalId"), page.body.nextCursor as string | null];
  },
  "a fleet list": async (caller, number) => {
    const page = Math.max(1, Number(number));
    const { body } = await caller.get(`/vehicles?limit=2&page=${page}`);
    const { data, meta } = body as { data: Record<string, unknown>[]; meta: { pagination: Pagination } };
    return [lettersOf(data, "id"), meta.pagination.hasNextPage ? String(page + 1) : null];
  },
};

/** The first pages of six rows, two per page, and the cursor or number after each of them. */
async function walk(api: string, kind: PagingFaultKind, steps = 5) {
  const caller = new Caller({ store: { stores: 6 }, fleet: { vehicles: 6 } });
  caller.ref.on(api === "a store list" ? "listStores" : "listVehicles").paging(kind);
  const pages: string[] = [];
  const cursors: (string | null)[] = [];
  for (let next: string | null = ""; next !== null && pages.length < steps; ) {
    const [ids, following]: [string, string | null] = (await apis[api]?.(caller, next)) ?? ["", null];
    pages.push(ids);
    cursors.push(following);
    next = following;
  }
  return { pages: pages.join(" "), cursors, caller };
}

test.for<[api: string, kind: PagingFaultKind, pages: string, cursors: number]>([
  ["a store list", "repeat-cursor", "12 34 34 34 34", 1],
  ["a fleet list", "repeat-cursor", "12 12 12 12 12", 5],
  ["a store list", "cycle", "12 34 56 34 56", 2],
  ["a fleet list", "cycle", "12 34 12 34 12", 5],
  ["a store list", "empty-page", "12  34  56", 5],
  ["a fleet list", "empty-page", "12  34  56", 5],
  ["a store list", "clamp", "12 34 34 34 34", 5],
  ["a fleet list", "clamp", "12 34 34 34 34", 5],
  ["a store list", "shift", "12 34 56", 3],
  ["a fleet list", "shift", "12 23 56", 3],
])("%s under %s has the pages %s and %i different cursors", async ([api, kind, pages, cursors]) => {
  const walked = await walk(api, kind);
  expect(walked.pages).toBe(pages);
  expect(new Set(walked.cursors).size).toBe(cursors);
});

test("the misleading pages shift add and remove stores, including the one of the cursor", async () => {
  const { caller } = await walk("a store list", "shift", 2);
  const ids = [...caller.ref.state.store.stores.keys()].toSorted();
  expect(ids.join(" ")).toBe("!1 S-1 S-2 S-3 S-5 S-6");
});

test("the misleading pages clamp say that they are the second page", async () => {
  const { caller } = await walk("a fleet list", "clamp", 0);
  const { body } = await caller.get("/vehicles?limit=2&page=3");
  expect(body.meta).toMatchObject({ pagination: { currentPage: 2, hasNextPage: true } });
  caller.ref.reset();
  const after = await caller.get("/vehicles?limit=2&page=3");
  expect(after.body.meta).toMatchObject({ pagination: { currentPage: 3, hasNextPage: false } });
});

test("misleading pages also apply to protocols and photos", async () => {
  const caller = new Caller({ store: { stores: 1, protocolsPerStore: 6 } });
  for (const [operation, path] of [
    ["listProtocols", "protocols"],
    ["listPhotos", "photos"],
  ] as const) {
    const read = async (cursor?: string) => {
      const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await caller.get(`/v1/stores/S-1/${path}?limit=2&${ALL_TIME}${query}`);
      return body as { items: unknown[]; nextCursor: string };
    };
    caller.ref.on(operation).paging("repeat-cursor").times(2);
    const { nextCursor } = await read();
    expect(nextCursor).not.toBeNull();
    expect((await read(nextCursor)).nextCursor).toBe(nextCursor);
    caller.ref.on(operation).paging("shift").times(2);
    const shifted = await read();
    expect((await read(shifted.nextCursor)).items).toHaveLength(2);
  }
});
