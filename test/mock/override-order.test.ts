import { describe, expect, test } from "vitest";
import { type ReferenceServer, createReferenceServer } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

const outage = { status: 503 } as const;

/** The statuses of the responses for several stores. */
async function statuses(caller: Caller, ...ids: string[]): Promise<number[]> {
  const seen: number[] = [];
  for (const id of ids) seen.push((await caller.get(`/v1/stores/${id}`)).status);
  return seen;
}

describe("the first override that matches", () => {
  test("is one with a count, oldest first, or else one without a count, newest first", async () => {
    const caller = new Caller();
    const { ref } = caller;
    ref.on("getStore").always({ status: 500 });
    ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 501 });
    ref.on("*", { path: { externalId: "S-2" } }).once({ status: 502 });
    ref.on("getStore").once({ status: 503 });
    ref.on("getStore", { path: { externalId: "S-2" } }).once({ status: 504 });
    expect(await statuses(caller, "S-2", "S-2", "S-2", "S-2", "S-1")).toEqual([502, 503, 504, 501, 500]);
    ref.on("*").always({ status: 505 });
    expect(await statuses(caller, "S-2", "S-1")).toEqual([505, 505]);
  });

  test("keeps its place if it gets its count later", async () => {
    const caller = new Caller();
    const first = caller.ref.on("getStore").always({ status: 500 });
    caller.ref.on("getStore").once({ status: 501 });
    first.times(1);
    expect(await statuses(caller, "S-1", "S-1", "S-1")).toEqual([500, 501, 200]);
  });

  test("is the oldest even if the overrides match different parameters", async () => {
    const caller = new Caller();
    const { ref } = caller;
    ref.on("listStores", { query: { cursor: "c" } }).once({ status: 500 });
    ref.on("listStores", { query: { limit: 1 } }).once({ status: 501 });
    ref.on("listStores", { headers: { "content-type": "application/json" } }).once({ status: 502 });
    ref.on("listStores", { query: { cursor: "c" } }).once({ status: 503 });
    const found = [];
    for (let round = 0; round < 4; round++)
      found.push((await caller.get("/v1/stores?limit=1&cursor=c")).status);
    expect(found).toEqual([500, 501, 502, 503]);
  });
});

describe("an override of `*`", () => {
  test("applies to every operation of both APIs, and to no unknown path", async () => {
    const caller = new Caller();
    caller.ref.on("*").always({ status: 503 });
    const found = [];
    for (const path of ["/v1/stores", "/vehicles", "/v1/nothing"])
      found.push((await caller.get(path)).status);
    expect(found).toEqual([503, 503, 404]);
  });

  test("makes the pages of lists faulty, and does not count other operations", async () => {
    const caller = new Caller();
    caller.ref.on("*").paging("empty-page").times(1);
    expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
    expect(caller.ref.overrides.all()).toMatchObject([{ remaining: 1 }]);
    await caller.get("/v1/stores");
    expect(caller.ref.overrides.all()).toEqual([]);
    caller.ref.on("*").paging("cycle");
    const cursors = [];
    for (let round = 0; round < 3; round++)
      cursors.push((await caller.get("/v1/stores?limit=2")).body.nextCursor);
    expect(cursors).not.toContain(null);
  });

  test("accepts the parameters of any operation", async () => {
    const caller = new Caller();
    caller.ref.on("*", { path: { id: "vehicle-2" } }).always({ status: 503 });
    expect((await caller.get("/vehicles/vehicle-1")).status).toBe(200);
    expect((await caller.get("/vehicles/vehicle-2")).status).toBe(503);
  });
});

describe("an override with `skip`", () => {
  test("skips the first requests that match", async () => {
    const caller = new Caller();
    caller.ref
      .on("getStore", { path: { externalId: "S-2" } })
      .once(outage)
      .skip(2);
    expect(await statuses(caller, "S-1", "S-2", "S-2", "S-1", "S-2", "S-2")).toEqual([
      200, 200, 200, 200, 503, 200,
    ]);
  });

  test("does not count requests that an earlier override affected", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").once({ status: 500 });
    caller.ref.on("getStore").once({ status: 501 }).skip(1);
    expect(await statuses(caller, "S-1", "S-1", "S-1", "S-1")).toEqual([500, 200, 501, 200]);
  });
});

