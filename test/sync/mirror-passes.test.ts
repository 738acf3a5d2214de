import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { FleetClient } from "../../src/index.ts";
import { mirror, type MirrorSink } from "../../src/sync/index.ts";
import { beginRun, judgePass } from "../../src/sync/mirror-state.ts";
import { addPage, firstPass, otherPageSize } from "../../src/sync/passes.ts";
import {
  type Answer,
  fleetNotFound,
  memorySink,
  pageOf,
  type Received,
  rejection,
  serve,
  settle,
} from "./service.ts";

/** A fleet whose vehicles a test changes; `before` can respond first. */
function vehicles(
  count: number,
  before: (request: Received, n: number) => Answer | undefined = () => undefined,
) {
  const rows = Array.from({ length: count }, (_, n) => ({ id: `v${n + 100}`, name: `n${n}` }));
  let requests = 0;
  const served = serve((request) => {
    const special = before(request, (requests += 1));
    if (special !== undefined) return special;
    const { path, query } = request;
    if (path === "/vehicles") return pageOf(rows, query);
    const row = rows.find(({ id }) => path === `/vehicles/${id}`);
    return row ? [200, { data: row, meta: {} }] : fleetNotFound;
  });
  const lists = () => served.sent.filter(({ path }) => path === "/vehicles");
  return { ...served, rows, lists };
}

describe("a mirror reads the list a second time", () => {
  it("with another page size, and with `verify: false` once", async () => {
    const { fleet, lists } = vehicles(30);
    await mirror(fleet.vehicles, memorySink().sink, { query: { limit: 10 } });
    const limits = lists().map(({ query }) => query.get("limit"));
    expect(limits).toEqual(["10", "10", "10", "8", "8", "8", "8"]);
    await mirror(fleet.vehicles, memorySink().sink, { query: { limit: 10 }, verify: false });
    expect(lists()).toHaveLength(limits.length + 3);
  });

  it.each<[string, (request: Received, n: number) => Answer | undefined]>([
    [
      "one page is empty once, with totals to match",
      ({ query }, n) =>
        n === 2 ? pageOf([], query, { totalPages: 3, totalCount: 20, hasNextPage: true }) : undefined,
    ],
    [
      "the first row of each page is lost at the edge",
      ({ query }) => {
        const limit = Number(query.get("limit"));
        const page = Number(query.get("page") ?? 1);
        const all = Array.from({ length: 30 }, (_, n) => ({ id: `v${n + 100}`, name: `n${n}` }));
        const shown = all.filter((_, n) => n === 0 || n % limit !== 0);
        const data = all.slice((page - 1) * limit, page * limit).filter((row) => shown.includes(row));
        const [status, body] = pageOf(all, query) as [number, { meta: object }];
        const [, own] = pageOf(shown, query) as [number, { meta: { pagination: { totalCount: number } } }];
        const pagination = { ...(body.meta as { pagination: object }).pagination };
        const { totalCount } = own.meta.pagination;
        return [status, { data, meta: { version: "v1", pagination: { ...pagination, totalCount } } }];
      },
    ],
  ])("so that nothing is lost if %s", async (_, before) => {
    const { fleet, rows } = vehicles(30, before);
    const { sink, data } = memorySink();
    await settle(mirror(fleet.vehicles, sink, { query: { limit: 10, onDrift: "report" } })).catch(() => {});
    expect(data()).toEqual(rows);
  });

  it("and gives up after five passes that differ; what was read is kept, and the next run begins again", async () => {
    let n = 0;
    const { fleet } = serve(({ query }) => pageOf([{ id: `v${(n += 1)}` }], query));
    const { sink, ids } = memorySink();
    const run = () => mirror(fleet.vehicles, sink, { maxDeleted: 1 });
    expect(await rejection(run())).toMatchObject({
      name: "MirrorError",
      message: expect.stringContaining("5 passes had different entries") as string,
    });
    expect([n, ids().length]).toEqual([5, 5]);
    await rejection(run());
    expect(n).toBe(10);
  });

  it("and continues in the second pass if it was killed there", async () => {
    const { fleet, rows, lists } = vehicles(30);
    const { sink, data } = memorySink();
    let saves = 0;
    const killing: MirrorSink<unknown> = {
      ...sink,
      async save(changes) {
        await sink.save(changes);
        if ((saves += 1) === 5) throw new Error("killed");
      },
    };
    const query = { limit: 10 };
    await rejection(mirror(fleet.vehicles, killing, { query }));
    expect(lists().map((request) => request.query.get("limit"))).toEqual(["10", "10", "10", "8", "8"]);
    expect(await mirror(fleet.vehicles, sink, { query })).toMatchObject({ read: 30, added: 0 });
    // page 2 shows whether rows have moved over the place
    const rest = lists().slice(5);
    expect(rest.map((request) => [request.query.get("limit"), request.query.get("page")])).toEqual([
      ["8", "2"],
      ["8", "3"],
      ["8", "4"],
    ]);
    expect(data()).toEqual(rows);
  });
});

