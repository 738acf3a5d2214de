// Situations that users of such jobs met, one for each class.
import { describe, expect, it, vi } from "vitest";
import {
  applyPlan,
  ensure,
  mirror,
  modify,
  planStores,
  pull,
  type PullOptions,
  type StorePlan,
  RowError,
} from "../../src/sync/index.ts";
import { WriteError } from "../../src/index.ts";
import {
  contactRow,
  fleetNotFound,
  memorySink,
  notFound,
  pageOf,
  rejection,
  type Received,
  serve,
  storeRow,
  settle,
} from "./service.ts";

/** An entity of the fleet. */
interface Row {
  id: string;
  [property: string]: unknown;
}

/** A store service with its stores and contacts in memory; `before` can respond first. */
function storeService(
  before: (request: Received) => ReturnType<Parameters<typeof serve>[0]> | undefined = () => undefined,
) {
  const stores = new Map<string, ReturnType<typeof storeRow>>();
  const contacts = new Map<string, object[]>();
  let made = 0;
  const served = serve((request) => {
    const special = before(request);
    if (special !== undefined) return special;
    const { method, path, body } = request;
    const [, , id = "", part] = path.split("/");
    if (id === "") return [200, { items: [...stores.values()], nextCursor: null }];
    if (part === "contacts") {
      if (method === "PUT")
        contacts.set(
          id,
          body.contacts.map((input) => contactRow(made++, input)),
        );
      return [200, { externalId: id, items: contacts.get(id) ?? [] }];
    }
    if (method === "PUT")
      stores.set(id, { ...(stores.get(id) ?? storeRow(stores.size + 1)), ...body, externalId: id });
    return stores.has(id) ? [200, stores.get(id)] : notFound;
  });
  for (let n = 1; n <= 3; n += 1) stores.set(`S-00${n}`, storeRow(n));
  return { ...served, stores, contacts, writes: () => served.sent.filter(({ method }) => method === "PUT") };
}

const anna = { name: "Anna", phone: "+48 600 100 200" };

describe("1: a plan", () => {
  it.each([
    ["500", [500, { error: { code: "internal", message: "x" } }] as const],
    ["404", [404, { error: { code: "not_found", message: "x" } }] as const],
  ])("has the other stores if the contacts of one are rejected with %s", async (_, answer) => {
    const { store, contacts } = storeService(({ path }) =>
      path === "/stores/S-002/contacts" ? answer : undefined,
    );
    const rows = ["S-001", "S-002", "S-003"].map((externalId) => ({ externalId, contacts: [anna] }));
    const plan = await planStores(rows, store);
    expect(plan.update.map(({ externalId }) => externalId)).toEqual(["S-001", "S-003"]);
    expect(plan.failed[0]?.message).toMatch(/^S-002, contacts: /);
    const results = await settle(applyPlan(store, plan));
    expect(results.map(({ externalId, outcome }) => `${externalId} ${outcome}`)).toEqual([
      "S-001 done",
      "S-002 failed",
      "S-003 done",
    ]);
    expect(contacts.size).toBe(2);
    const saved = await settle(applyPlan(store, JSON.parse(JSON.stringify(plan)) as StorePlan));
    const { code } = answer[1].error;
    for (const error of [results[1]?.error, saved[1]?.error]) {
      expect(error).toBeInstanceOf(RowError);
      expect(error).toMatchObject({
        key: "S-002",
        part: "contacts",
        message: plan.failed[0]?.message,
        code,
      });
    }
  });
});

it("2: nothing of a row with a wrong e-mail address is written", async () => {
  const { store, stores, writes } = storeService();
  const rows = [{ externalId: "NEW", name: "New", contacts: [{ ...anna, email: "not an address" }] }];
  const plan = await planStores(rows, store);
  expect(plan.failed[0]).toMatchObject({
    externalId: "NEW",
    part: "contacts",
    issues: [{ path: "contacts.0.email" }],
  });
  // also if the plan was edited
  const edited = {
    ...plan,
    failed: [],
    create: [{ row: 0, externalId: "NEW", changes: { name: "New", contacts: rows[0]?.contacts ?? [] } }],
  };
  const [result] = await settle(applyPlan(store, edited));
  expect(result?.outcome).toBe("failed");
  expect(result?.error).toBeInstanceOf(RowError);
  expect([writes(), stores.has("NEW")]).toEqual([[], false]);
});

