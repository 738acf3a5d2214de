import { describe, expect, it } from "vitest";
import { PaginationError, UnexpectedResponseError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { listServer, requestedPage, pageOf, rejection, rows, stubClient } from "./stub-client.ts";

async function drain(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

describe("a page list", () => {
  it("gives its first page when it is awaited", async () => {
    const { client, sent } = stubClient(listServer(rows(5), 2));
    const page = await client.vehicles.list({ limit: 2 });
    expect(page).toEqual({
      items: [{ id: "v-1" }, { id: "v-2" }],
      pagination: {
        currentPage: 1,
        totalPages: 3,
        totalCount: 5,
        hasNextPage: true,
        hasPreviousPage: false,
      },
      meta: pageOf(rows(5), 1, 2).meta,
      resume: expect.any(String) as string,
      drift: [],
      raw: pageOf(rows(5), 1, 2),
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.query).toEqual({ limit: "2" });
  });

  it("continues after an empty page, which pages() delivers", async () => {
    const { client } = stubClient((sent) => {
      const page = pageOf(rows(6), requestedPage(sent), 2);
      return json(requestedPage(sent) === 2 ? { ...page, data: [] } : page);
    });
    const pages = (await drain(client.vehicles.list().pages())) as { items: unknown[] }[];
    expect(pages.map(({ items }) => items.length)).toEqual([2, 0, 2]);
  });
});

describe("a page whose `meta` names its field and filters", () => {
  /** Walks both lists of vehicle fields, and one that the contract only names, over a service that adds `more` to `meta`. */
  function walk(list: "fields" | "vehicles" | "groups", query: object, more: object, atPage = 1) {
    const { client } = stubClient((sent) => {
      const page = pageOf(rows(3), requestedPage(sent), 2);
      return json(requestedPage(sent) < atPage ? page : { ...page, meta: { ...page.meta, ...more } });
    });
    if (list === "groups") return client.vehicleGroups.list(query).toArray();
    if (list === "fields") return client.vehicleFields.list(query).toArray();
    return client.vehicleFields.listVehicles("F-1", query).toArray();
  }

  it.each<[string, "fields" | "vehicles" | "groups", object, object]>([
    ["another field", "vehicles", {}, { field: { id: "F-2" } }],
    ["another search", "fields", { search: "a" }, { filters: { search: "b" } }],
    ["no search", "fields", { search: "a" }, { filters: { search: null } }],
    ["the search of another walk", "fields", {}, { filters: { search: "b" } }],
    ["another status", "vehicles", { status: "NOT_OK" }, { filters: { search: null, status: "OK" } }],
    ["the status of another walk", "vehicles", { search: "a" }, { filters: { search: "a", status: "OK" } }],
  ])("ends the walk if it has %s: those are other items", async (_, list, query, more) => {
    for (const page of [1, 2]) {
      const error = await rejection(walk(list, query, more, page));
      expect(error).toBeInstanceOf(PaginationError);
      expect(String(error)).toMatch(
        /`meta\.(field\.id|filters\.(search|status))` differs from the requested one/,
      );
    }
  });

  it.each<[string, "fields" | "vehicles" | "groups", object, object]>([
    [
      "the requested ones",
      "vehicles",
      { search: "a", status: "OK" },
      { filters: { search: "a", status: "OK" } },
    ],
    ["the field in another letter case", "vehicles", {}, { field: { id: "f-1" } }],
    ["a trimmed search", "fields", { search: " Ab " }, { filters: { search: "ab" } }],
    ["null for what was not sent", "vehicles", {}, { filters: { search: null, status: null } }],
    ["an empty string for what was not sent", "fields", {}, { filters: { search: "" } }],
    ["nothing for what was sent", "fields", { search: "a" }, { filters: {} }],
    ["no filters", "fields", { search: "a" }, { filters: null, field: null }],
    ["other filters", "fields", {}, { filters: { active: "yes" } }],
    ["a default of a list that the contract only names", "groups", {}, { filters: { status: "active" } }],
  ])("is delivered if it has %s", async (_, list, query, more) => {
    expect(await walk(list, query, more)).toEqual(rows(3));
  });
});

describe("a page list that cannot be walked on", () => {
  it("is a PaginationError for a clamped page past the end (gap fleet.page-past-end)", async () => {
    const { client } = stubClient(() => json(pageOf(rows(4), 2, 2)));
    expect(await rejection(client.vehicles.list({ page: 9 }))).toMatchObject({
      name: "PaginationError",
      lastPage: undefined,
    });
  });

  it("is a PaginationError if the pages repeat in a loop", async () => {
    const { client, sent } = stubClient((request) => {
      const page = requestedPage(request);
      const { data } = pageOf(rows(9), page % 2 === 1 ? 1 : 2, 2);
      return json({ data, meta: pageOf(rows(9), page, 2).meta });
    });
    expect(await rejection(drain(client.vehicles.list()))).toMatchObject({
      reason: "the list changed during each of 5 passes; 4 items were delivered",
    });
    expect(sent).toHaveLength(25);
  });

  it("compares items independently of the consumer's changes to them", async () => {
    const { client } = stubClient((request) => {
      const { meta } = pageOf(rows(9), requestedPage(request), 2);
      return json({ data: rows(2), meta });
    });
    const list = client.vehicles.list();
    const walk = async (): Promise<void> => {
      for await (const item of list) item.id = "changed";
    };
    expect(await rejection(walk())).toBeInstanceOf(PaginationError);
  });
});

describe("the response of a list", () => {
  const good = pageOf(rows(2), 1, 2);
  const { pagination } = good.meta as { pagination: object };
  it.each([
    ["has no data", { meta: good.meta }],
    ["has data that are no array", { ...good, data: {} }],
    ["has no meta", { data: [] }],
    ["has no pagination", { data: [], meta: { version: "v1" } }],
    ["has null for a pagination", { data: [], meta: { pagination: null } }],
    [
      "has a pagination without hasNextPage",
      { data: [], meta: { pagination: { ...pagination, hasNextPage: undefined } } },
    ],
    [
      "has a currentPage that is text",
      { data: [], meta: { pagination: { ...pagination, currentPage: "1" } } },
    ],
    ["has no totalPages", { data: [], meta: { pagination: { ...pagination, totalPages: undefined } } }],
    ["is an array", []],
    ["is null", null],
  ])("that %s is an UnexpectedResponseError", async (_, body) => {
    const { client } = stubClient(() => json(body));
    expect(await rejection(client.vehicles.list())).toBeInstanceOf(UnexpectedResponseError);
    expect(await rejection(client.inspectionTemplates.list())).toBeInstanceOf(UnexpectedResponseError);
  });

  it("of a described list carries what the contract shows in meta", async () => {
    const field = { id: "f-1", label: "Tyres", inputType: "SELECT" };
    const filters = { search: null, status: null };
    const { client } = stubClient(() => json({ ...good, meta: { ...good.meta, field, filters } }));
    const page = await client.vehicleFields.listVehicles("f-1");
    expect(page.meta.field).toEqual(field);
    expect(page.meta.filters).toEqual(filters);
  });
});

describe("a described list", () => {
  it.each([
    ["another field", { field: { id: "8" } }],
    ["another field with a number as its ID", { field: { id: 8 } }],
    ["another search", { filters: { search: "6" } }],
    ["another search that is a number", { filters: { search: 6 } }],
    ["no status", { filters: { status: null } }],
  ])("rejects a page with %s in its meta", async (_, meta) => {
    const good = pageOf(rows(2), 1, 2);
    const { client } = stubClient(() => json({ ...good, meta: { ...good.meta, ...meta } }));
    const list = client.vehicleFields.listVehicles("7", { search: "5", status: "OK" });
    expect(await rejection(list)).toMatchObject({
      reason: expect.stringContaining("differs from") as string,
    });
  });

  it.each([
    { field: { id: "7" }, filters: { search: "5", status: "ok" } },
    { field: { id: 7 }, filters: { search: 5 } },
    {},
  ])("accepts a page with the requested field and filters: %j", async (meta) => {
    const good = pageOf(rows(2), 1, 2);
    const { client } = stubClient(() => json({ ...good, meta: { ...good.meta, ...meta } }));
    expect(
      await client.vehicleFields.listVehicles("7", { search: "5", status: "OK" }).toArray(),
    ).toHaveLength(2);
  });
});

describe("a list known by path alone, read as whole (gap lists.undocumented)", () => {
  const readings = { "lists.undocumented": "whole" } as const;

  it("is one page if the response has no pagination", async () => {
    const { client, sent } = stubClient(() => json({ data: rows(300), meta: { version: "v1" } }), {
      readings,
    });
    const page = await client.vehicles.list();
    expect(page.pagination).toEqual({
      currentPage: 1,
      totalPages: 1,
      totalCount: 300,
      hasNextPage: false,
      hasPreviousPage: false,
    });
    expect(page.resume).toBeNull();
    expect(await drain(client.vehicles.list().items({ concurrency: 8 }))).toEqual(rows(300));
    expect(sent).toHaveLength(2);
  });

  it("is walked on where the response announces a further page", async () => {
    const { client, sent } = stubClient(listServer(rows(5), 2), { readings });
    expect(await drain(client.vehicles.list())).toEqual(rows(5));
    expect(sent).toHaveLength(3);
  });

  it("is a PaginationError where a later page is asked for and everything comes", async () => {
    const { client } = stubClient(() => json({ data: rows(3), meta: {} }), { readings });
    expect(await rejection(client.vehicles.list({ page: 2 }))).toBeInstanceOf(PaginationError);
  });

  it("does not apply to an invalid pagination", async () => {
    const odd = stubClient(() => json({ data: [], meta: { pagination: {} } }), { readings });
    expect(await rejection(odd.client.vehicles.list())).toBeInstanceOf(UnexpectedResponseError);
  });
});
