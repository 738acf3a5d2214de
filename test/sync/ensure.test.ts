import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { ensure, type EnsureOptions } from "../../src/sync/index.ts";
import { clientsOf, fleetNotFound, pageOf, serve, settle, rejection } from "./service.ts";

function world() {
  const ref = createReferenceServer({ fleet: { vehicles: 5 } });
  return { ref, ...clientsOf(ref) };
}

const key = "plateNumber" as const;
const desired = ["WX 1", "WX 2", "WX 3"].map((plateNumber) => ({ plateNumber, brand: "MAN" }));

/** A fleet whose vehicles a test changes. */
function vehicles(rows: { id: string; plateNumber: string; [name: string]: unknown }[]) {
  return serve(({ method, path, query, body }) => {
    const row = rows.find(({ id }) => path === `/vehicles/${id}`);
    if (method === "POST")
      return [201, { data: rows[rows.push({ id: `v${rows.length}`, ...body }) - 1], meta: {} }];
    if (method === "PUT") return [200, { data: Object.assign(row ?? {}, body), meta: {} }];
    if (path === "/vehicles") return pageOf(rows, query);
    return row ? [200, { data: row, meta: {} }] : fleetNotFound;
  });
}

describe("ensure", () => {
  it("creates and updates, in the order of the rows, and changes nothing the second time", async () => {
    const { fleet, writes } = world();
    const vehicle = await fleet.vehicles.create({ plateNumber: "WX 2", brand: "DAF", note: "kept" });
    const first = await settle(ensure(fleet.vehicles, desired, { sink: "none", key }));
    expect(first.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "create done",
      "update done",
      "create done",
    ]);
    expect(await fleet.vehicles.get(String(vehicle["id"]))).toMatchObject({ brand: "MAN", note: "kept" });
    const before = writes.length;
    const second = await settle(ensure(fleet.vehicles, desired, { sink: "none", key }));
    expect(second.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "unchanged"]);
    expect(writes).toHaveLength(before);
  });

  it("plans without writing with dryRun", async () => {
    const { fleet, sent } = vehicles([{ id: "v0", plateNumber: "WX 2", brand: "DAF" }]);
    const results = await settle(ensure(fleet.vehicles, desired, { sink: "none", key, dryRun: true }));
    expect(results.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "create planned",
      "update planned",
      "create planned",
    ]);
    expect(sent.every(({ method }) => method === "GET")).toBe(true);
  });

  it.each<EnsureOptions<(typeof desired)[number]>["key"]>([
    ["plateNumber", "brand"],
    ({ plateNumber, brand }) => [plateNumber, brand],
  ])("takes several properties, or a function, as the key: %o", async (several) => {
    const rows = [{ id: "v0", plateNumber: "WX 1", brand: "DAF" }];
    const { fleet } = vehicles(rows);
    const two = [...desired.slice(0, 1), { plateNumber: "WX 1" } as never];
    const run = async () =>
      (await settle(ensure(fleet.vehicles, two, { sink: "none", key: several }))).map(
        ({ outcome }) => outcome,
      );
    expect([await run(), await run()]).toEqual([
      ["done", "failed"],
      ["unchanged", "failed"],
    ]);
    expect(rows).toHaveLength(2);
  });

  it("writes the others if one is rejected", async () => {
    const { ref, fleet } = world();
    ref.on("createVehicle").once({ status: 400 });
    const results = await settle(ensure(fleet.vehicles, desired, { sink: "none", key, concurrency: 1 }));
    expect(results.map(({ outcome }) => outcome)).toEqual(["failed", "done", "done"]);
  });

  it("sends only the desired properties of a driver assignment", async () => {
    const { fleet, writes } = world();
    const { id } = (await fleet.driverAssignments.list().toArray())[0] ?? {};
    await settle(ensure(fleet.driverAssignments, [{ id, note: "new" }], { sink: "none", key: "id" }));
    expect(writes).toEqual([{ method: "PATCH", body: { id, note: "new" } }]);
  });

  it.each([
    [["a", "b"], "unchanged"],
    [["b", "a"], "done"],
    [["a", "x"], "done"],
    [["a", "b", "c"], "done"],
    [["a"], "done"],
    ["ab", "done"],
  ])("compares arrays element by element: %j is %s", async (groups, outcome) => {
    const { fleet } = vehicles([{ id: "v0", plateNumber: "WX 1", groups }]);
    const [result] = await settle(
      ensure(fleet.vehicles, [{ plateNumber: "WX 1", groups: ["a", "b"] }], { sink: "none", key }),
    );
    expect(result?.outcome).toBe(outcome);
  });

  it.each([false, true])("creates beside a similar key with allowSimilar: %s", async (allowSimilar) => {
    const rows = [{ id: "v0", plateNumber: "wx-1" }];
    const { fleet } = vehicles(rows);
    const [result] = await settle(
      ensure(fleet.vehicles, desired.slice(0, 1), { sink: "none", key, allowSimilar }),
    );
    expect([result?.outcome, rows.length]).toEqual(allowSimilar ? ["done", 2] : ["conflict", 1]);
  });

  it.each([
    [403, { errors: [{ code: "FORBIDDEN", message: "x" }] }],
    [503, { errors: [{ code: "not_configured", message: "x" }] }],
  ])("ends with a %d that concerns all, as itself: %j", async (status, body) => {
    const { fleet, sent } = serve(({ method, query }) =>
      method === "GET" ? pageOf([], query) : [status, body],
    );
    const run = ensure(fleet.vehicles, desired, { sink: "none", key, wait: 0 });
    expect(await rejection(run)).toMatchObject({ status });
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("takes numbers as keys and as IDs, and ignores entities without the key", async () => {
    const { fleet, sent } = serve(({ method, path, query }) => {
      if (method === "GET" && path === "/vehicles")
        return pageOf([{ id: 0 }, { id: 7, no: 5, brand: "DAF" }], query);
      return [200, { data: { id: 7, no: 5, brand: method === "GET" ? "DAF" : "MAN" }, meta: {} }];
    });
    const [result] = await settle(
      ensure(fleet.vehicles, [{ no: 5, brand: "MAN" } as never], { sink: "none", key: "no" }),
    );
    expect(result).toMatchObject({ action: "update", outcome: "done", id: "7" });
    expect(sent.at(-1)?.path).toBe("/vehicles/7");
  });

  it.each<[string, object | undefined, object, number]>([
    ["the list's summary lacks a property that is to be null", undefined, { note: null }, 200],
    ["the response is about another entity", { id: "v9", note: "new" }, { note: "new" }, 200],
    ["the response lacks a property", { id: "v0" }, { note: "new" }, 200],
    ["the service cannot read an entity", { id: "v0", plateNumber: "A", note: "new" }, { note: "new" }, 404],
  ])("updates if %s", async (_, response, change, status) => {
    let row: object = { id: "v0", plateNumber: "A", note: "old" };
    const { fleet, sent } = serve(({ method, path, query, body }) => {
      if (path === "/vehicles") return pageOf([{ id: "v0", plateNumber: "A" }], query);
      if (method === "GET") return [status, { data: row, meta: {} }];
      row = body;
      return [200, { data: response ?? row, meta: {} }];
    });
    const [result] = await settle(
      ensure(fleet.vehicles, [{ plateNumber: "A", ...change }], { sink: "none", key }),
    );
    expect([result?.action, result?.outcome]).toEqual(["update", "done"]);
    expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it.each([
    { id: "v0", plateNumber: "A" },
    { id: "v9", plateNumber: "A", note: null },
  ])("is differs if only the entity shows that a property was not set to null: %j", async (response) => {
    const row = { id: "v0", plateNumber: "A", note: "old" };
    const { fleet } = serve(({ method, path, query }) => {
      if (path === "/vehicles") return pageOf([row], query);
      return [200, { data: method === "GET" ? row : response, meta: {} }];
    });
    const [result] = await settle(
      ensure(fleet.vehicles, [{ plateNumber: "A", note: null }], { sink: "none", key }),
    );
    expect([result?.outcome, result?.error?.issues[0]?.path]).toEqual(["differs", "note"]);
  });

  it("is a conflict if another program has created the same vehicle meanwhile", async () => {
    const rows: object[] = [];
    const { fleet } = serve(({ method, query, body }) => {
      if (method === "GET") return pageOf(rows, query);
      rows.push({ id: "v1", ...body }, { id: "v2", ...body });
      return [201, { data: rows[0], meta: {} }];
    });
    const [result] = await settle(ensure(fleet.vehicles, desired.slice(0, 1), { sink: "none", key }));
    expect([result?.outcome, result?.error?.message]).toEqual([
      "conflict",
      "WX 1, create: ensure: the entity is not unique: key: is that of 2 entities",
    ]);
  });

  it.each<[string, object, number]>([
    ["has no ID", { id: "" }, 4],
    ["was empty and which cannot be read", { plateNumber: undefined, brand: undefined }, 5],
  ])("finds a vehicle in the list whose response %s", async (_, returned, requests) => {
    const rows: object[] = [];
    const { fleet, sent } = serve(({ method, path, query, body }) => {
      if (method === "GET") return path === "/vehicles" ? pageOf(rows, query) : [500, {}];
      rows.push({ id: "v1", ...body });
      return [201, { data: { id: "v1", ...body, ...returned }, meta: {} }];
    });
    const [result] = await settle(ensure(fleet.vehicles, desired.slice(0, 1), { sink: "none", key }));
    expect([result?.outcome, result?.id, sent.length]).toEqual(["done", "v1", requests]);
  });

  it("has the results of the writes if the list cannot be read afterwards", async () => {
    const rows: { id: string; plateNumber: string }[] = [];
    const { fleet } = serve(({ method, path, query, body }) => {
      if (method === "POST")
        return [201, { data: rows[rows.push({ id: `v${rows.length}`, ...body }) - 1], meta: {} }];
      return path === "/vehicles" && rows.length === 0 ? pageOf(rows, query) : [500, {}];
    });
    const results = await settle(ensure(fleet.vehicles, desired, { sink: "none", key }));
    expect(results.map(({ outcome, isListed }) => [outcome, isListed])).toEqual(
      desired.map(() => ["failed", false]),
    );
  });

  it("does not repeat a POST that was lost before it was processed: the next run creates the vehicle", async () => {
    const rows: { id: string; plateNumber: string }[] = [];
    const { fleet } = vehicles(rows);
    let isDown = true;
    const { fleet: lossy } = serve(({ method, query }) =>
      method === "POST" && isDown ? new Error("reset") : pageOf(rows, query),
    );
    const options = { sink: "none" as const, key, wait: 0 };
    const [failed] = await settle(ensure(lossy.vehicles, desired.slice(0, 1), options));
    expect([failed?.outcome, failed?.isListed]).toEqual(["failed", undefined]);
    isDown = false;
    expect((await settle(ensure(fleet.vehicles, desired.slice(0, 1), options)))[0]?.outcome).toBe("done");
    expect(rows).toHaveLength(1);
  });

  it("sends back what the service sent, not what a shape has made of it", async () => {
    const rows = [{ id: "v0", plateNumber: "WX 1", brand: "DAF", since: "2026-01-01", secret: 7 }];
    const served = vehicles(rows);
    const vehicle = z.pipe(
      z.object({ id: z.string(), plateNumber: z.string(), brand: z.string(), since: z.string() }),
      z.transform((all) => ({ ...all, since: new Date(all.since) })),
    );
    const fleet = served.makeFleet({ shapes: { vehicle } });
    await settle(ensure(fleet.vehicles, desired.slice(0, 1), { sink: "none", key }));
    expect(rows).toEqual([{ id: "v0", plateNumber: "WX 1", brand: "MAN", since: "2026-01-01", secret: 7 }]);
  });
});
