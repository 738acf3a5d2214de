import { describe, expect, it } from "vitest";
import { ensure, type JobError, planStores } from "../../src/sync/index.ts";
import { pageOf, rejection, serve, storeRow } from "./service.ts";

/** A reader of a file that returns one object for all rows, with these properties. */
function* readRows<Name extends string>(...names: Name[]) {
  const row = {} as Record<Name, string>;
  for (const value of ["A", "B", "C"]) {
    for (const name of names) row[name] = value;
    yield row;
  }
}

it("planStores reads the rows one by one, so that a reader may reuse its object", async () => {
  const { store } = serve(() => [200, { items: [], nextCursor: null }]);
  const { create } = await planStores(readRows("externalId", "name"), store);
  expect(create.map(({ changes }) => changes.name)).toEqual(["A", "B", "C"]);
});

it("ensure does the same", async () => {
  const created: object[] = [];
  const { fleet } = serve(({ method, query, body }) => {
    if (method === "GET") return pageOf(created, query);
    created.push({ id: body.plateNumber, ...body });
    return [201, { data: created.at(-1), meta: {} }];
  });
  const options = { key: "plateNumber", sink: "none" } as const;
  await ensure(fleet.vehicles, readRows("plateNumber"), options);
  expect(created).toMatchObject([{ plateNumber: "A" }, { plateNumber: "B" }, { plateNumber: "C" }]);
});

it("an array of such a reader has lost the rows, and ensure refuses it", async () => {
  const { fleet, sent } = serve(({ query }) => pageOf([], query));
  const options = { key: "plateNumber", sink: "none" } as const;
  const error = await rejection(ensure(fleet.vehicles, [...readRows("plateNumber")], options));
  expect(error.message).toMatch(/occurs in several rows: 0, 1, 2/);
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
});

describe("a row that JSON would change", () => {
  const ensured = { key: "plateNumber", sink: "none", wait: 0 } as const;

  it.each<[string, unknown, string]>([
    ["a number that was no number", Number("12 000"), "is NaN, which JSON cannot hold"],
    ["an invalid date", new Date("30.11.2026 8 h"), "is an invalid date, which JSON cannot hold"],
    ["a Map", new Map([[1, 2]]), "is a Map, which JSON cannot hold"],
    ["a bigint", 5n, "is a bigint, which JSON cannot hold"],
    ["an integer beyond 2^53", 2 ** 53, "is an integer that JavaScript cannot hold exactly"],
  ])("because of %s fails in ensure, and the others are written", async (_, mileage, message) => {
    const stored: { plateNumber: string; mileage: unknown }[] = [{ plateNumber: "A", mileage: 7 }];
    const { fleet, sent } = serve(({ method, query, body }) => {
      if (method === "GET") return pageOf(stored, query);
      stored.push(body as never);
      return [201, { data: { id: "1", ...body }, meta: {} }];
    });
    const rows = [{ plateNumber: "A", mileage }, { plateNumber: "B" }];
    const { failed } = (await rejection(ensure(fleet.vehicles, rows, ensured))) as JobError;
    expect(failed.map(({ error }) => error.message)).toEqual([
      `A, mileage: ensure: not sent: mileage: ${message}`,
    ]);
    expect(sent.flatMap(({ method, body }) => (method === "GET" ? [] : [body]))).toEqual([
      { plateNumber: "B" },
    ]);
  });

  it("fails in a plan, which reads the others", async () => {
    const { store } = serve(() => [200, { items: [storeRow(1)], nextCursor: null }]);
    const rows = [
      { externalId: "S-001", location: Number.NaN },
      { externalId: "S-001b", name: 5n },
      { externalId: "S-002", name: "B" },
    ];
    const { failed, create, update } = await planStores(rows as never, store);
    expect(failed.map(({ row, message }) => [row, message])).toEqual([
      [0, "S-001, store: planStores: not sent: location: is NaN, which JSON cannot hold"],
      [1, "S-001b, store: planStores: not sent: name: is a bigint, which JSON cannot hold"],
    ]);
    expect([create.map(({ externalId }) => externalId), update]).toEqual([["S-002"], []]);
  });
});