describe("3: ensure", () => {
  const damage = { externalRef: "D-1", status: "TO_REPAIR_WARNING" };

  it("with update: false leaves a damage alone that was repaired since a lost POST", async () => {
    const rows: Row[] = [];
    const { fleet, sent } = serve(({ method, path, query, body }) => {
      if (method === "POST") {
        rows.push({ id: "d-1", ...body });
        return new Error("reset");
      }
      return path === "/damages" ? pageOf(rows, query) : [200, { data: rows[0], meta: {} }];
    });
    const run = () =>
      settle(ensure(fleet.damages, [damage], { sink: "none", key: "externalRef", update: false }));
    expect((await run())[0]).toMatchObject({ action: "create", outcome: "done", id: "d-1" });
    Object.assign(rows[0] ?? {}, { status: "REPAIRED" });
    expect((await run())[0]).toMatchObject({ action: undefined, outcome: "kept", id: "d-1" });
    expect([rows[0]?.["status"], sent.filter(({ method }) => method !== "GET").length]).toEqual([
      "REPAIRED",
      1,
    ]);
  });
});

describe("4: a service that writes plates without blanks", () => {
  function plates() {
    const rows: Row[] = [];
    const served = serve(({ method, path, query, body }) => {
      if (method === "POST") {
        rows.push({ id: `v${rows.length}`, ...body, plateNumber: body.plateNumber.replaceAll(" ", "") });
        return [201, { data: rows.at(-1), meta: {} }];
      }
      const row = rows.find(({ id }) => path.endsWith(`/${id}`));
      if (method === "PUT") Object.assign(row ?? {}, body);
      return path === "/vehicles" ? pageOf(rows, query) : [200, { data: row, meta: {} }];
    });
    return { ...served, rows };
  }

  it("has one vehicle after four nights", async () => {
    const { fleet, rows } = plates();
    const outcomes: string[] = [];
    for (let night = 0; night < 4; night += 1) {
      const [result] = await settle(
        ensure(fleet.vehicles, [{ plateNumber: "WX 12345", brand: "MAN" }], {
          sink: "none",
          key: "plateNumber",
        }),
      );
      outcomes.push(result?.outcome ?? "");
    }
    expect([rows.length, outcomes]).toEqual([1, ["differs", "conflict", "conflict", "conflict"]]);
  });

  it("gets nothing further in the same run, and each result says so", async () => {
    const { fleet, rows } = plates();
    rows.push({ id: "a", plateNumber: "A" }, { id: "b", plateNumber: "B", brand: "DAF" });
    const desired = ["A", "WX 1", "WX 2", "WX 3", "B"].map((plateNumber) => ({ plateNumber, brand: "MAN" }));
    const [, ...results] = await settle(
      ensure(fleet.vehicles, desired, { sink: "none", key: "plateNumber" }),
    );
    // what exists is changed
    expect([rows.length, results.map(({ outcome }) => outcome)]).toEqual([
      3,
      ["differs", "skipped", "skipped", "done"],
    ]);
    const errors = results.flatMap(({ error }) => error ?? []);
    expect(errors.map(({ key }) => key)).toEqual(["WX 1", "WX 2", "WX 3"]);
    expect(errors[2]?.message).toMatch(/^WX 3, create: WX 1, create: .* the service has written WX1/);
  });
});

