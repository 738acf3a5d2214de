import { describe, expect, it } from "vitest";
import { cursorList } from "../../../src/client/core/pagination/cursor-list.ts";
import type { PageApi } from "../../../src/client/core/pagination/list-call.ts";
import type { ResponseContent } from "../../../src/client/core/request/content.ts";
import { StoreClient } from "../../../src/client/store/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { storeServer } from "./store-model.ts";

// gap stores.null-cursor
describe("a first page of stores that is full", () => {
  const cases = [99, 100, 101, 150, 199, 200, 201].flatMap((count) =>
    (["null", "last-id"] as const).flatMap((nullCursor) =>
      (["after", "at"] as const).map((cursorStart) => ({ count, nullCursor, cursorStart })),
    ),
  );

  it.each(cases)("is returned as it arrived, and the walk has every store: %j", async (server) => {
    const externalIds = Array.from({ length: server.count }, (_, index) => `S-${index}`);
    const fetch = storeServer({ ...server, externalIds });
    const { stores } = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    expect((await stores.list()).items).toHaveLength(Math.min(100, server.count));
    expect(await stores.list().toArray()).toHaveLength(server.count);
  });
});

it.each([1, 99, 100])(
  "a list of %i stores takes one request, and its page is the one that the service sent",
  async (count) => {
    const stores = Array.from({ length: count }, (_, index) => ({
      externalId: `S-${String(index).padStart(3, "0")}`,
    }));
    const ref = createReferenceServer({ store: { stores } });
    const pages = [];
    for await (const page of new StoreClient(ref.storeOptions).stores.list().pages()) pages.push(page);
    expect(ref.journal.all()).toHaveLength(1);
    expect(pages.map(({ nextCursor, items, raw }) => [nextCursor, items, raw])).toEqual([
      [null, pages[0]?.raw["items"], { items: pages[0]?.items, nextCursor: null }],
    ]);
  },
);

describe("a list whose default page is smaller than its maximum", () => {
  /** The first page has no cursor although stores follow: the last of its stores has no external ID. */
  const serve = (count: number, cursor: unknown, limit: number): object => {
    const start = cursor === undefined ? 0 : Number(cursor) + 1;
    const end = start + limit;
    const items = Array.from({ length: Math.min(count, end) - start }, (_, index) => ({
      storeId: `id-${start + index}`,
      externalId: (start + index) % 100 === 99 ? null : `${start + index}`,
    }));
    return { items, nextCursor: end < count ? (items.at(-1)?.externalId ?? null) : null };
  };

  it.each([100, 150, 199])("is read to its end: %i stores", async (count) => {
    const list = { isDocumented: true, itemId: ["storeId"], defaultPageSize: 100 };
    const api: PageApi = {
      config: {
        operations: { listStores: { method: "GET", path: "/v1/stores", list } },
        secret: { redactor: { redact: String } },
      },
      async page(_, { query }, __, destination) {
        destination.enter({ baseUrl: "https://store.example" }, "");
        const { cursor, limit = 100 } = query as { cursor?: unknown; limit?: number };
        return { json: serve(count, cursor, limit), clean: String } as unknown as ResponseContent; // the list reads no more of it
      },
    };
    const settings = {
      names: { items: "items", cursor: "nextCursor" },
      idProperties: ["storeId"],
      nullable: { property: "externalId", largestPage: 200, reader: "getStore" },
    };
    const request = { api, operation: "listStores", query: undefined, options: undefined };
    expect(await cursorList(request, settings).toArray()).toHaveLength(count);
  });
});
