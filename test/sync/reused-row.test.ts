import { expect, it } from "vitest";
import { ensure, planStores } from "../../src/sync/index.ts";
import { pageOf, rejection, serve } from "./service.ts";

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
