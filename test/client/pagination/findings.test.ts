import { describe, expect, it } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { FleetClient, type JsonObject, StoreClient, type StoreClientOptions } from "../../../src/index.ts";
import { numberedServer } from "./numbered-model.ts";
import { instantAt, micros, type RangeModel, rangeServer } from "./range-model.ts";
import { storeServer } from "./store-model.ts";

type Server = (url: string) => Promise<Response>;

function store(fetch: Server, options: Partial<StoreClientOptions> = {}): StoreClient {
  return new StoreClient({ baseUrl: "https://store.example", token: "t", fetch, ...options });
}

function fleet(fetch: Server): FleetClient {
  const key = `acme_${"0123456789abcdef".repeat(4)}`;
  return new FleetClient({ baseUrl: "https://fleet.example/api/third-party/v1", key, fetch });
}

/** Counts requests, and ends a walk that would not end. */
function countRequests(server: Server, maximum = 5000): { fetch: Server; urls: URL[] } {
  const urls: URL[] = [];
  const fetch: Server = async (url) => {
    urls.push(new URL(url));
    return urls.length > maximum ? new Response("{}", { status: 418 }) : server(url);
  };
  return { fetch, urls };
}

const start = micros("2026-01-01T00:00:00Z");
const hour = 3_600_000_000;
const at = (hours: number): string => instantAt(start + hours * hour);

const model: RangeModel = {
  instants: Array.from({ length: 30 }, (_, index) => start + index * hour),
  cursor: "cursor",
  order: "oldest-first",
  ends: "half-open",
  summary: (index) => ({ protocolId: `P-${index}`, at: index }),
};

const resumeOf = async (list: PromiseLike<{ resume: string | null }>): Promise<string> =>
  String((await list).resume);
const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a resume token", () => {
  const query = { from: at(0), to: at(20), limit: 4 };

  it.each([
    ["to", "S-1", { ...query, to: at(29) }],
    ["from", "S-1", { ...query, from: at(-1) }],
    ["limit", "S-1", { ...query, limit: 5 }],
    ["status", "S-1", { ...query, status: "completed" as const }],
    ["extra.region", "S-1", { ...query, extra: { region: "x" } }],
    ["identify", "S-1", { ...query, identify: (): string => "x" }],
    ["externalId", "S-2", query],
  ])("is rejected with another `%s`, which the error names", async (name, externalId, other) => {
    for (const cursor of ["cursor", "ignored", "ignored-new-cursor", "rejected"] as const) {
      const { fetch, urls } = countRequests(rangeServer({ ...model, cursor }));
      const resume = await resumeOf(store(fetch).protocols.list("S-1", query));
      expect(
        await failureOf(
          store(fetch)
            .protocols.list(externalId, { ...other, resume })
            .toArray(),
        ),
      ).toMatchObject({
        name: "InvalidRequestError",
        issues: [{ path: "resume", message: `belongs to a list with another \`${name}\`` }],
      });
      expect(urls).toHaveLength(1);
    }
  });

  it("is rejected with several differences, which one error names", async () => {
    const { protocols } = store(rangeServer(model));
    const resume = await resumeOf(protocols.list("S-1", query));
    expect(await failureOf(protocols.list("S-2", { ...query, to: at(21), resume }))).toMatchObject({
      issues: [{ path: "resume", message: "belongs to a list with another `externalId`, `to`" }],
    });
  });

  it("is rejected with another `search` of a numbered list, and in another list", async () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({ id: `f-${index}` }));
    const { vehicleFields, vehicles } = fleet(numberedServer({ rows, shape: "paged" }));
    const resume = await resumeOf(vehicleFields.list({ search: "brake", limit: 2 }));
    expect(await failureOf(vehicleFields.list({ search: "tyre", limit: 2, resume }).toArray())).toMatchObject(
      {
        issues: [{ path: "resume", message: "belongs to a list with another `search`" }],
      },
    );
    expect(await failureOf(vehicles.list({ limit: 2, resume }))).toMatchObject({
      issues: [{ path: "resume" }],
    });
  });

  it("is accepted with the same instants as `Date` or as string", async () => {
    const { protocols } = store(rangeServer(model));
    const resume = await resumeOf(
      protocols.list("S-1", { from: "2026-01-01T01:00:00+01:00", to: "2026-01-01T05:00Z", limit: 2 }),
    );
    const same = {
      from: new Date("2026-01-01T00:00:00Z"),
      to: new Date("2026-01-01T05:00:00Z"),
      limit: 2,
      resume,
    };
    expect(await protocols.list("S-1", same).toArray()).toHaveLength(3);
  });
});