describe("an override with `rate`", () => {
  const sequence = async (seed: number, rate: number, count = 200): Promise<number[]> => {
    const caller = new Caller({ seed });
    caller.ref.on("getStore").always(outage).rate(rate);
    return statuses(caller, ...Array.from({ length: count }, () => "S-1"));
  };

  test("applies with its probability, to requests that the seed decides", async () => {
    const found = await sequence(1, 0.25);
    const failed = found.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(30);
    expect(failed).toBeLessThan(75);
    expect(await sequence(1, 0.25)).toEqual(found);
    expect(await sequence(2, 0.25)).not.toEqual(found);
    expect(new Set(await sequence(1, 0, 50))).toEqual(new Set([200]));
    expect(new Set(await sequence(1, 1, 50))).toEqual(new Set([503]));
  });

  test("leaves a request to the next override if it does not apply, without counting it", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    caller.ref.on("getStore").always(outage).rate(0.5).times(10);
    const found = await statuses(caller, ...Array.from({ length: 100 }, () => "S-1"));
    expect(found.filter((status) => status === 503)).toHaveLength(10);
    expect(found.filter((status) => status === 500)).toHaveLength(90);
  });
});

describe("an override with `delay`", () => {
  const delays = (ref: ReferenceServer, count: number): number[] =>
    Array.from(
      { length: count },
      () => ref.respond({ base: "store", method: "GET", target: "/v1/stores" }).delay,
    );

  test("distributes delays evenly between two bounds", () => {
    const { ref } = new Caller();
    ref.on("listStores").delay({ min: 100, max: 200 });
    const found = delays(ref, 1_000).toSorted((one, other) => one - other);
    expect(found[0]).toBeGreaterThanOrEqual(100);
    expect(found.at(-1)).toBeLessThanOrEqual(200);
    expect(found[500]).toBeGreaterThan(140);
    expect(found[500]).toBeLessThan(160);
    const again = createReferenceServer();
    again.on("listStores").delay({ min: 100, max: 200 });
    expect(delays(again, 1_000).toSorted((one, other) => one - other)).toEqual(found);
  });
});

describe("the removal of overrides", () => {
  test("by `remove` affects only the override of the handle, and the earlier one applies again", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    const handle = caller.ref.on("getStore").once({ status: 501 }).always({ status: 502 });
    handle.remove();
    handle.remove();
    expect(await statuses(caller, "S-1", "S-1")).toEqual([500, 500]);
    expect(handle.ids).toEqual([]);
    expect(caller.ref.overrides.all()).toHaveLength(1);
  });

  test("by a handle from before a reset has no effect", async () => {
    const caller = new Caller();
    const handle = caller.ref.on("getStore").always({ status: 500 });
    caller.ref.reset();
    caller.ref.on("getStore").always({ status: 501 });
    handle.remove();
    handle.times(1);
    expect(await statuses(caller, "S-1", "S-1")).toEqual([501, 501]);
  });

  test("through `overrides` works by ID and for all", async () => {
    const caller = new Caller();
    const { ref } = caller;
    const matcher = { path: { externalId: "S-2" }, query: { x: null }, when: () => true };
    const [id = 0] = ref.on("getStore", { path: matcher.path, when: matcher.when }).once(outage).ids;
    ref.on("*").delay({ min: 1, max: 2 }).skip(3).rate(0.5);
    ref
      .on("putStore", { body: { name: "A" } })
      .fault("reset", { at: "after" })
      .times(2);
    ref.on("listStores").paging("cycle");
    const nothing = ref.on("getContacts").always({ body: null });
    expect(ref.overrides.all().at(-1)?.effect).toEqual({ type: "response", status: 200, body: null });
    nothing.remove();
    expect(ref.overrides.all()).toEqual([
      {
        id,
        operation: "getStore",
        matcher: { path: { externalId: "S-2" }, when: true },
        effect: { type: "response", status: 503 },
        remaining: 1,
        skip: 0,
        rate: 1,
      },
      {
        id: id + 1,
        operation: "*",
        effect: { type: "delay", delay: { min: 1, max: 2 } },
        remaining: null,
        skip: 3,
        rate: 0.5,
      },
      {
        id: id + 2,
        operation: "putStore",
        matcher: { body: { name: "A" } },
        effect: { type: "fault", fault: "reset", at: "after" },
        remaining: 2,
        skip: 0,
        rate: 1,
      },
      {
        id: id + 3,
        operation: "listStores",
        effect: { type: "paging", paging: "cycle" },
        remaining: null,
        skip: 0,
        rate: 1,
      },
    ]);
    await statuses(caller, "S-2");
    expect(ref.overrides.all().map((one) => [one.id, one.skip])).toEqual([
      [id + 1, 2],
      [id + 2, 0],
      [id + 3, 0],
    ]);
    expect([ref.overrides.remove(id), ref.overrides.remove(id + 1)]).toEqual([false, true]);
    ref.overrides.clear();
    expect(ref.overrides.all()).toEqual([]);
    expect(ref.journal.all()).toHaveLength(1);
    const [next = 0] = ref.on("getStore").once(outage).ids;
    expect(next).toBeGreaterThan(id + 4);
  });
});