describe("a numbered list that does not add up", () => {
  const vehicle = (n: number) => ({ id: `v${n + 100}`, name: `n${n}` });
  /** A page of rows that move: before every second request a row is added before all others, and deleted afterwards. */
  const moving =
    (rows: readonly { id: string }[], total = rows.length) =>
    ({ path, query }: Received, n: number): Answer | undefined => {
      if (path !== "/vehicles") return undefined;
      const shown = n % 2 === 0 ? [vehicle(-1), ...rows] : rows;
      const [status, body] = pageOf(shown, query, { totalCount: total }) as [
        number,
        { data: { id: string }[] },
      ];
      return [status, { ...body, data: body.data.filter(({ id }) => id !== vehicle(-1).id) }];
    };
  const all = Array.from({ length: 30 }, (_, n) => vehicle(n));

  it("is whole if its passes together have as many entries as the total, and `get` finds each of them", async () => {
    const { fleet } = vehicles(30, moving(all));
    const { sink, ids } = memorySink();
    expect(await mirror(fleet.vehicles, sink, { query: { limit: 10 } })).toMatchObject({ added: 30 });
    expect(ids()).toEqual(all.map(({ id }) => id));
  });

  it.each<[string, number, number]>([
    ["have fewer entries than the total", 30, 31],
    ["have an entry that `get` does not find", 0, 30],
  ])("is an error if its passes together %s", async (_, count, total) => {
    const { fleet } = vehicles(count, moving(all, total));
    const { sink, ids } = memorySink();
    const error = await rejection(mirror(fleet.vehicles, sink, { query: { limit: 10 } }));
    expect(error).toMatchObject({ name: "PaginationError" });
    expect(ids().length).toBeGreaterThan(28);
  });

  it("is whole if two passes have the same entries, and each page has another total", async () => {
    const { fleet } = vehicles(30, ({ query }) =>
      pageOf(all, query, { totalCount: 20 + 3 * Number(query.get("page")) }),
    );
    expect(await mirror(fleet.vehicles, memorySink().sink, { query: { limit: 10 } })).toMatchObject({
      added: 30,
    });
  });
});

describe("no second source is taken for granted", () => {
  it("a 404 of an operation that the service does not have deletes nothing after one run", async () => {
    const its = createReferenceServer({ readings: { "templates.get-one": "absent" } });
    const fleet = new FleetClient(its.fleetOptions);
    const { sink, ids } = memorySink();
    const { added } = await mirror(fleet.inspectionTemplates, sink);
    const [first] = await fleet.inspectionTemplates.list().take(1);
    await fleet.inspectionTemplates.delete(first?.id ?? "");
    expect(await mirror(fleet.inspectionTemplates, sink)).toMatchObject({ deleted: 0, kept: 1 });
    expect(ids()).toHaveLength(added);
    expect(await mirror(fleet.inspectionTemplates, sink)).toMatchObject({ deleted: 1, kept: 0 });
  });

  it.each<[string, () => Response]>([
    ["a page of the router", () => new Response("<h1>Not Found</h1>", { status: 404 })],
    ["405", () => new Response(null, { status: 405 })],
    [
      "a missing scope",
      () => Response.json({ errors: [{ code: "FORBIDDEN", message: "x" }] }, { status: 403 }),
    ],
    ["403 of a gateway", () => new Response("no", { status: 403 })],
    ["500", () => Response.json({}, { status: 500 })],
  ])("where `get` answers with %s, two runs decide, and no run fails", async (_, answer) => {
    const its = createReferenceServer();
    const all = new FleetClient(its.fleetOptions);
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const isGet = init.method === "GET" && /damages\/[^/]+$/.test(url);
      return isGet ? Promise.resolve(answer()) : its.fetch(url, init);
    };
    const fleet = new FleetClient({ ...its.fleetOptions, fetch, retry: 0 });
    const { sink, ids } = memorySink();
    const { added } = await mirror(fleet.damages, sink);
    const [first] = await all.damages.list().take(1);
    await all.damages.delete(String(first?.["id"]));
    expect(await mirror(fleet.damages, sink)).toMatchObject({ deleted: 0, kept: 1 });
    expect(await mirror(fleet.damages, sink)).toMatchObject({ deleted: 1, kept: 0 });
    expect(ids()).toHaveLength(added - 1);
  });

  it.each([401, 503])("where `get` answers with %d, the run ends", async (status) => {
    const { fleet, rows } = vehicles(5, ({ path }) => (path === "/vehicles" ? undefined : [status, {}]));
    const { sink, ids } = memorySink();
    await mirror(fleet.vehicles, sink);
    rows.shift();
    expect(await rejection(mirror(fleet.vehicles, sink))).toMatchObject({ status });
    expect(ids()).toHaveLength(5);
  });
});

