import { expect, test } from "vitest";
import type { PagingFaultKind } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";

/** The IDs and the cursors of the first pages of six stores, two per page. */
async function walk(kind: PagingFaultKind, steps: number): Promise<[string[], string | null][]> {
  const caller = new Caller({ store: { stores: 6 } });
  caller.ref.on("listStores").paging(kind);
  const pages: [string[], string | null][] = [];
  let cursor: string | null | undefined;
  for (let step = 0; step < steps && cursor !== null; step++) {
    const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await caller.get(`/v1/stores?limit=2${query}`);
    cursor = page.body.nextCursor as string | null;
    pages.push([items(page).map(({ externalId }) => String(externalId)), cursor]);
  }
  return pages;
}

test("the misleading pages repeat-cursor return the cursor of the request", async () => {
  expect(await walk("repeat-cursor", 3)).toEqual([
    [["S-1", "S-2"], "S-2"],
    [["S-3", "S-4"], "S-2"],
    [["S-3", "S-4"], "S-2"],
  ]);
});

test("the misleading pages cycle alternate between two cursors", async () => {
  expect((await walk("cycle", 5)).map(([, cursor]) => cursor)).toEqual(["S-2", "S-4", "S-2", "S-4", "S-2"]);
});

test("the misleading pages empty-page have an empty page before every other one, and all items", async () => {
  const pages = await walk("empty-page", 20);
  expect(pages.map(([ids]) => ids)).toEqual([["S-1", "S-2"], [], ["S-3", "S-4"], [], ["S-5", "S-6"]]);
  expect(new Set(pages.map(([, cursor]) => cursor)).size).toBe(pages.length);
});

test("the misleading pages clamp repeat the second page with a new cursor each time", async () => {
  const pages = await walk("clamp", 4);
  expect(pages.map(([ids]) => ids)).toEqual([
    ["S-1", "S-2"],
    ["S-3", "S-4"],
    ["S-3", "S-4"],
    ["S-3", "S-4"],
  ]);
  expect(new Set(pages.map(([, cursor]) => cursor)).size).toBe(4);
});

test("the misleading pages shift add and remove stores between pages, including the one of the cursor", async () => {
  const pages = await walk("shift", 20);
  expect(pages.flatMap(([ids]) => ids)).toEqual(["S-1", "S-2", "S-3", "S-4", "S-5", "S-6"]);
  const caller = new Caller({ store: { stores: 6 } });
  caller.ref.on("listStores").paging("shift");
  await caller.get("/v1/stores?limit=2");
  await caller.get("/v1/stores?limit=2&cursor=S-2");
  expect([...caller.ref.state.store.stores.keys()].toSorted()).toEqual([
    "!1",
    "S-1",
    "S-2",
    "S-3",
    "S-5",
    "S-6",
  ]);
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

test("misleading pages do not change a list of one page", async () => {
  for (const kind of ["repeat-cursor", "cycle", "empty-page"] as const) {
    const caller = new Caller({ store: { stores: 2 } });
    caller.ref.on("listStores").paging(kind);
    expect((await caller.get("/v1/stores")).body.nextCursor).toBeNull();
  }
});