describe("protocols with equal summaries", () => {
  const pairs: RangeModel = {
    ...model,
    instants: [0, 0, 3, 3, 6, 6, 9, 9, 12, 12, 15, 15].map((hours) => start + hours * hour),
    summary: (index) => ({ note: Math.floor(index / 2) }),
  };
  const query = { from: at(0), to: at(16) };

  it.each([2, 4, 6])(
    "are all delivered by a cursor if equal ones are on one page, %i per page",
    async (limit) => {
      const items = await store(rangeServer(pairs))
        .protocols.list("S", { ...query, limit })
        .toArray();
      expect(items).toHaveLength(12);
    },
  );

  it.each([1, 3, 5])(
    "end in an error that asks for `identify` if two pages share them, %i per page",
    async (limit) => {
      const list = store(rangeServer(pairs)).protocols.list("S", { ...query, limit });
      await expect(list.toArray()).rejects.toMatchObject({
        reason: expect.stringContaining("`identify`") as string,
      });
    },
  );

  it.each(["ignored", "ignored-new-cursor", "rejected"] as const)(
    "are all delivered on one page, and windows require `identify`: %s",
    async (cursor) => {
      const { protocols } = store(rangeServer({ ...pairs, cursor }));
      expect(await protocols.list("S", query).toArray()).toHaveLength(12);
      expect(await failureOf(protocols.list("S", { ...query, limit: 5 }).toArray())).toMatchObject({
        name: "PaginationError",
        message: expect.stringContaining("`identify`") as string,
      });
    },
  );
});

describe("a protocol at the boundary of a window", () => {
  it.each(["half-open", "inclusive", "exclusive", "left-open"] as const)(
    "is delivered under the reading of range ends: %s",
    async (ends) => {
      for (const order of ["oldest-first", "newest-first"] as const) {
        // the range is halved at hour 8, 4, 12 and so on
        const instants = Array.from({ length: 13 }, (_, index) => start + (index + 2) * hour);
        const server = rangeServer({ ...model, instants, order, ends, cursor: "ignored" });
        for (const strategy of ["auto", "window"] as const) {
          const { protocols } = store(server, { strategies: { "protocols.next-page": strategy } });
          expect(await protocols.list("S", { from: at(0), to: at(16), limit: 2 }).toArray()).toHaveLength(13);
        }
      }
    },
  );
});

describe("a null cursor before the end of a list", () => {
  it("causes no missing store", async () => {
    const externalIds = ["S-1", "S-2", "S-3", null, "S-5", "S-6", "S-7", "S-8"];
    const { stores } = store(storeServer({ externalIds, cursorStart: "after", nullCursor: "null" }));
    expect(await stores.list({ limit: 4 }).toArray()).toHaveLength(8);
  });

  it("is an error if no other page size shows what follows", async () => {
    const { maximum } = storeQueryLimits.listStores.limit;
    const externalIds = Array.from({ length: maximum + 20 }, (_, index) =>
      index < maximum - 10 ? `S-${index}` : null,
    );
    const { stores } = store(storeServer({ externalIds, cursorStart: "after", nullCursor: "null" }));
    const failure = await failureOf(stores.list({ limit: maximum }).toArray());
    expect(failure).toMatchObject({ name: "PaginationError" });
    expect(await stores.list({ limit: maximum - 20 }).toArray()).toHaveLength(maximum + 20);
  });
});

describe("a change of the list between two pages", () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ id: `v-${index}` }));
  const swap = (all: object[], request: number): void => {
    if (request !== 2) return;
    all.splice(0, 1);
    all.push({ id: "new" });
  };

  it("is noticed with `verify`, which delivers the items of two equal passes", async () => {
    for (const concurrency of [1, 4]) {
      const { vehicles } = fleet(numberedServer({ rows, shape: "paged", before: swap }));
      const items: unknown[] = [];
      for await (const item of vehicles.list({ limit: 3, verify: true }).items({ concurrency }))
        items.push(item);
      expect(items).toEqual([...rows.slice(1), { id: "new" }]);
    }
  });
});

describe("summaries without an ID that differ between two reads", () => {
  const signed: RangeModel = {
    ...model,
    cursor: "ignored-new-cursor",
    summary: (index, response) => ({ note: index, url: `https://x.example/${response}` }),
  };

  it.each([
    ["auto", [1, 3]],
    ["cursor", [1, 3]],
    ["window", [17, 53]],
  ] as const)("end in an error that asks for `identify`: %s", async (strategy, counts) => {
    const { fetch, urls } = countRequests(rangeServer(signed));
    const { protocols } = store(fetch, { strategies: { "protocols.next-page": strategy } });
    const items: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const item of protocols.list("S", { from: at(0), to: at(30), limit: 1 })) items.push(item);
    };
    expect(await failureOf(walk())).toMatchObject({
      name: "PaginationError",
      message: expect.stringContaining("`identify`") as string,
    });
    expect([items.length, urls.length]).toEqual(counts);
  });

  it("are distinguished by `identify`", async () => {
    const identify = ({ note }: JsonObject): string => String(note);
    const list = store(rangeServer(signed), { identify }).protocols.list("S", {
      from: at(0),
      to: at(30),
      limit: 4,
    });
    expect(await list.toArray()).toHaveLength(30);
  });
});

