// What the methods and options of a list do, for both kinds of lists.
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ListQuery } from "../../../src/client/lists/query.ts";
import type { PhotoListQuery } from "../../../src/client/store/photos.ts";
import type { StoreListQuery } from "../../../src/client/store/stores.ts";
import { ConfigurationError, InvalidRequestError } from "../../../src/index.ts";
import { pageOf, serve, storeRow } from "../../sync/service.ts";

const uuid = "7f1b0c2e-0000-4000-8000-00000000000a";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** A service with stores S-001 to S-005, vehicles 1 to 5, and protocols and photos of one page. */
function fiveOfEach(more: readonly object[] = []) {
  const { store, fleet, sent } = serve(({ path, query }) => {
    const limit = Number(query.get("limit") ?? 100);
    if (path === "/vehicles")
      return pageOf(
        Array.from({ length: 5 }, (_, id) => ({ id })),
        query,
      );
    if (path !== "/stores") return [200, { items: more, nextCursor: null }, { "x-request-id": "r-1" }];
    const start = Number(query.get("cursor") ?? 0);
    const items = [1, 2, 3, 4, 5].slice(start, start + limit).map((n) => storeRow(n));
    return [200, { items, nextCursor: start + limit < 5 ? String(start + limit) : null }];
  });
  const stores = (query: StoreListQuery = {}) => store.stores.list({ limit: 2, ...query });
  const photos = (query: Partial<PhotoListQuery> = {}) => store.photos.list("S-1", { ...range, ...query });
  const open = fleet.vehicles.list;
  const protocols = store.protocols.list("S-1", range);
  return { sent, stores, photos, protocols, open, vehicles: open({ limit: 2 }), requests: () => sent.length };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

type World = ReturnType<typeof fiveOfEach>;

describe("a list", () => {
  it.each<[string, (world: World) => Promise<unknown>, number, number]>([
    ["toArray()", ({ stores }) => stores().toArray(), 5, 3],
    ["toArray({ max }) of as many items", ({ stores }) => stores().toArray({ max: 5 }), 5, 3],
    ["toArray({ max: Infinity })", ({ stores }) => stores().toArray({ max: Infinity }), 5, 3],
    ["toArray({ max: 0 }) of none", ({ photos }) => photos().toArray({ max: 0 }), 0, 1],
    ["take(0)", ({ stores }) => stores().take(0), 0, 0],
    ["take(2) of pages of 2", ({ stores }) => stores().take(2), 2, 1],
    ["take(3) of pages of 2", ({ stores }) => stores().take(3), 3, 2],
    ["take(9) of 5", ({ vehicles }) => vehicles.take(9), 5, 3],
    ["for await", ({ vehicles }) => collect(vehicles), 5, 3],
    ["items()", ({ vehicles }) => collect(vehicles.items({ concurrency: 2 })), 5, 3],
    ["pages()", ({ stores }) => collect(stores().pages({ prefetch: 0 })), 3, 3],
    ["a method without its object", ({ vehicles: { toArray } }) => toArray(), 5, 3],
  ])("%s returns what is there with the fewest requests", async (_, read, length, requests) => {
    const world = fiveOfEach();
    expect(await read(world)).toHaveLength(length);
    expect(world.requests()).toBe(requests);
  });

  it.each<[string, (world: World) => unknown, string]>([
    ["toArray({ max: -1 })", ({ stores }) => stores().toArray({ max: -1 }), "max must be an integer of at"],
    ["toArray({ max: 1.5 })", ({ stores }) => stores().toArray({ max: 1.5 }), "at least 0, or Infinity"],
    [
      "toArray({ limit })",
      ({ stores }) => stores().toArray({ limit: 5 } as object),
      'GET /v1/stores: unknown option "limit". Expected one of max',
    ],
    ["take(-1)", ({ stores }) => stores().take(-1), "count must be an integer of at least 0"],
    ["take(undefined)", ({ stores }) => stores().take(undefined as never), "count must be an integer of at"],
    ["take(1.5)", ({ stores }) => stores().take(1.5), "count must be an integer of at least 0"],
    ["prefetch: -1", ({ stores }) => stores().pages({ prefetch: -1 }), "prefetch must be an integer of at"],
    ["concurrency: 0", ({ vehicles }) => vehicles.items({ concurrency: 0 }), "concurrency must be an"],
    ["concurrency: 1.5", ({ vehicles }) => vehicles.items({ concurrency: 1.5 }), "an integer of at least 1"],
    ["prefetch", ({ vehicles }) => vehicles.pages({ prefetch: 2 } as object), "Expected one of concurrency"],
    ["count", ({ protocols }) => protocols.pages({ count: 2 } as object), "Expected one of prefetch"],
  ])("refuses the option %s before a request", async (_, read, message) => {
    const world = fiveOfEach();
    const error = await (async () => await read(world))().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(message);
    expect(world.requests()).toBe(0);
  });

  it.each<[string, (world: World) => unknown, string]>([
    ["verify: yes", ({ stores }) => stores({ verify: "yes" as never }), "verify: must be true or false"],
    ["verify: 1", ({ open }) => open({ verify: 1 as never }), "verify: must be true or false"],
    ["resume: null", ({ stores }) => stores({ resume: null as never }), "resume: is null: the walk is"],
    ["onDrift: 1", ({ open }) => open({ onDrift: 1 as never }), "onDrift: must be heal, report or throw"],
    ["resume and cursor", ({ stores }) => stores({ resume: "a", cursor: "b" }), "resume: cannot be given"],
    [
      "resume and page",
      ({ open }) => open({ resume: "a", page: 2 }),
      "resume: cannot be given together with",
    ],
    ["resume and verify", ({ stores }) => stores({ resume: "a", verify: true }), "resume: cannot be given"],
    ["resume: 5", ({ stores }) => stores({ resume: 5 as never }), "resume: must be the `resume` of a page"],
    ["resume: {", ({ stores }) => stores({ resume: "{" }), "resume: must be the `resume` of a page"],
    ["resume: null in JSON", ({ stores }) => stores({ resume: "null" }), "must be the `resume` of a page of"],
  ])("refuses %s before a request", async (_, read, message) => {
    const world = fiveOfEach();
    const error = await (async () => await read(world))().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as Error).message).toContain(message);
    expect(world.requests()).toBe(0);
  });

  it("that is longer than `max` is an error", async () => {
    await expect(fiveOfEach().stores().toArray({ max: 4 })).rejects.toThrow(
      /: the list has more than 4 items \(toArray: max\)$/,
    );
  });

  it("is requested once as a promise, with its response", async () => {
    const { photos, vehicles, requests } = fiveOfEach();
    const list = photos();
    const { data, response, requestId } = await list.withResponse();
    expect(data.raw).toEqual({ items: [], nextCursor: null });
    expect([data, response.status, requestId]).toEqual([await list, 200, "r-1"]);
    expect(await list.catch(() => "failed")).toBe(data);
    expect(await list.finally(() => {})).toBe(data);
    expect(Object.keys(data)).toEqual(["items", "sent", "nextCursor", "raw", "resume"]);
    expect(requests()).toBe(1);
    expect((await vehicles.withResponse()).meta).toEqual((await vehicles).raw["meta"]);
  });

  it("says what it reads", async () => {
    const { photos, stores, open } = fiveOfEach();
    const { resume } = await stores();
    const isWhole = [stores(), stores({ cursor: "2" }), stores({ resume: resume ?? "" })];
    expect(isWhole.map((list) => list.isWhole)).toEqual([true, false, false]);
    const { operation, path, baseUrl } = photos();
    expect(open().baseUrl).toBe("https://fleet.example/api/third-party/v1");
    expect({ operation, path }).toMatchObject({ operation: "listPhotos", path: { externalId: "S-1" } });
    expect(baseUrl).toBe("https://stores.example");
  });

  it.each<[string, unknown[], number]>([
    ["the same UUID in other letters", [uuid, uuid.toUpperCase()], 1],
    ["IDs that differ in their letters", ["a", "A"], 2],
    ["the same number", [5, 5], 1],
    ["numbers beyond 2^53, which may differ", [2 ** 53, 2 ** 53], 2],
    ["empty IDs", ["", ""], 2],
    ["no IDs", [undefined, undefined], 2],
  ])("delivers each ID once: %s", async (_, ids, count) => {
    const { photos } = fiveOfEach(ids.map((photoId) => ({ photoId })));
    expect(await photos().toArray()).toHaveLength(count);
  });

  it("delivers what is no object as it came", async () => {
    const items = [null, 5, "a", null] as never[];
    expect(await fiveOfEach(items).photos().toArray()).toEqual(items);
  });

  it("has the operation of its method", () => {
    const { store, fleet } = serve(() => [200]);
    const lists: { operation: string }[] = [
      store.stores.list(),
      store.protocols.list("S-1", range),
      store.photos.list("S-1", range),
      fleet.vehicles.list(),
      fleet.vehicleGroups.list(),
      fleet.vehicleFields.list(),
      fleet.vehicleFields.listVehicles("1"),
      fleet.inspections.list(),
      fleet.inspectionTemplates.list(),
      fleet.damages.list(),
      fleet.driverAssignments.list(),
    ];
    expect(lists.map(({ operation }) => operation).join(" ")).toBe(
      "listStores listProtocols listPhotos listVehicles listVehicleGroups listVehicleFields " +
        "listVehicleFieldVehicles listInspections listInspectionTemplates listDamages listDriverAssignments",
    );
  });

  it("recognizes items by `identify`, which returns a string", async () => {
    const { photos } = fiveOfEach([
      { photoId: "1", url: "a" },
      { photoId: "2", url: "a" },
    ]);
    expect(await photos({ identify: ({ url }) => String(url) }).toArray()).toHaveLength(1);
    expect(photos({ identify: ({ url }) => `${String(url)}!` }).idOf({ url: "b" })).toBe("b!");
    await expect(photos({ identify: () => "" }).toArray()).rejects.toBeInstanceOf(ConfigurationError);
    const words = "identify must return a non-empty string";
    await expect(photos({ identify: () => 5 as never }).toArray()).rejects.toThrow(words);
  });

  it.each([
    ["prefetch", 0, 1],
    ["prefetch", 1, 2],
    ["prefetch", 2, 3],
    ["concurrency", 1, 1],
    ["concurrency", 2, 2],
    ["concurrency", 9, 3],
  ])("with %s %i has sent %i requests while its first page is used", async (name, count, expected) => {
    const { stores, vehicles, requests } = fiveOfEach();
    const list = name === "prefetch" ? stores() : vehicles;
    for await (const _ of list.pages({ [name]: count })) {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      break;
    }
    expect(requests()).toBe(expected);
  });
});

