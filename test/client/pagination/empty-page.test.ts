import { describe, expect, it } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { ConnectionError, StoreApiError } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { stubClient } from "../store/stub-client.ts";

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ storeId: `${from + at}`, externalId: `S-${from + at}` }));

// gap stores.unknown-cursor
describe("an empty page of stores after a cursor", () => {
  /** Walks over one store and an empty page; `respond` says whether the store of the cursor still exists. */
  async function walk(respond: () => Response): Promise<unknown> {
    const { client } = stubClient(
      ({ url, query }) => {
        if (!new URL(url).pathname.endsWith("/stores")) return respond();
        return query["cursor"] === undefined
          ? json({ items: rows(1), nextCursor: "S-0" })
          : json({ items: [], nextCursor: null });
      },
      { retry: 0 },
    );
    return client.stores
      .list()
      .take(9)
      .catch((error: unknown) => error);
  }

  it("ends the walk if the store of the cursor exists", async () => {
    expect(await walk(() => json({ storeId: "0", externalId: "S-0" }))).toEqual(rows(1));
  });

  it("ends the walk with an error if that store does not exist", async () => {
    expect(await walk(() => json({ error: { code: "not_found" } }, { status: 404 }))).toMatchObject({
      name: "PaginationError",
      reason:
        "the page is empty, and the store of its cursor was deleted or renamed during the walk: more stores may follow",
      lastCursor: undefined,
    });
  });

  it("ends the walk with an error if that store was deleted before the page was read again", async () => {
    let reads = 0;
    const deleted = (): Response => {
      reads += 1;
      return reads === 1 ? json({ storeId: "0", externalId: "S-0" }) : json({ error: {} }, { status: 404 });
    };
    expect(await walk(deleted)).toMatchObject({ name: "PaginationError" });
  });

  it("ends the walk with the error of the question if it is another one", async () => {
    expect(await walk(() => json({}, { status: 500 }))).toBeInstanceOf(StoreApiError);
    const fail = (): never => {
      throw Object.assign(new TypeError("fetch failed"), { status: 404 });
    };
    expect(await walk(fail)).toBeInstanceOf(ConnectionError);
  });
});

const { maximum } = storeQueryLimits.listStores.limit;

it("an empty page of stores that is full when it is read again, and has no cursor, does not end the walk", async () => {
  let isLate = true;
  const all = rows(7).map((row, at) => (at === 3 ? { ...row, externalId: null } : row));
  const { client } = stubClient(({ url, query }) => {
    if (!new URL(url).pathname.endsWith("/stores")) return json(all[1]);
    const start = query["cursor"] === undefined ? 0 : Number(query["cursor"].slice(2)) + 1;
    if (start === 2 && isLate) {
      isLate = false; // a replica does not have the stores yet
      return json({ items: [], nextCursor: null });
    }
    const items = all.slice(start, start + Number(query["limit"]));
    return json({ items, nextCursor: items.length + start < 7 ? (items.at(-1)?.externalId ?? null) : null });
  });
  expect(await client.stores.list({ limit: 2 }).toArray()).toEqual(all);
});

// gap stores.null-cursor
describe("a full page of stores without a cursor", () => {
  it("whose last store could have been the cursor is the end", async () => {
    const { client, sent } = stubClient(() => json({ items: rows(2), nextCursor: null }));
    expect(await client.stores.list({ limit: 2 }).toArray()).toEqual(rows(2));
    expect(sent).toHaveLength(1);
  });

  it("whose last store has no external ID is read again with another limit", async () => {
    const all = rows(3).map((row, at) => (at === 1 ? { ...row, externalId: null } : row));
    const { client, sent } = stubClient(({ query }) =>
      json({ items: all.slice(0, Number(query["limit"])), nextCursor: null }),
    );
    expect(await client.stores.list({ limit: 2 }).toArray()).toEqual(all);
    expect(sent.map(({ query }) => query["limit"])).toEqual(["2", `${maximum}`]);
  });
});