describe("what an interrupted run could not read", () => {
  const interrupted = async (verify: boolean) => {
    const its = createReferenceServer({ fleet: { vehicles: 60 } });
    const fleet = new FleetClient({ ...its.fleetOptions, retry: 0 });
    const { sink, ids } = memorySink<unknown, unknown>();
    its.on("getVehicle").once({ status: 500 });
    const stop = new AbortController();
    const killing: MirrorSink<unknown, unknown> = {
      ...sink,
      async save(changes) {
        await sink.save(changes);
        stop.abort(new Error("killed"));
      },
    };
    const options = { details: true, query: { limit: 20 }, verify };
    await rejection(mirror(fleet.vehicles, killing, { ...options, signal: stop.signal }));
    return { again: () => mirror(fleet.vehicles, sink, options), ids };
  };

  it.each([true, false])("is read by the run that continues it, with verify: %s", async (verify) => {
    const { again, ids } = await interrupted(verify);
    expect(await again()).toMatchObject({ read: 60, failed: [] });
    expect(ids()).toHaveLength(60);
  });
});

describe("the functions and the sink of the user", () => {
  const run = async (options: object, methods: object = {}) => {
    const { fleet } = vehicles(3);
    const { sink } = memorySink<unknown, unknown>();
    return mirror(fleet.vehicles, { ...sink, ...methods }, options);
  };
  const lazy = (value: unknown) => ({ then: (done: (value: unknown) => void) => done(value) });

  it.each<[string, object, object?]>([
    ["identify must return a string that is not empty: it returned a promise", { identify: async () => "a" }],
    ["identify must return a string that is not empty: it returned undefined", { identify: () => {} }],
    [
      "identify must return a string that is not empty: it returned a value of the type string",
      { identify: () => "" },
    ],
    ["fingerprint must return a JSON value: it returned a promise", { fingerprint: async () => 1 }],
    ["fingerprint must return a JSON value: it returned undefined", { fingerprint: () => {} }],
    ["details must return a value: it returned undefined", { details: () => {} }],
    [
      "countUnseen of the sink must return an integer: it returned a value of the type string",
      {},
      { countUnseen: () => "3" },
    ],
    [
      "findUnseen of the sink must return an array: it returned a value of the type object",
      {},
      { findUnseen: () => ({ rows: [] }) },
    ],
  ])("%s", async (message, options, methods) => {
    expect(await rejection(run(options, methods))).toMatchObject({
      name: "ConfigurationError",
      message: `mirror: ${message}`,
    });
  });

  it("may be lazy: what can be awaited is awaited", async () => {
    const { sink, db } = memorySink<unknown, unknown>();
    const methods = Object.entries(sink).map(([name, method]) => [
      name,
      (...values: unknown[]) => lazy((method as (...all: unknown[]) => unknown)(...values)),
    ]);
    const { fleet } = vehicles(3);
    const all = Object.fromEntries(methods) as typeof sink;
    expect(await mirror(fleet.vehicles, all, { details: () => lazy("more") as never })).toMatchObject({
      added: 3,
    });
    expect(db.prepare("SELECT detail FROM entries LIMIT 1").get()).toEqual({ detail: '"more"' });
  });

  it("get a copy of the item, and a failing `details` fails its entry only", async () => {
    const { fleet, rows } = vehicles(3);
    const { sink, data, ids } = memorySink<unknown, unknown>();
    const options = {
      identify: (item: { id?: unknown }) => {
        const { id } = item;
        delete item.id;
        return `x${String(id)}`;
      },
      details(item: unknown) {
        if ((item as { id: string }).id === "v101") throw new Error("no details");
        return 1;
      },
    };
    const error = await rejection(mirror(fleet.vehicles, sink, options));
    expect(error.message).toBe("mirror: 1 failed: xv101, get: no details");
    expect(ids()).toEqual(["xv100", "xv102"]);
    expect(data()).toEqual([rows[0], rows[2]]);
  });

  it("an entry that is no object is an error", async () => {
    const { fleet } = serve(({ query }) => pageOf([null, { id: "v1" }], query));
    const { sink, ids } = memorySink();
    await rejection(mirror(fleet.vehicles, sink, { identify: () => "x" }));
    expect(ids()).toEqual([]);
  });
});

it.each([
  [0, 2],
  [1, 2],
  [2, 1],
  [20, 17],
  [100, 89],
  [5000, 89],
])("the page size after pages of %d is %d", (longest, size) => {
  expect(otherPageSize(longest)).toBe(size);
});

it.each([
  [1, true, false, "finished"],
  [1, true, true, "again"],
  [2, true, true, "finished"],
  [2, false, true, "again"],
  [5, false, true, "give up"],
])("pass %d with the entries of the one before %s, verify %s: %s", (turn, isSame, verify, verdict) => {
  const { now } = addPage(firstPass, ["a"]);
  const pass = { ...beginRun(0, 0), turn, before: now, now: isSame ? now : firstPass.now };
  expect(judgePass(pass, 0, verify)).toBe(verdict);
});