describe("the `resume` of a page", () => {
  const protocol = (id: string | null) => ({ protocolId: `P-${id}` });
  const open = (changes: object = {}) => {
    const { makeStore, fleet } = serve(({ path, query }) => {
      const cursor = query.get("cursor");
      if (path === "/vehicles") return pageOf([{ id: 1 }, { id: 2 }], query);
      const items = [path === "/stores" ? storeRow(1) : protocol(cursor)];
      return [200, { items, nextCursor: cursor === null ? "a" : null }];
    });
    const store = makeStore(changes);
    return {
      stores: (query: ListQuery) => store.stores.list(query),
      vehicles: (query: ListQuery) => fleet.vehicles.list({ limit: 1, ...query }),
      protocols: (query: ListQuery) => store.protocols.list("S-1", { ...range, ...query }),
      others: (query: ListQuery) => store.protocols.list("S-2", { ...range, ...query }),
    };
  };

  it.each<["stores" | "vehicles" | "protocols", object]>([
    ["stores", { v: 3 }],
    ["stores", { list: null }],
    ["stores", { at: null }],
    ["stores", { at: { cursor: 5 } }],
    ["vehicles", { at: { page: 0 } }],
    ["vehicles", { at: { page: 1.5 } }],
    ["vehicles", { at: { page: 2, last: 5 } }],
    ["protocols", { at: {} }],
    ["protocols", { at: { start: 1 } }],
    ["protocols", { at: { width: 1 } }],
    ["protocols", { at: { start: 1, width: 0 } }],
    ["protocols", { at: { start: 1, width: "5" } }],
  ])("of %s with the change %j is refused", async (name, changes) => {
    const list = open()[name];
    const { resume } = await list({});
    const changed = JSON.stringify({ ...JSON.parse(resume ?? ""), ...changes });
    await expect(list({ resume: changed })).rejects.toThrow("must be the `resume` of a page of this list");
  });

  it("is refused by a list with another path, filter or base URL, and accepted with another limit", async () => {
    const world = open();
    const extra = { a: "1", b: "2" };
    const resume = (await world.protocols({ extra })).resume ?? "";
    const message = "must be the `resume` of a page of this list with the same filters and base URL";
    await expect(world.vehicles({ resume })).rejects.toThrow(message);
    await expect(world.others({ resume, extra })).rejects.toThrow(message);
    await expect(world.protocols({ resume, extra: { a: "1", b: "3" } })).rejects.toThrow(message);
    const elsewhere = open({ baseUrl: "https://other.example" });
    await expect(elsewhere.protocols({ resume, extra })).rejects.toThrow(message);
    const again = world.protocols({ limit: 7, extra, resume } as ListQuery);
    expect((await again).items).toEqual([protocol("a")]);
  });
});
