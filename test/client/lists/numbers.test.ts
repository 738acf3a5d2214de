// What a walk by page numbers does with each response.
import { describe, expect, it } from "vitest";
import { logTo } from "../../../src/index.ts";
import { pageOf, rejection, serve } from "../../sync/service.ts";

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

/** By the number of the request: what replaces the entries and the pagination of its response. */
type Changes = Record<number, object>;

function listOf(ids: readonly number[], changes: Changes) {
  const served = serve(({ query }) => {
    const { data, ...pagination } = { data: undefined, ...changes[served.sent.length] };
    const answer = pageOf(rows(...ids), query, pagination) as [number, object];
    return [200, data === undefined ? answer[1] : { ...answer[1], data }];
  });
  const drifts: object[] = [];
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = logTo({ debug: write, info() {}, warn: write, error: write });
  const hooks = { onDrift: ({ drift }: { drift: object }) => void drifts.push(drift) };
  const requests = () => served.sent.map(({ query }) => query.get("page")).join(" ");
  return { list: served.makeFleet({ hooks, log }).vehicles.list, drifts, requests, lines };
}

describe("a page of a numbered list", () => {
  const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, hasNextPage: false };
  const missing = (name: string) => ({ pagination: { ...pagination, [name]: undefined } });

  it.each<[string, object, string]>([
    ["a total as string", { meta: { pagination: { ...pagination, totalCount: "1" } } }, "that is a string"],
    ["no data", { data: {} }, "without the array `data` of an envelope { data, meta }"],
    ["no pagination", { meta: {} }, "without `meta.pagination`"],
    ["no page", { meta: missing("currentPage") }, "without `meta.pagination.currentPage`"],
    ["no total of pages", { meta: missing("totalPages") }, "without `meta.pagination.totalPages`"],
    ["no total", { meta: missing("totalCount") }, "without `meta.pagination.totalCount`"],
    ["no flag", { meta: missing("hasNextPage") }, "without `meta.pagination.hasNextPage`"],
    ["a total below 0", { meta: { pagination: { ...pagination, totalCount: -1 } } }, "that is not a count"],
    ["a total of 1.5", { meta: { pagination: { ...pagination, totalCount: 1.5 } } }, "that is not a count"],
    [
      "another field",
      { meta: { field: { id: "f-2" }, pagination } },
      "`meta.field.id` differs from the request",
    ],
    ["another filter", { meta: { filters: { search: "b" }, pagination } }, "`meta.filters.search` differs"],
    ["a filter", { meta: { filters: { status: "open" }, pagination } }, "`meta.filters.status` differs"],
  ])("with %s is an error", async (_, changes, message) => {
    const { fleet } = serve(() => [200, { data: [], meta: { pagination }, ...changes }]);
    const error = await rejection(fleet.vehicleFields.listVehicles("f-1", { search: "a" }));
    expect(error.message).toContain(message);
  });

  it("may repeat the field and the filters of the request in other letters", async () => {
    const meta = { field: { id: "F-1" }, filters: { search: "A", status: null }, pagination };
    const { fleet } = serve(() => [200, { data: [], meta }]);
    expect((await fleet.vehicleFields.listVehicles("f-1", { search: "a" })).meta).toEqual(meta);
    expect((await fleet.vehicleFields.listVehicles("f-1", { search: "A" })).resume).toBe(null);
    expect(await fleet.vehicleFields.list({ search: "a" }).toArray()).toEqual([]);
  });
});

