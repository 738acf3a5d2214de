import { QueryClient } from "@tanstack/query-core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { FleetClient } from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { type CursorPage, type Store, StoreApiError, StoreClient } from "../../../src/client/store/index.ts";
import { infiniteQueryOptions, queryOptions } from "../../../src/client/tanstack-query/index.ts";

function setUp() {
  const ref = createReferenceServer({ store: { stores: 25 }, fleet: { vehicles: 7 } });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
  const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key: ref.keys[0]?.key ?? "", fetch: ref.fetch });
  return { ref, store, fleet, queries: new QueryClient() };
}

describe("queryOptions", () => {
  it("reads a resource once, and then from the cache", async () => {
    const { ref, store, queries } = setUp();
    const options = queryOptions(["store", "S-1"], (call) => store.stores.get("S-1", call));
    const found = await queries.fetchQuery({ ...options, staleTime: 60_000 });
    expectTypeOf(found).toEqualTypeOf<Store>();
    expect(found.externalId).toBe("S-1");
    await queries.fetchQuery({ ...options, staleTime: 60_000 });
    expect(ref.journal.all()).toHaveLength(1);
  });

  it("rejects with the client's error, after only the client's own retries", async () => {
    const { ref, store, queries } = setUp();
    const quick = store.withOptions({ retry: { limit: 1, maxDelay: 0 } });
    ref.on("getStore").once({ status: 500 }).once({ status: 500 });
    const failure = queries.fetchQuery(queryOptions(["s"], (call) => quick.stores.get("S-1", call)));
    await expect(failure).rejects.toBeInstanceOf(StoreApiError);
    expect(ref.journal.all()).toHaveLength(2);
  });

  it("aborts the request of a query that is cancelled", async () => {
    const { ref, store, queries } = setUp();
    ref.on("getStore").fault("stall");
    let signal: AbortSignal | undefined;
    const options = queryOptions(["slow"], (call) => {
      signal = call.signal;
      return store.stores.get("S-1", call);
    });
    const pending = queries.fetchQuery(options).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    await queries.cancelQueries({ queryKey: ["slow"] });
    await pending;
    expect(signal?.aborted).toBe(true);
  });
});

describe("infiniteQueryOptions", () => {
  it("reads the pages of both kinds of lists", async () => {
    const { store, fleet, queries } = setUp();
    const stores = await queries.fetchInfiniteQuery({
      ...infiniteQueryOptions(["stores"], (page, call) => store.stores.list({ ...page, limit: 10 }, call)),
      pages: 9,
    });
    expectTypeOf(stores.pages).toEqualTypeOf<CursorPage<Store>[]>();
    const names = stores.pages.flatMap(({ items }) => items.map(({ storeId }) => storeId));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(25);
    expect(stores.pages.at(-1)?.resume).toBeNull();
    const vehicles = await queries.fetchInfiniteQuery({
      ...infiniteQueryOptions(["vehicles"], (page, call) => fleet.vehicles.list({ ...page, limit: 3 }, call)),
      pages: 9,
    });
    expect(vehicles.pages.map(({ items }) => items.length)).toEqual([3, 3, 1]);
  });

  it("rejects a function that does not pass `resume` to its list, which would return the first page again", async () => {
    const { store, fleet, queries } = setUp();
    const message = "infiniteQueryOptions: `resume` must be in the query of the list";
    const stores = infiniteQueryOptions(["stores"], (_, call) => store.stores.list({ limit: 10 }, call));
    await expect(queries.fetchInfiniteQuery({ ...stores, pages: 9 })).rejects.toThrow(message);
    const vehicles = infiniteQueryOptions(["fleet"], (_, call) => fleet.vehicles.list({ limit: 3 }, call));
    await expect(queries.fetchInfiniteQuery({ ...vehicles, pages: 9 })).rejects.toThrow(message);
  });
});

it("infiniteQueryOptions rejects a function that does not use `resume`, although each first page is another one", async () => {
  let number = 0;
  const open = () => Promise.resolve({ resume: number < 3 ? `${(number += 1)}` : null });
  const { queryFn } = infiniteQueryOptions(["stores"], open);
  const read = (pageParam: string | undefined) =>
    queryFn({ pageParam, signal: new AbortController().signal } as Parameters<typeof queryFn>[0]);
  expect(await read(undefined)).toEqual({ resume: "1" });
  for (const resume of ["1", "2", "3"])
    await expect(read(resume)).rejects.toThrow("`resume` must be in the query of the list");
});

describe("invalid arguments", () => {
  const makers: ((queryKey: never, call: never) => unknown)[] = [queryOptions, infiniteQueryOptions];
  it.each(makers)("are named in the error: %o", (make) => {
    expect(() => make("stores" as never, (() => {}) as never)).toThrow(
      `${make.name}: the query key must be an array`,
    );
    expect(() => make(["stores"] as never, undefined as never)).toThrow(
      `${make.name}: the second argument must be a function that makes the call`,
    );
  });
});