describe("a walk whose requests return no new item", () => {
  /** Windows of up to a minute are empty, all others are full. */
  const hostile: Server = async (url) => {
    const { searchParams: query } = new URL(url);
    const width = Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "");
    const isFull = width > 60_000;
    return new Response(
      JSON.stringify({ items: isFull ? [{ id: "P" }] : [], nextCursor: isFull ? "c" : null }),
    );
  };
  const query = { from: at(0), to: at(24 * 365) };

  it.each([undefined, 50])("ends in windows with maxIdleRequests %j", async (maxIdleRequests) => {
    const { fetch, urls } = countRequests(hostile);
    const { protocols } = store(fetch, { strategies: { "protocols.next-page": "window" } });
    expect(await failureOf(protocols.list("S", { ...query, maxIdleRequests }).toArray())).toMatchObject({
      name: "PaginationError",
      reason: `${maxIdleRequests ?? 1000} requests in a row returned no new item (the limit is \`maxIdleRequests\`)`,
    });
    expect(urls).toHaveLength((maxIdleRequests ?? 1000) + 1);
  });

  it("ends in every other list", async () => {
    const empty = countRequests(async () => {
      const pagination = {
        currentPage: empty.urls.length,
        totalPages: 9999,
        totalCount: 9999,
        hasNextPage: true,
      };
      const nextCursor = `c${empty.urls.length}`;
      return new Response(JSON.stringify({ items: [], nextCursor, data: [], meta: { pagination } }));
    });
    const { stores, photos } = store(empty.fetch);
    const { vehicles } = fleet(empty.fetch);
    const limits = { maxIdleRequests: 20 };
    for (const list of [
      stores.list(limits),
      photos.list("S", { ...query, ...limits }),
      vehicles.list(limits),
    ]) {
      empty.urls.length = 0;
      expect(await failureOf(list.toArray())).toMatchObject({ name: "PaginationError" });
      expect(empty.urls).toHaveLength(20);
    }
  });
});

describe("a change by the caller after the call", () => {
  it("has no effect for a `Date`", async () => {
    for (const cursor of ["cursor", "ignored"] as const) {
      const [from, to] = [new Date(at(0)), new Date(at(6))];
      const seen: unknown[] = [];
      for await (const item of store(rangeServer({ ...model, cursor })).protocols.list("S", {
        from,
        to,
        limit: 2,
      })) {
        seen.push(item);
        from.setFullYear(2030);
        to.setFullYear(2031);
      }
      expect(seen).toHaveLength(6);
    }
  });

  it("has no effect for two dates that three lists share", async () => {
    const { protocols } = store(rangeServer(model));
    const [from, to] = [new Date(at(0)), new Date(at(2))];
    const lists = [0, 1, 2].map(() => {
      const list = protocols.list("S", { from, to });
      from.setHours(from.getHours() + 2);
      to.setHours(to.getHours() + 2);
      return list;
    });
    const first = await Promise.all(lists.map(async (list) => (await list).items[0]?.protocolId));
    expect(first).toEqual(["P-0", "P-2", "P-4"]);
  });

  it("has no effect for the query, its `extra`, the headers and the options", async () => {
    const { fetch, urls } = countRequests(
      storeServer({ externalIds: ["a", "b", "c"], cursorStart: "after", nullCursor: "null" }),
    );
    const headers: unknown[] = [];
    const { stores } = store((url) => fetch(url), { hooks: {} });
    const query = { limit: 2, extra: { region: "x" } };
    const options = { headers: { "x-run": "1" }, retry: { limit: 0 } };
    const watched = new StoreClient({
      baseUrl: "https://store.example",
      token: "t",
      fetch: (url, init) => {
        headers.push(new Headers(init.headers).get("x-run"));
        return fetch(url);
      },
    });
    for await (const _ of watched.stores.list(query, options)) {
      query.extra.region = "y";
      query.limit = 1;
      options.headers["x-run"] = "2";
    }
    expect(urls.map(({ search }) => search)).toEqual(["?limit=2&region=x", "?limit=2&cursor=b&region=x"]);
    expect(headers).toEqual(["1", "1"]);
    expect(await stores.list({ limit: 3 })).toHaveProperty("items.length", 3);
  });
});
