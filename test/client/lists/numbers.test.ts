// What a walk by page numbers does with each response.
import { describe, expect, it } from "vitest";
import { logTo } from "../../../src/index.ts";
import { type Answer, fleetNotFound, pageOf, rejection, serve } from "../../sync/service.ts";

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
  const log = logTo({ info() {}, warn: write, error: write });
  const hooks = { onDrift: ({ drift }: { drift: object }) => void drifts.push(drift) };
  const requests = () => served.sent.map(({ query }) => query.get("page")).join(" ");
  return { list: served.makeFleet({ hooks, log }).vehicles.list, drifts, requests, lines };
}

describe("a page of a numbered list", () => {
  const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, hasNextPage: false };
  const missing = (name: string) => ({ pagination: { ...pagination, [name]: undefined } });

  it.each<[string, object, string]>([
    [
      "a total as string",
      { meta: { pagination: { ...pagination, totalCount: "1" } } },
      "without a count in `meta.pagination.totalCount`",
    ],
    ["no data", { data: {} }, "without the array `data` of an envelope { data, meta }"],
    ["no pagination", { meta: {} }, "without `meta.pagination`"],
    ["no page", { meta: missing("currentPage") }, "in `meta.pagination.currentPage`"],
    ["no total of pages", { meta: missing("totalPages") }, "in `meta.pagination.totalPages`"],
    ["no total", { meta: missing("totalCount") }, "in `meta.pagination.totalCount`"],
    ["no flag", { meta: missing("hasNextPage") }, "without `meta.pagination.hasNextPage`"],
    [
      "a total below 0",
      { meta: { pagination: { ...pagination, totalCount: -1 } } },
      "without a count in `meta",
    ],
    [
      "a total of 1.5",
      { meta: { pagination: { ...pagination, totalCount: 1.5 } } },
      "without a count in `meta",
    ],
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
    const empty = { ...pagination, totalCount: 0 };
    const meta = { field: { id: "F-1" }, filters: { search: "A", status: null }, pagination: empty };
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
      "1 2 1 2 3",
      `${changed} totalCount was 9 and is 6 on page 2`,
    ],
    [
      "more pages",
      { 1: { totalPages: 4 } },
      [totalPages],
      "1 2 1 2 3",
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
  ])(
    "with %s and a total of 5 is an error, after it was read again if that can help",
    async (_, data, pages) => {
      const { fleet, sent } = serve(({ query }) => pageOf(data, query, { totalCount: 5 }));
      const { message } = await rejection(fleet.vehicles.list().toArray());
      expect(message).toBe(
        'GET /vehicles: the pages have 2 different items instead of 5: others may be missing (`onDrift: "report"` delivers what is there)',
      );
      expect(sent.map(({ query }) => query.get("page")).join(" ")).toBe(pages);
    },
  );

  it("that has fewer entries than its total is delivered with onDrift report, of the list or the client", async () => {
    const { fleet, makeFleet, sent } = serve(({ query }) => pageOf(rows(1, 2, 3), query, { totalCount: 5 }));
    const expected = [{ kind: "missing", page: 2, count: 3, expected: 5 }];
    const client = makeFleet({ onDrift: "report" }).vehicles;
    for (const list of [fleet.vehicles.list({ limit: 2, onDrift: "report" }), client.list({ limit: 2 })]) {
      const pages = [];
      for await (const page of list.pages()) pages.push(page);
      expect(pages.flatMap(({ items }) => items)).toEqual(rows(1, 2, 3));
      expect(pages.flatMap(({ drift }) => drift)).toEqual(expected);
    }
    expect(sent).toHaveLength(4);
    await expect(client.list({ limit: 2, onDrift: "heal" }).toArray()).rejects.toThrow("instead of 5");
  });

  it("that has one more entry in each pass is read five times, or until it has as many as its total", async () => {
    for (const [totalCount, requests] of [
      [3, 3],
      [9, 5],
    ]) {
      const { fleet, sent } = serve(({ query }) => pageOf(rows(sent.length), query, { totalCount }));
      const result = await fleet.vehicles.list().toArray().catch(String);
      expect(typeof result === "string" ? "failed" : result.length).toBe(requests === 3 ? 3 : "failed");
      expect(sent).toHaveLength(requests ?? 0);
    }
  });

  it("that lacks entries delivers its pages before it is read again; a process that continues at its end finds what lacks", async () => {
    let totalCount = 5;
    const { fleet } = serve(({ query }) =>
      Number(query.get("page") ?? 1) > 2
        ? fleetNotFound
        : pageOf(rows(1, 2, 3), query, { totalCount, totalPages: 2 }),
    );
    const found: object[] = [];
    let end: string | null = "";
    const read = async (): Promise<void> => {
      for await (const { items, resume } of fleet.vehicles.list({ limit: 2 }).pages()) {
        found.push(...items);
        end = resume;
      }
    };
    const missing = "the pages have 3 different items instead of 5";
    await expect(read()).rejects.toThrow(missing);
    expect(found).toEqual(rows(1, 2, 3));
    const rest = () => fleet.vehicles.list({ limit: 2, resume: end ?? "" });
    await expect(rest().toArray()).rejects.toThrow(missing);
    totalCount = 3;
    expect(await rest()).toMatchObject({ items: [], resume: null });
  });

  it("whose service gives fewer entries than the request asks for is read again with pages of that size", async () => {
    const all = rows(...Array.from({ length: 45 }, (_, n) => n));
    const { fleet, sent } = serve(({ query }) => {
      const [status, body] = pageOf(all, query) as [number, { data: object[] }];
      return [status, { ...body, data: body.data.slice(0, 4) }];
    });
    const ids = new Set((await fleet.vehicles.list({ limit: 10 }).toArray()).map(({ id }) => id));
    expect(ids.size).toBe(45);
    expect(sent.map(({ query }) => query.get("limit")).join(" ")).toBe("10 10 10 10 10" + " 4".repeat(12));
  });

  it("with a total that is too small is read behind its last page", async () => {
    const all = rows(1, 2, 3, 4, 5, 6, 7);
    const { fleet, sent } = serve(({ query }) =>
      pageOf(all, query, { totalCount: 3, totalPages: 2, hasNextPage: Number(query.get("page")) < 2 }),
    );
    expect(await fleet.vehicles.list({ limit: 2 }).toArray()).toEqual(all);
    expect(new Set(sent.map(({ query }) => query.get("page"))).size).toBe(5);
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
    const wrong = serve(() => [200, { data: [], meta: { pagination: {} } }]);
    await expect(wrong.fleet.vehicles.list()).rejects.toThrow(
      / without a count in `meta.pagination.currentPage`$/,
    );
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

  it.each<[string, (page: number) => Answer, number, number | string]>([
    ["ignores pages", () => [200, { data: rows(1, 2), meta: {} }], 2, 2],
    [
      "has no second page",
      (page) => (page === 1 ? [200, { data: rows(1, 2), meta: {} }] : fleetNotFound),
      2,
      2,
    ],
    ["has an empty second page", (page) => [200, { data: page === 1 ? rows(1) : [], meta: {} }], 2, 1],
    ["is longer than a page", () => [200, { data: rows(1, 2, 3), meta: {} }], 1, 3],
    ["is empty", () => [200, { data: [], meta: {} }], 1, 0],
    ["has a second page", (page) => [200, { data: rows(page), meta: {} }], 2, "page 2 has other entries"],
    [
      "has a second page that fails",
      (page) => (page === 1 ? [200, { data: rows(1), meta: {} }] : [500, {}]),
      2,
      "500",
    ],
  ])("that may come whole and %s is checked", async (_, respond, requests, expected) => {
    const { makeFleet, sent } = serve(({ query }) => respond(Number(query.get("page") ?? 1)));
    const list = makeFleet({ wholeLists: true }).vehicles.list({ limit: 2 });
    const result = await list.toArray().then(({ length }) => `${length}`, String);
    expect(result).toContain(`${expected}`);
    expect(sent).toHaveLength(requests);
  });

  it("that may come whole is read by pages if it has them", async () => {
    const { makeFleet, sent } = serve(({ query }) => pageOf(rows(1, 2, 3), query));
    expect(await makeFleet({ wholeLists: true }).vehicles.list({ limit: 2 }).toArray()).toHaveLength(3);
    expect(sent).toHaveLength(2);
  });

  describe("that always has a next page", () => {
    const respond = (behind: (page: number) => Answer) =>
      serve(({ query }) => {
        const page = Number(query.get("page"));
        return page > 2 ? behind(page) : pageOf(rows(1, 2, 3), query, { hasNextPage: true });
      });
    const pageWith = (currentPage: number, ...ids: number[]): Answer =>
      pageOf(rows(...ids), new URLSearchParams(), {
        currentPage,
        totalPages: 2,
        totalCount: 3,
        hasNextPage: true,
      });

    it.each<[string, (page: number) => Answer]>([
      ["no entries", (page) => pageWith(page)],
      ["the last page again", () => pageWith(2, 3)],
      ["entries that are known", (page) => pageWith(page, 3)],
      ["404", () => fleetNotFound],
    ])("is whole if two pages behind its end have %s, and the total agrees", async (_, behind) => {
      const { fleet } = respond(behind);
      expect(await fleet.vehicles.list({ limit: 2 }).toArray()).toEqual(rows(1, 2, 3));
    });

    it.each([3, 4])("ends with an error if page %i has new entries", async (number) => {
      const { fleet } = respond((page) => (page === number ? pageWith(page, 9) : pageWith(page)));
      const reason = `page ${number} has a next page, although there are 2 pages`;
      await expect(fleet.vehicles.list({ limit: 2 }).toArray()).rejects.toMatchObject({ reason });
    });

    it("ends with an error if it has fewer entries than its total", async () => {
      const { fleet } = serve(({ query }) =>
        pageOf(rows(1, 2, 3), query, { totalCount: 4, hasNextPage: true }),
      );
      await expect(fleet.vehicles.list({ limit: 2 }).toArray()).rejects.toThrow(
        "3 different items instead of 4",
      );
    });
  });

  it("whose end comes early ends the requests of the pages behind it", async () => {
    const aborted: string[] = [];
    const { makeFleet } = serve(() => fleetNotFound);
    const fetch = async (url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
      const query = new URL(url).searchParams;
      const page = query.get("page") ?? "1";
      if (Number(page) > 2)
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push(page);
            reject(new Error("aborted"));
          });
        });
      const [, body] = pageOf(rows(1, 2, 3, 4), query, page === "1" ? { totalPages: 4 } : {}) as [
        number,
        object,
      ];
      return Response.json(body);
    };
    const list = makeFleet({ fetch }).vehicles.list({ limit: 2, onDrift: "report" });
    const found = [];
    for await (const { id } of list.items({ concurrency: 4 })) found.push(id);
    expect([found, aborted]).toEqual([
      [1, 2, 3, 4],
      ["3", "4"],
    ]);
  });

  it("requests again the pages that it requested before a change", async () => {
    const { list, requests } = listOf([1, 2, 3, 4, 5, 6, 7], { 1: { totalCount: 8 } });
    const found = [];
    for await (const { id } of list({ limit: 2 }).items({ concurrency: 3 })) found.push(id);
    expect([found, requests()]).toEqual([[1, 2, 3, 4, 5, 6, 7], "1 2 3 4 1 2 3 4"]);
  });
});