describe("a numbered list", () => {
  const total = { kind: "totalCount", page: 2, before: 9, after: 6 };
  const repeated = { kind: "repeated-id", page: 2, id: "2" };
  const less = { kind: "missing", page: 3, count: 5, expected: 6 };

  const totalPages = { kind: "totalPages", page: 2, before: 4, after: 3 };
  const changed = "the list changed while it was walked:";

  it.each<[string, Changes, object[], string, string]>([
    [
      "another total",
      { 1: { totalCount: 9 } },
      [total],
      "1 2 1 3",
      `${changed} totalCount was 9 and is 6 on page 2`,
    ],
    [
      "more pages",
      { 1: { totalPages: 4 } },
      [totalPages],
      "1 2 1 3",
      `${changed} totalPages was 4 and is 3 on page 2`,
    ],
    [
      "an entry again",
      { 2: { data: rows(2, 4) } },
      [repeated, less],
      "1 2 3 1 2 3",
      "id 2 was returned again on page 2",
    ],
  ])(
    "with %s reports it, and reads again what it may have moved",
    async (_, change, drift, healed, words) => {
      const { list: strict } = listOf([1, 2, 3, 4, 5, 6], change);
      const reason = { reason: words, lastPage: 1 };
      await expect(strict({ limit: 2, onDrift: "throw" }).toArray()).rejects.toMatchObject(reason);
      for (const onDrift of ["report", "heal"] as const) {
        const { list, drifts, requests, lines } = listOf([1, 2, 3, 4, 5, 6], change);
        const told = [];
        const ids = new Set();
        for await (const { items, drift: own } of list({ limit: 2, onDrift }).pages()) {
          told.push(...own);
          for (const { id } of items) ids.add(id);
        }
        expect(ids.size).toBe(onDrift === "report" && drift.includes(less) ? 5 : 6);
        expect([told, drifts, requests()]).toEqual([drift, drift, onDrift === "heal" ? healed : "1 2 3"]);
        expect(lines[0]).toBe(`shelfleet: listVehicles: ${words}`);
      }
    },
  );

  it.each<[string, object, Changes, number[], string]>([
    ["one of its pages", { page: 2 }, {}, [3, 4, 5], "2 3"],
    ["a page after its end", { page: 9 }, {}, [], "9"],
    ["no pages", {}, { 1: { data: [], totalPages: 0, totalCount: 0, hasNextPage: false } }, [], "1"],
    ["a next page after the last one", {}, { 3: { hasNextPage: true } }, [1, 2, 3, 4, 5], "1 2 3 4"],
    ["no next page before the last one", {}, { 1: { hasNextPage: false } }, [1, 2, 3, 4, 5], "1 2 3"],
  ])("with %s is read to its end", async (_, query, change, expected, pages) => {
    const { list, requests, drifts } = listOf([1, 2, 3, 4, 5], change);
    const found = await list({ limit: 2, ...query }).toArray();
    expect([found.map(({ id }) => id), requests(), drifts]).toEqual([expected, pages, []]);
  });

  it.each<[string, readonly (object | null)[], string]>([
    ["no IDs", [{ n: 1 }, { n: 2 }], "1"],
    ["an ID in only some entries", [{ id: 1 }, { n: 2 }], "1"],
    ["an ID in each entry", [{ id: 1 }, { id: 2 }], "1 1"],
  ])("with %s and a total of 5 is read again only if entries can be missed", async (_, data, pages) => {
    const { fleet, sent } = serve(({ query }) => pageOf(data, query, { totalCount: 5 }));
    expect(await fleet.vehicles.list().toArray()).toEqual(data);
    expect(sent.map(({ query }) => query.get("page")).join(" ")).toBe(pages);
  });

  it("that has one more entry in each pass is read five times", async () => {
    const { fleet, sent } = serve(({ query }) => pageOf(rows(sent.length), query, { totalCount: 9 }));
    const lengths = [];
    for await (const { items } of fleet.vehicles.list().pages()) lengths.push(items.length);
    expect([lengths, sent.length]).toEqual([[1, 1, 1, 1, 1], 5]);
  });

  it("continues behind an entry without ID", async () => {
    const { fleet } = serve(({ query }) => pageOf([{ n: 1 }, { n: 2 }, { n: 3 }], query));
    const { resume } = await fleet.vehicles.list({ limit: 2 });
    expect(await fleet.vehicles.list({ limit: 2, resume: resume ?? "" }).toArray()).toEqual([{ n: 3 }]);
  });

  it("may come whole with wholeLists, unless the contract shows its pages", async () => {
    const { makeFleet, fleet } = serve(() => [200, { data: rows(1, 2), meta: {} }]);
    const { message } = await rejection(fleet.vehicles.list());
    expect(message).toMatch(/ \(if the list comes whole, set the client option wholeLists: true\)$/);
    const { vehicles, vehicleFields } = makeFleet({ wholeLists: true });
    const whole = {
      currentPage: 1,
      totalPages: 1,
      totalCount: 2,
      hasNextPage: false,
      hasPreviousPage: false,
    };
    expect(await vehicles.list()).toMatchObject({ pagination: whole, resume: null });
    await expect(vehicleFields.list()).rejects.toThrow(/ without `meta.pagination`$/);
  });

  it("that may come whole is read by pages if it has them", async () => {
    const { makeFleet, sent } = serve(({ query }) => pageOf(rows(1, 2, 3), query));
    expect(await makeFleet({ wholeLists: true }).vehicles.list({ limit: 2 }).toArray()).toHaveLength(3);
    expect(sent).toHaveLength(2);
  });

  it("ends with an error if there is always a next page", async () => {
    const { list, requests } = listOf([1, 2, 3], { 2: { hasNextPage: true }, 3: { hasNextPage: true } });
    const reason = "page 3 has a next page, although there are 2 pages";
    await expect(list({ limit: 2 }).toArray()).rejects.toMatchObject({ reason, lastPage: 2 });
    expect(requests()).toBe("1 2 3");
  });

  it("requests again the pages that it requested before a change", async () => {
    const { list, requests } = listOf([1, 2, 3, 4, 5, 6, 7], { 1: { totalCount: 8 } });
    const found = [];
    for await (const { id } of list({ limit: 2 }).items({ concurrency: 3 })) found.push(id);
    expect([found, requests()]).toEqual([[1, 2, 3, 4, 5, 6, 7], "1 2 3 4 1 3 4"]);
  });
});
