import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { FleetClient, InvalidRequestError, StoreClient } from "../../src/index.ts";
import { type JobError, mirror, type MirrorSink } from "../../src/sync/index.ts";
import {
  fleetNotFound,
  memorySink,
  notFound,
  pageOf,
  rejection,
  serve,
  settle,
  storeRow,
} from "./service.ts";

function world() {
  const ref = createReferenceServer({ fleet: { vehicles: 60 }, store: { stores: 25 } });
  return {
    ref,
    fleet: new FleetClient({ ...ref.fleetOptions, retry: 0 }),
    store: new StoreClient({ ...ref.storeOptions, retry: 0 }),
  };
}

/** A fleet whose vehicles a test changes. */
function vehicles(count: number) {
  const rows = Array.from({ length: count }, (_, n) => ({ id: `v${n + 100}`, name: `n${n}` }));
  const served = serve(({ path, query }) => {
    if (path === "/vehicles") return pageOf(rows, query);
    const row = rows.find(({ id }) => path === `/vehicles/${id}`);
    return row ? [200, { data: row, meta: {} }] : fleetNotFound;
  });
  return { ...served, rows };
}

describe("a mirror", () => {
  it("adds, changes and deletes what the fleet has added, changed and deleted", async () => {
    const { fleet } = world();
    const { sink, ids } = memorySink();
    const run = () => mirror(fleet.vehicles, sink, { query: { limit: 20 } });
    expect(await run()).toMatchObject({ read: 60, added: 60, changed: 0, deleted: 0 });
    expect(await run()).toMatchObject({ read: 60, added: 0, changed: 0, deleted: 0 });
    const [first = "", second = ""] = ids();
    await fleet.vehicles.delete(first);
    await fleet.vehicles.update(second, { ...(await fleet.vehicles.get(second)), brand: "Other" });
    await fleet.vehicles.create({ plateNumber: "NEW 1" });
    expect(await run()).toMatchObject({ read: 60, added: 1, changed: 1, deleted: 1, kept: 0, failed: [] });
    expect(ids()).not.toContain(first);
  });

  it("copies stores, and reads one with its external ID before it deletes its row", async () => {
    const rows = [1, 2, 3, 4].map((n) => storeRow(n, n === 4 ? { externalId: null } : {}));
    const { store, sent } = serve(({ path }) => {
      const id = path.split("/")[2];
      const found = rows.find(({ externalId }) => externalId === id);
      return id === undefined ? [200, { items: rows, nextCursor: null }] : found ? [200, found] : notFound;
    });
    const { sink, ids } = memorySink();
    const run = () => mirror(store.stores, sink, { maxDeleted: 1 });
    await run();
    rows.splice(2, 2);
    // the one without an external ID cannot be read: it is deleted by the second run that misses it
    expect(await run()).toMatchObject({ deleted: 1, kept: 1 });
    expect(sent.at(-1)?.path).toBe("/stores/S-003");
    expect(await run()).toMatchObject({ deleted: 1, kept: 0 });
    expect(ids()).toEqual(rows.map(({ storeId }) => storeId));
  });

  it("keeps the row of a store whose external ID another store has taken until two runs have missed it", async () => {
    let rows = [storeRow(1), storeRow(2)];
    const { store } = serve(({ path }) =>
      path === "/stores" ? [200, { items: rows, nextCursor: null }] : [200, rows[0]],
    );
    const { sink } = memorySink();
    await mirror(store.stores, sink);
    rows = [storeRow(7, { externalId: "S-001" }), storeRow(2)];
    expect(await mirror(store.stores, sink)).toMatchObject({ added: 1, deleted: 0, kept: 1 });
    expect(await mirror(store.stores, sink)).toMatchObject({ deleted: 1 });
  });

  it("reads the details of new and changed entries, and leaves one whose details fail for the next run", async () => {
    const { ref, fleet } = world();
    const { sink, db } = memorySink<unknown, unknown>();
    ref.on("getInspection").once({ status: 500 });
    const run = () => settle(mirror(fleet.inspections, sink, { details: true, verify: false }));
    const first = await run();
    expect(first.failed).toHaveLength(1);
    expect(first.failed[0]?.error.message).toMatch(/^.+, get: GET \/inspections\/\{id\}: 500/);
    expect(await run()).toMatchObject({ added: 1, changed: 0, failed: [] });
    const rows = db.prepare("SELECT detail FROM entries").all();
    expect(rows.every(({ detail }) => "responses" in (JSON.parse(detail as string) as object))).toBe(true);
  });

  it("names the entries whose details always take too long, run after run, and copies the others", async () => {
    const { ref, fleet } = world();
    const slow = Array.from({ length: 12 }, (_, n) => `vehicle-${n + 5}`);
    for (const id of slow) ref.on("getVehicle", { path: { id } }).always({ status: 504 });
    const { sink, ids } = memorySink<unknown, unknown>();
    const run = () => rejection(mirror(fleet.vehicles, sink, { details: true, query: { limit: 20 } }));
    await run();
    expect(ids()).toHaveLength(48);
    await fleet.vehicles.create({ plateNumber: "NEW 1" });
    const { failed } = (await run()) as JobError;
    expect(failed.map(({ id }) => id).toSorted()).toEqual(slow.toSorted());
    expect(ids()).toHaveLength(49);
  });

  it("reads the details of every entry if the runs before had none", async () => {
    const { fleet } = vehicles(3);
    const { sink, db } = memorySink<unknown, unknown>();
    const details = () => db.prepare("SELECT count(detail) AS count FROM entries").get();
    await mirror(fleet.vehicles, sink);
    expect(await mirror(fleet.vehicles, sink, { details: true })).toMatchObject({ changed: 3 });
    expect(details()).toEqual({ count: 3 });
    expect(await mirror(fleet.vehicles, sink, { details: true })).toMatchObject({ changed: 0 });
    expect(await mirror(fleet.vehicles, sink, { details: false })).toMatchObject({ changed: 3 });
    expect(details()).toEqual({ count: 0 });
  });

  it.each(["getInspection", "listInspections"] as const)(
    "ends with a rejected key in %s",
    async (operation) => {
      const { ref, fleet } = world();
      ref.on(operation).once({ status: 401 });
      const run = mirror(fleet.inspections, memorySink<unknown, unknown>().sink, { details: true });
      expect(await rejection(run)).toMatchObject({ status: 401 });
    },
  );

  it("deletes nothing if the list is that of another tenant, even if it is as long", async () => {
    const { fleet, rows } = vehicles(10);
    const { sink, ids } = memorySink();
    await mirror(fleet.vehicles, sink);
    for (const row of rows) row.id = `other-${row.id}`;
    expect(await rejection(mirror(fleet.vehicles, sink))).toMatchObject({
      name: "MirrorError",
      message: expect.stringContaining("lacks 10 of 10") as string,
    });
    expect(ids()).toHaveLength(20);
  });

  it("keeps an entry that cannot be checked, and checks the others", async () => {
    const { rows } = vehicles(10);
    let isDown = false;
    const { fleet } = serve(({ path, query }) => {
      if (path === "/vehicles") return pageOf(rows, query);
      if (isDown && path.endsWith("v100")) return [500, {}];
      const row = rows.find(({ id }) => path.endsWith(id));
      return row ? [200, { data: row, meta: {} }] : fleetNotFound;
    });
    const { sink, ids } = memorySink();
    const run = () => settle(mirror(fleet.vehicles, sink, { maxDeleted: 0.5 }));
    await run();
    rows.splice(0, 2);
    isDown = true;
    expect(await run()).toMatchObject({ deleted: 1, kept: 1, failed: [{ id: "v100" }] });
    isDown = false;
    expect(await run()).toMatchObject({ deleted: 1, kept: 0 });
    expect(ids()).toHaveLength(8);
  });

  it("refuses the state of another list, before anything is written", async () => {
    const { fleet, store } = world();
    const { sink, ids } = memorySink();
    await mirror(fleet.vehicles, sink);
    const count = ids().length;
    const others = [
      mirror(fleet.damages, sink),
      mirror(store.stores, sink),
      mirror(fleet.vehicles, sink, { query: { extra: { color: "red" } } }),
    ];
    for (const other of others) expect(await rejection(other)).toBeInstanceOf(InvalidRequestError);
    expect(await mirror(fleet.vehicles, sink, { query: { limit: 7 } })).toMatchObject({ added: 0 });
    expect(ids()).toHaveLength(count);
  });

  it("takes IDs from `identify`: an entry is deleted when two runs have missed it", async () => {
    const { fleet, rows, sent } = vehicles(10);
    const { sink, ids } = memorySink();
    const run = () => mirror(fleet.vehicles, sink, { identify: ({ name }) => `name ${String(name)}` });
    await run();
    expect(ids()[0]).toBe("name n0");
    rows.shift();
    expect(await run()).toMatchObject({ deleted: 0, kept: 1 });
    expect(await run()).toMatchObject({ deleted: 1, kept: 0 });
    expect(sent.every(({ path }) => path === "/vehicles")).toBe(true);
  });

  it("reads details with a function, and none of a store without an external ID", async () => {
    const { sink, db } = memorySink<unknown, unknown>();
    await mirror(vehicles(1).fleet.vehicles, sink, { details: () => "more" });
    expect(db.prepare("SELECT detail FROM entries").all()).toEqual([{ detail: '"more"' }]);
    const { store } = serve(({ path }) =>
      path === "/stores"
        ? [200, { items: [storeRow(1), storeRow(2, { externalId: null })], nextCursor: null }]
        : [200, storeRow(1)],
    );
    const stores = memorySink<unknown, unknown>();
    expect(await mirror(store.stores, stores.sink, { details: true })).toMatchObject({
      added: 2,
      failed: [],
    });
    const details = stores.db.prepare("SELECT detail FROM entries ORDER BY id").all();
    expect(details).toEqual([{ detail: JSON.stringify(storeRow(1)) }, { detail: null }]);
  });
});

