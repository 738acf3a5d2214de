import { describe, expect, it } from "vitest";
import type { CursorList, PageList } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { json } from "../core/stub-fetch.ts";
import { listServer, stubClient as stubFleet } from "../fleet/stub-client.ts";
import { range, stubClient as stubStore } from "../store/stub-client.ts";

type AnyList = CursorList<unknown> | PageList<unknown, unknown>;

/** Five items, two on a page; the cursor is the ID of the last item. */
function openStore() {
  const ids = ["1", "2", "3", "4", "5"];
  return stubStore(({ query }) => {
    const start = query.cursor === undefined ? 0 : ids.indexOf(query.cursor) + 1;
    const items = ids
      .slice(start, start + 2)
      .map((id) => ({ storeId: id, externalId: id, protocolId: id, photoId: id }));
    return json({ items, nextCursor: start + 2 < ids.length ? ids[start + 1] : null });
  });
}

const fleetRows = Array.from({ length: 5 }, (_, index) => ({ id: `v-${index}` }));

const lists: Record<string, () => { list: AnyList; sent: unknown[] }> = {
  stores: () => {
    const { client, sent } = openStore();
    return { list: client.stores.list({ limit: 2 }), sent };
  },
  protocols: () => {
    const { client, sent } = openStore();
    return { list: client.protocols.list("S", { ...range, limit: 2 }), sent };
  },
  photos: () => {
    const { client, sent } = openStore();
    return { list: client.photos.list("S", { ...range, limit: 2 }), sent };
  },
  vehicles: () => {
    const { client, sent } = stubFleet(listServer(fleetRows, 2));
    return { list: client.vehicles.list({ limit: 2 }), sent };
  },
  "vehicles with verify": () => {
    const { client, sent } = stubFleet(listServer(fleetRows, 2));
    return { list: client.vehicles.list({ limit: 2, verify: true }), sent };
  },
};

const readAll = async (list: AnyList): Promise<number> => {
  let count = 0;
  for await (const _ of list) count += 1;
  return count;
};

describe.each(Object.entries(lists))("a list of %s", (_name, open) => {
  const countFirst = async (): Promise<number> => {
    const { list, sent } = open();
    await list;
    return sent.length;
  };

  it("requests its first page once for everyone who awaits it", async () => {
    const { list, sent } = open();
    const [first, { data }] = await Promise.all([list, list.withResponse(), list.then(String)]);
    expect(await list).toBe(first);
    expect(data).toBe(first);
    await list.finally(() => {});
    expect(sent).toHaveLength(await countFirst());
  });

  it.each(["after", "while"])("does not request it again in a loop %s it is awaited", async (when) => {
    const { list, sent } = open();
    if (when === "after") await list;
    const [count] = await Promise.all([readAll(list), list]);
    const other = open();
    expect([count, sent.length]).toEqual([await readAll(other.list), other.sent.length]);
  });

  it("does not request it again if it is awaited during or after a loop", async () => {
    const { list, sent } = open();
    for await (const _ of list.pages()) await list;
    const before = sent.length;
    await list;
    expect(sent).toHaveLength(before);
  });

  it("lets the caller change what it awaited, and loops over what the service returned", async () => {
    const { list } = open();
    const [page, { data }] = await Promise.all([
      list as PromiseLike<{ items: object[]; raw: JsonObject }>,
      list.withResponse(),
    ]);
    expect(data).toBe(page);
    for (const item of page.items) Object.assign(item, { changed: true });
    for (const [name, value] of Object.entries(page.raw)) {
      if (Array.isArray(value)) value.length = 0;
      else page.raw[name] = null;
    }
    page.items.length = 0;
    const other = open();
    expect(await list.toArray()).toEqual(await other.list.toArray());
  });

  it("lets the caller change in a loop what it awaits there", async () => {
    const { list } = open();
    const items: unknown[] = [];
    for await (const item of list) {
      items.push(item);
      const page = await (list as PromiseLike<{ items: object[] }>);
      page.items.length = 0;
    }
    expect(items).toEqual(await open().list.toArray());
  });

  it("begins a new walk with each further loop", async () => {
    const { list, sent } = open();
    await list;
    await readAll(list);
    const before = sent.length;
    await readAll(list);
    expect(sent).toHaveLength(2 * before);
  });

  it("returns the first items or all of them", async () => {
    expect(await open().list.take(3)).toHaveLength(3);
    expect(await open().list.take(0)).toEqual([]);
    expect(await open().list.toArray()).toHaveLength(5);
    expect(await open().list.toArray({ max: 5 })).toHaveLength(5);
    expect(await open().list.toArray({ max: Infinity })).toHaveLength(5);
    await expect(open().list.toArray({ max: 4 })).rejects.toMatchObject({
      name: "PaginationError",
      reason: expect.stringContaining("more than 4 items (`max`)") as string,
    });
  });
});

it("a list whose first request fails is requested again", async () => {
  let isDown = true;
  const { client, sent } = stubStore(() =>
    json({ items: [], nextCursor: null }, { status: isDown ? 404 : 200 }),
  );
  const list = client.stores.list();
  await Promise.all([list, list].map((one) => expect(one).rejects.toMatchObject({ status: 404 })));
  expect(sent).toHaveLength(1);
  isDown = false;
  expect((await list).items).toEqual([]);
  expect(await list.toArray()).toEqual([]);
  expect(sent).toHaveLength(2);
});

it("a list rejects a property `__proto__` of its query", async () => {
  const query = JSON.parse('{ "__proto__": { "limit": 5 } }') as object;
  const { client } = openStore();
  const { client: fleet } = stubFleet(listServer(fleetRows, 2));
  for (const list of [
    client.stores.list(query),
    client.protocols.list("S", { ...range, ...query }),
    fleet.vehicles.list(query),
  ])
    await expect(Promise.resolve(list)).rejects.toThrow("__proto__: is not a parameter of this operation");
});