describe("5: a list that shows a new vehicle later", () => {
  function lagging(lag: number) {
    let now = 0;
    const rows: (Row & { at: number })[] = [];
    const waits: number[] = [];
    const runtime = {
      setTimeout(run: () => void, ms: number) {
        now += ms;
        waits.push(ms);
        queueMicrotask(run);
      },
      clearTimeout: () => {},
      Date,
    };
    const served = serve(({ method, path, query, body }) => {
      if (method === "POST") {
        rows.push({ id: `v${rows.length}`, ...body, at: now });
        return [201, { data: { id: rows.at(-1)?.id }, meta: {} }];
      }
      if (path === "/vehicles")
        return pageOf(
          rows.filter(({ at }) => at + lag <= now),
          query,
        );
      return [200, { data: rows.find(({ id }) => path.endsWith(`/${id}`)), meta: {} }];
    });
    return { ...served, rows, runtime, waits };
  }

  it("has one vehicle after three runs within a second", async () => {
    const { fleet, rows, runtime, waits } = lagging(700);
    const outcomes: string[] = [];
    for (let run = 0; run < 3; run += 1) {
      const options = { sink: "none" as const, key: "plateNumber" as const, runtime };
      const [result] = await settle(ensure(fleet.vehicles, [{ plateNumber: "A", brand: "MAN" }], options));
      outcomes.push(result?.outcome ?? "");
    }
    expect([rows.length, outcomes]).toEqual([1, ["done", "unchanged", "unchanged"]]);
    expect(waits).toEqual([500, 1000]);
  });

  it("is a failure, and the result says that the list does not show the vehicle", async () => {
    const { fleet, runtime, waits } = lagging(60_000);
    const [result] = await settle(
      ensure(fleet.vehicles, [{ plateNumber: "A" }], {
        sink: "none",
        key: "plateNumber",
        runtime,
        wait: 1000,
      }),
    );
    expect(result).toMatchObject({ outcome: "failed", id: "v0", isListed: false });
    expect(waits).toEqual([500, 500]);
  });
});

describe("6: a mirror", () => {
  it("deletes no row of a store that exists, although the list is sorted by another rule than its cursor", async () => {
    const all = ["a", "b", "C", "d", "E", "f", "g", "h", "i", "j", "k"].map((externalId, n) =>
      storeRow(n, { externalId }),
    );
    let isSorted = true;
    const { store } = serve(({ path, query }) => {
      const id = path.split("/")[2];
      if (id !== undefined) {
        const found = all.find(({ externalId }) => externalId === id);
        return found ? [200, found] : notFound;
      }
      const cursor = query.get("cursor") ?? "";
      // a page of the sorted list has what is greater than the cursor by code points: C and E are skipped
      const rest = isSorted
        ? all.slice(all.findIndex(({ externalId }) => externalId === cursor) + 1)
        : all.filter(({ externalId }) => externalId > cursor);
      const items = rest.slice(0, 4);
      return [200, { items, nextCursor: rest.length > 4 ? items.at(-1)?.externalId : null }];
    });
    const { sink, ids } = memorySink();
    const run = () => mirror(store.stores, sink, { query: { limit: 4 }, maxDeleted: 0.5 });
    await run();
    expect(ids()).toHaveLength(11);
    isSorted = false;
    for (let n = 0; n < 4; n += 1) expect((await run()).deleted).toBe(0);
    expect(ids()).toHaveLength(11);
    all.splice(1, 1);
    expect(await run()).toMatchObject({ deleted: 1 });
  });

  it("of a list without `get` deletes what two runs have missed", async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ id: `f${n}`, label: "x" }));
    let shown = rows;
    let changes: object = {};
    const { fleet } = serve(({ query }) => pageOf(shown, query, query.get("page") === "3" ? changes : {}));
    const { sink, ids } = memorySink();
    const run = () => mirror(fleet.vehicleFields, sink, { query: { limit: 10 } });
    await run();
    shown = rows.slice(1);
    expect(await run()).toMatchObject({ deleted: 0, kept: 1 });
    shown = rows; // it was absent once
    await run();
    shown = rows.slice(1);
    await run();
    changes = { totalCount: 28 }; // a run during which the list changes may have missed it by that
    expect(await run()).toMatchObject({ deleted: 0, kept: 1 });
    changes = {};
    expect(ids()).toHaveLength(30);
    expect(await run()).toMatchObject({ deleted: 1, kept: 0 });
    expect(ids()).not.toContain("f0");
  });
});