/** A sink whose save with this number, from 1 on, kills the program. */
function killedAt(save: number, sink: MirrorSink<unknown>): MirrorSink<unknown> {
  let saves = 0;
  return {
    ...sink,
    save: (changes) => ((saves += 1) === save ? Promise.reject(new Error("killed")) : sink.save(changes)),
  };
}

it("keeps more than 100 entries that the list lacks and the service has, run after run, and deletes the others", async () => {
  const { rows, store, sent } = hidden(250);
  const { sink, ids } = memorySink();
  const run = () => mirror(store, sink, { maxDeleted: 1 });
  await run();
  rows.splice(0, 250, ...rows.map((row, n) => ({ ...row, isGone: n % 2 === 0 })));
  expect(await run()).toMatchObject({ read: 0, deleted: 125, kept: 125 });
  for (let n = 0; n < 3; n += 1) expect(await run()).toMatchObject({ deleted: 0, kept: 125 });
  expect(ids()).toEqual(rows.filter(({ isGone }) => isGone === false).map(({ id }) => id));
  expect(new Set(sent.map(({ path }) => path)).size).toBe(251);
});

/** A fleet that lists no vehicle any more once a test has said which ones are gone. */
function hidden(count: number) {
  const rows = Array.from({ length: count }, (_, n) => ({ id: `v${n + 100}`, isGone: undefined as unknown }));
  const { fleet, sent } = serve(({ path, query }) => {
    const shown = rows.filter(({ isGone }) => isGone === undefined);
    if (path === "/vehicles") return pageOf(shown, query);
    const row = rows.find(({ id }) => path === `/vehicles/${id}`);
    return row?.isGone === false ? [200, { data: row, meta: {} }] : fleetNotFound;
  });
  return { rows, store: fleet.vehicles, sent };
}

