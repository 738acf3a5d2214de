import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import type { CursorList, PageList } from "../../src/index.ts";
import { feed, isBounded } from "./measure.ts";
import type { Mutator } from "./mutator.ts";

const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z" };
const key = `acme_${"0123456789abcdef".repeat(4)}`;

/** Clients whose every response is the one that `responses.next` returns. */
const responses = { next: () => "" };
const fetch = async (): Promise<Response> => new Response(responses.next());
const shared = { fetch, retry: 0 };
const base = { ...shared, baseUrl: "https://x.example", token: "fuzz-secret" };
const stores = [
  new StoreClient(base),
  new StoreClient({ ...base, readings: { "photos.page-shape": "data-cursor" }, validate: "full" }),
  new StoreClient({ ...base, strategies: { "protocols.next-page": "window" } }),
] as const;
const fleets = [
  new FleetClient({ ...shared, baseUrl: "https://x.example/api/third-party/v1", key }),
  new FleetClient({
    ...shared,
    baseUrl: "https://x.example/api/third-party/v1",
    key,
    readings: { "lists.undocumented": "whole" },
    validate: "full",
  }),
] as const;

const cursorPages = [
  { items: [{ externalId: "S-1" }, { externalId: "S-2" }], nextCursor: "S-2" },
  { items: [], nextCursor: "a" },
  { items: [{ protocolId: "P" }], nextCursor: null },
  { data: [{ photoId: "I" }], cursor: "c" },
  { photos: [], nextCursor: null },
];
const pagination = {
  currentPage: 1,
  totalPages: 3,
  totalCount: 5,
  hasNextPage: true,
  hasPreviousPage: false,
};
const numberedPages = [
  { data: [{ id: "1" }, { id: "2" }], meta: { version: "v1", pagination } },
  { data: [{ id: "3" }], meta: { version: "v1", pagination: { ...pagination, currentPage: 2 } } },
  { data: [], meta: { version: "v1", pagination: { ...pagination, hasNextPage: false } } },
  { data: [], meta: {} },
];

/** Walks some pages of a list with random responses and checks that the items have their declared form. */
async function walk(list: CursorList<unknown> | PageList<unknown>): Promise<void> {
  let pages = 0;
  for await (const page of list.pages() as AsyncIterable<{ items: unknown[]; resume: string | null }>) {
    assert.ok(Array.isArray(page.items));
    assert.ok(page.resume === null || typeof page.resume === "string");
    pages += 1;
    if (pages === 6) break;
  }
}

function storeList(mutator: Mutator): CursorList<unknown> {
  const client = mutator.pick(stores);
  return mutator.pick([
    () => client.stores.list(),
    () => client.protocols.list("S", range),
    () => client.photos.list("S", range),
  ])();
}

function fleetList(mutator: Mutator): PageList<unknown> {
  const client = mutator.pick(fleets);
  return mutator.pick([
    () => client.vehicles.list(),
    () => client.vehicleFields.list(),
    () => client.vehicleFields.listVehicles("f", { limit: 2 }),
    () => client.inspectionTemplates.list(),
  ])() as PageList<unknown>;
}

function next(mutator: Mutator, pages: typeof cursorPages | typeof numberedPages): void {
  responses.next = () => (mutator.below(50) === 0 ? mutator.noise(200) : mutator.body(pages));
}

test("lists with a cursor read any page", async ({ task }) => {
  task.meta.measured = await feed(15_000, (mutator) => {
    next(mutator, cursorPages);
    return walk(storeList(mutator));
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});

test("numbered lists read any page", async ({ task }) => {
  task.meta.measured = await feed(15_000, (mutator) => {
    next(mutator, numberedPages);
    return walk(fleetList(mutator));
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});

test("lists accept or reject any resume token and cursor", async ({ task }) => {
  const tokens = [
    { cursor: "S-1" },
    { page: 2 },
    { at: "cursor", cursor: "c" },
    { at: "window", ranges: [["a", "b"]], seen: [], recurring: [] },
  ];
  task.meta.measured = await feed(10_000, async (mutator) => {
    const resume = mutator.below(10) === 0 ? mutator.noise(60) : mutator.body(tokens);
    next(mutator, cursorPages);
    const client = mutator.pick(stores);
    await mutator.pick([
      () => walk(client.stores.list({ resume })),
      () => walk(client.stores.list({ cursor: resume })),
      () => walk(client.protocols.list("S", { ...range, resume })),
      () => walk(mutator.pick(fleets).vehicles.list({ resume }) as PageList<unknown>),
    ])();
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});