describe("7: totals that are wrong in the same way each time", () => {
  it.each<[string, (rows: number, page: number) => object]>([
    ["capped", () => ({ totalCount: 20 })],
    ["too large, because rows are hidden (onDrift: report)", (rows) => ({ totalCount: rows + 2 })],
    ["without hasPreviousPage", () => ({ hasPreviousPage: false })],
    ["with hasNextPage on a full last page", (_, page) => ({ hasNextPage: page <= 3 })],
  ])("%s: the list is copied, and a deletion is seen", async (_, wrong) => {
    let rows = Array.from({ length: 30 }, (__, n) => ({ id: `v${n}` }));
    const { makeFleet, sent } = serve(({ path, query }) => {
      if (path === "/vehicles")
        return pageOf(rows, query, wrong(rows.length, Number(query.get("page") ?? 1)));
      const row = rows.find(({ id }) => path === `/vehicles/${id}`);
      return row ? [200, { data: row, meta: {} }] : fleetNotFound;
    });
    const fleet = makeFleet({ onDrift: "report" });
    const { sink, ids } = memorySink();
    const run = () => mirror(fleet.vehicles, sink, { query: { limit: 10, onDrift: "report" } });
    await run();
    expect(sent.length).toBeLessThanOrEqual(10);
    rows = rows.slice(1);
    expect(await run()).toMatchObject({ deleted: 1 });
    expect(ids()).toEqual(rows.map(({ id }) => id).toSorted());
  });
});

describe("8: a position that has expired", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");

  it.each([400, 403, 409, 410, 422, 500])("and is rejected with %d does not stop a pull", async (status) => {
    const rows = Array.from({ length: 9 }, (_, n) => ({ protocolId: `P-${n}`, at: start + n * 1000 }));
    let epoch = 1;
    const { store } = serve(({ query }) => {
      const [of, at = 0] = (query.get("cursor") ?? `${epoch}:0`).split(":").map(Number);
      if (of !== epoch) return [status, { error: { code: "cursor_expired", message: "cursor expired" } }];
      const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
      const found = rows.filter((row) => row.at >= from && row.at < to);
      return [
        200,
        {
          externalId: "S-1",
          items: found.slice(at, at + 3),
          nextCursor: at + 3 < found.length ? `${epoch}:${at + 3}` : null,
        },
      ];
    });
    const got = new Set<unknown>();
    let state: string | undefined;
    const run = async (pages: number) => {
      const options: PullOptions = {
        since: new Date(start),
        state,
        allowedLateness: 3_600_000,
        limit: 3,
        until: () => new Date(start + 60_000),
      };
      for await (const batch of pull(store.protocols, "S-1", { ...options, details: false })) {
        for (const item of batch.items) got.add(item["protocolId"]);
        state = batch.state;
        pages -= 1;
        if (pages === 0) return;
      }
    };
    await run(1);
    epoch = 2;
    await run(9);
    expect(got.size).toBe(9);
  });

  it.each([403, 409, 422, 500])("and is rejected with %d does not stop a mirror", async (status) => {
    const all = Array.from({ length: 9 }, (_, n) => storeRow(n));
    let epoch = 1;
    let isDown = true;
    const { store } = serve(({ query }) => {
      const [of, at = 0] = (query.get("cursor") ?? `${epoch}:0`).split(":").map(Number);
      if (of !== epoch) return [status, { error: { code: "cursor_expired", message: "x" } }];
      if (at >= 3 && isDown) return [503, {}];
      return [
        200,
        { items: all.slice(at, at + 3), nextCursor: at + 3 < all.length ? `${epoch}:${at + 3}` : null },
      ];
    });
    const { sink, ids } = memorySink();
    const run = () => mirror(store.stores, sink, { query: { limit: 3 } });
    expect(await rejection(run())).toMatchObject({ status: 503 });
    expect(ids()).toHaveLength(3);
    [epoch, isDown] = [2, false];
    expect(await run()).toMatchObject({ added: 6, deleted: 0 });
    expect(ids()).toHaveLength(9);
  });
});

it("9: a plan that was killed after it has created a store is finished by the next run", async () => {
  let isDown = true;
  const { store, contacts, stores } = storeService(({ method, path }) =>
    isDown && method === "PUT" && path.endsWith("/contacts") ? new Error("reset") : undefined,
  );
  const plan = await planStores([{ externalId: "NEW", name: "K", contacts: [anna] }], store);
  const saved = JSON.parse(JSON.stringify(plan)) as StorePlan;
  expect((await settle(applyPlan(store, saved)))[0]?.outcome).toBe("failed");
  expect(stores.has("NEW")).toBe(true);
  isDown = false;
  expect((await settle(applyPlan(store, saved)))[0]).toMatchObject({
    outcome: "done",
    written: ["store", "contacts"],
  });
  expect(contacts.get("NEW")).toHaveLength(1);
});