it("ends with 503 at its saved position, and continues there", async () => {
  const { fleet, rows } = vehicles(9);
  const { sink, data } = memorySink();
  await rejection(mirror(fleet.vehicles, killedAt(3, sink), { query: { limit: 3 } }));
  const broken = serve(() => [503, {}]);
  await rejection(mirror(broken.fleet.vehicles, sink, { query: { limit: 3 } }));
  expect(broken.sent).toHaveLength(1);
  expect(await mirror(fleet.vehicles, sink, { query: { limit: 3 } })).toMatchObject({ read: 9, added: 3 });
  expect(data()).toEqual(rows);
});

it("begins its pass again if rows were deleted before the place of a killed run", async () => {
  const { fleet, rows } = vehicles(3);
  const { sink, data } = memorySink();
  await rejection(mirror(fleet.vehicles, killedAt(2, sink), { query: { limit: 1 } }));
  rows.shift(); // the second row is the first page now
  await mirror(fleet.vehicles, sink, { query: { limit: 1 }, maxDeleted: 1 });
  expect(data()).toEqual(expect.arrayContaining(rows));
});

it.each([
  ["continues after the last page that was saved", 5, "3"],
  ["begins its pass again if the page size has changed", 10, "1"],
])("%s", async (_, limit, page) => {
  const { fleet, rows, sent } = vehicles(30);
  const { sink, data } = memorySink();
  await rejection(mirror(fleet.vehicles, killedAt(3, sink), { query: { limit: 5 } }));
  const before = sent.length;
  expect(await mirror(fleet.vehicles, sink, { query: { limit } })).toMatchObject({ read: 30, added: 20 });
  const pages = sent.slice(before).map(({ query }) => query.get("page"));
  expect(pages.slice(0, 3)).toContain(page);
  expect(data()).toEqual(rows);
});

describe("a mirror that is killed", () => {
  it("before or after any save continues, and has every row at the end", async () => {
    for (let killAt = 0; killAt < 14; killAt += 1) {
      const { fleet, rows } = vehicles(30);
      const { sink, data } = memorySink();
      let saves = 0;
      const killing: MirrorSink<unknown> = {
        ...sink,
        save(changes) {
          if (saves === killAt) throw new Error("killed");
          saves += 0.5;
          void sink.save(changes);
          if (saves === killAt + 0.5) throw new Error("killed");
          saves += 0.5;
        },
      };
      const run = () =>
        mirror(fleet.vehicles, saves === killAt ? sink : killing, { query: { limit: 5 } }).catch(String);
      await run();
      rows.splice(3, 2);
      rows.push({ id: "v999", name: "new" });
      Object.assign(rows[9] ?? {}, { name: "changed" });
      for (let again = 0; again < 3; again += 1) {
        saves = killAt;
        await run();
      }
      expect(data()).toEqual(rows);
    }
  });
});