describe("10: a service", () => {
  const withoutBlanks = ({ method, path, body }: Received) => {
    if (method === "PUT" && path === "/stores/S-001") body["name"] = String(body["name"]).trim();
    if (method === "PUT" && path.endsWith("/contacts"))
      for (const contact of body.contacts) contact.phone = contact.phone.replaceAll(" ", "");
    return undefined;
  };

  it("that writes phones without blanks gets the contacts once with `equals`", async () => {
    const { store, writes } = storeService(withoutBlanks);
    const digits = (phone: unknown) => String(phone).replaceAll(/\D/g, "");
    const equals = { "contacts.phone": (one: unknown, other: unknown) => digits(one) === digits(other) };
    const outcomes: unknown[] = [];
    for (let night = 0; night < 3; night += 1) {
      const plan = await planStores([{ externalId: "S-001", contacts: [anna] }], store, { equals });
      const [result] = await settle(applyPlan(store, plan, { equals }));
      outcomes.push(result?.outcome);
    }
    expect([writes().length, outcomes]).toEqual([1, ["done", "unchanged", "unchanged"]]);
  });

  it("that adds the country to phones is compared with `equals`, although the client finds other contacts", async () => {
    const { store } = storeService(({ method, path, body }) => {
      if (method === "PUT" && path.endsWith("/contacts"))
        for (const contact of body.contacts) contact.phone = `+48 ${contact.phone}`;
      return undefined;
    });
    const ewa = [{ name: "Ewa", phone: "600 100 200" }];
    expect(await rejection(modify(store.contacts, "S-001", () => ewa))).toBeInstanceOf(WriteError);
    const equals = {
      "contacts.phone": (one: unknown, other: unknown) => String(other).endsWith(String(one)),
    };
    const { items } = await modify(store.contacts, "S-001", () => ewa, { equals });
    expect(items).toMatchObject([{ phone: "+48 600 100 200" }]);
  });
});

it.each([
  [404, { error: { code: 404, message: "Requested entity was not found.", status: "NOT_FOUND" } }],
  [404, { errors: [{ status: "404", title: "Not Found" }] }],
  [404, { success: false, errors: [{ code: 7003, message: "Could not route" }] }],
  [404, { error: { code: "NOT_FOUND", message: "another API" } }],
  [500, { error: { code: "not_found", message: "no shard" } }],
])("11: a %d of a gateway is not absence: %j", async (status, body) => {
  let isRouted = true;
  const { store, stores, writes } = storeService(({ method, path }) =>
    method === "GET" && path !== "/stores" && !isRouted ? [status, body] : undefined,
  );
  const plan = await planStores([{ externalId: "NEW", name: "new" }], store);
  stores.set("NEW", storeRow(9, { externalId: "NEW", loginCode: "481516" }));
  isRouted = false;
  const [result] = await settle(applyPlan(store, plan));
  expect([result?.outcome, writes()]).toEqual(["failed", []]);

  const { sink, ids } = memorySink();
  isRouted = true;
  await mirror(store.stores, sink);
  stores.delete("S-001");
  isRouted = false;
  expect(await settle(mirror(store.stores, sink))).toMatchObject({ deleted: 0, kept: 1 });
  expect(ids()).toHaveLength(4);
});

it.each([
  [404, { errors: [{ code: "ROUTE_NOT_FOUND", message: "x" }] }],
  [404, { message: "Not Found" }],
  [500, { errors: [{ code: "NOT_FOUND", message: "no shard" }] }],
])("11: nor is a %d of the fleet's, so that two runs decide: %j", async (status, body) => {
  let rows = [1, 2].map((n) => ({ id: `v${n}` }));
  const { fleet } = serve(({ path, query }) => (path === "/vehicles" ? pageOf(rows, query) : [status, body]));
  const { sink } = memorySink();
  await mirror(fleet.vehicles, sink);
  rows = rows.slice(1);
  expect(await mirror(fleet.vehicles, sink)).toMatchObject({ deleted: 0, kept: 1, failed: [] });
  expect(await mirror(fleet.vehicles, sink)).toMatchObject({ deleted: 1, kept: 0, failed: [] });
});

it("12: a service whose Date header is 12 hours behind delays no pull, and the batch and a warning say so", async () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  let behind = 12 * 3_600_000;
  let rows = [{ protocolId: "P-1", at: now - 60_000 }];
  const { store } = serve(({ query }) => {
    const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
    const items = rows.filter(({ at }) => at >= from && at < to);
    return [
      200,
      { externalId: "S-1", items, nextCursor: null },
      { date: new Date(now - behind).toUTCString() },
    ];
  });
  const onWarning = vi.fn<(message: string) => void>();
  let state: string | undefined;
  const run = async (until: number) => {
    const got: unknown[] = [];
    const options = {
      since: "2026-02-01T00:00:00Z",
      state,
      allowedLateness: 3_600_000,
      until: () => new Date(until),
      onWarning,
    };
    let complete: Date | undefined;
    for await (const batch of pull(store.protocols, "S-1", options)) {
      got.push(...batch.items.map(({ protocolId }) => protocolId));
      [state, complete] = [batch.state, batch.completeUntil];
    }
    return { got, complete };
  };
  const first = await run(now);
  expect(first.got).toEqual(["P-1"]);
  // its header has whole seconds
  expect(first.complete).toEqual(new Date(now - 12 * 3_600_000 + 999));
  expect(onWarning.mock.calls[0]?.[0]).toMatch(/720 minutes behind/);
  rows = [...rows, { protocolId: "P-2", at: now + 60_000 }];
  expect((await run(now + 120_000)).got).toEqual(["P-2"]);
  behind = 0;
  await run(now + 180_000);
  expect(onWarning).toHaveBeenCalledTimes(2);
});

describe("13: an aborted run rejects with the reason of the signal", () => {
  const reason = new Error("stop");

  it("of applyPlan, and `onResult` has the results until then", async () => {
    const { store } = storeService();
    const abort = new AbortController();
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-00${n}`, name: "new" })),
      store,
    );
    const results: string[] = [];
    const onResult = ({ outcome }: { outcome: string }, progress: { done: number; total: number }) => {
      results.push(`${outcome} ${progress.done}/${progress.total}`);
      abort.abort(reason);
    };
    const run = settle(applyPlan(store, plan, { signal: abort.signal, concurrency: 1, onResult }));
    expect(await rejection(run)).toBe(reason);
    expect(results).toEqual(["done 1/3"]);
  });

  it("of ensure while it waits for the list, and its timer is cleared", async () => {
    const abort = new AbortController();
    const { fleet } = serve(({ method, query, body }) =>
      method === "GET" ? pageOf([], query) : [201, { data: { id: "v1", ...body }, meta: {} }],
    );
    const cleared: unknown[] = [];
    const setTimeout = () => {
      queueMicrotask(() => abort.abort(reason));
      return "timer" as never;
    };
    const runtime = { setTimeout, clearTimeout: (timer: unknown) => void cleared.push(timer), Date };
    const options = { sink: "none" as const, key: "plateNumber", signal: abort.signal, runtime } as const;
    expect(await rejection(ensure(fleet.vehicles, [{ plateNumber: "A" }], options))).toBe(reason);
    expect(cleared).toEqual(["timer"]);
  });

  it("of each function", async () => {
    const signal = AbortSignal.abort(reason);
    const { store, fleet, sent } = storeService();
    const { sink } = memorySink();
    const plan = {
      create: [],
      update: [],
      unchanged: [{ row: 0, externalId: "S-001" }],
      failed: [],
      extra: [],
    };
    const since = "2026-01-01T00:00:00Z";
    const runs = [
      planStores([{ externalId: "S-001", name: "x" }], store, { signal }),
      settle(applyPlan(store, plan, { signal })),
      modify(store.stores, "S-001", () => ({ name: "x" }), { signal }),
      settle(ensure(fleet.vehicles, [{ plateNumber: "A" }], { sink: "none", key: "plateNumber", signal })),
      mirror(store.stores, sink, { signal }),
      pull(store.protocols, "S-001", { since, allowedLateness: 0, signal }).next(),
    ];
    expect(await Promise.all(runs.map((run) => rejection(run)))).toEqual(runs.map(() => reason));
    expect(sent).toEqual([]);
  });
});
