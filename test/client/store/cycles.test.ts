import { describe, expect, it } from "vitest";
import { PaginationError } from "../../../src/client/store/index.ts";
import { type Responder, json } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

/** Walks the stores and tells what came before the walk ended. */
async function walk(response: Responder): Promise<{ items: unknown[]; error: unknown; requests: number }> {
  const { client, sent } = stubClient(response);
  const items: unknown[] = [];
  try {
    for await (const item of client.stores.list()) items.push(item.externalId);
  } catch (error) {
    return { items, error, requests: sent.length };
  }
  return { items, error: undefined, requests: sent.length };
}

const page = (id: unknown, nextCursor: string | null) =>
  json({ items: id === null ? [] : [{ externalId: id }], nextCursor });

describe("a server that loops ends in a PaginationError", () => {
  it("where it gives its cursor again", async () => {
    const { items, error, requests } = await walk((_, index) => page(index, "same"));
    const reason = "the server returned the same cursor twice: the walk would not end";
    expect(error).toBeInstanceOf(PaginationError);
    expect(error).toMatchObject({
      name: "PaginationError",
      reason,
      message: `GET /v1/stores: ${reason}`,
      lastCursor: "same",
      lastPage: undefined,
    });
    expect([items, requests]).toEqual([[0], 2]);
  });

  it("where its cursors form a circle", async () => {
    const { items, error } = await walk((_, index) => page(index, ["A", "B", "C"][index % 3] as string));
    expect(error).toBeInstanceOf(PaginationError);
    expect(error).toMatchObject({ lastCursor: "C" });
    expect(items).toEqual([0, 1, 2]);
  });

  it("where the circle leads to the cursor that the caller began with", async () => {
    const { client, sent } = stubClient((_, index) => page(index, index === 0 ? "B" : "A"));
    const error = await client.stores
      .list({ cursor: "A" })
      .toArray()
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ name: "PaginationError", lastCursor: "B" });
    expect(sent).toHaveLength(2);
  });

  it("if it returns a page again with a new cursor, in any order of properties", async () => {
    const bodies = ['{"externalId":"1","name":{"a":1,"b":2}}', '{"name":{"b":2,"a":1},"externalId":"1"}'];
    const { items, error } = await walk(
      (_, index) => new Response(`{"items":[${bodies[index % 2]}],"nextCursor":"c${index}"}`),
    );
    expect(error).toMatchObject({
      name: "PaginationError",
      reason: "the server returned the previous page again: it seems to ignore the cursor",
      lastCursor: undefined,
    });
    expect(items).toEqual(["1"]);
  });

  it("where the page that comes again had an item twice before", async () => {
    const pages = [["1", "1", "2"], ["3"], ["1", "2"]];
    const { items, error } = await walk((_, index) => {
      const ids = pages[index] ?? [];
      const stores = ids.map((externalId) => ({ externalId, storeId: externalId }));
      return json({ items: stores, nextCursor: index === 1 ? "B" : "A" });
    });
    expect(error).toBeInstanceOf(PaginationError);
    expect(items).toEqual(["1", "2", "3"]);
  });

  it("where the page that comes again is the last", async () => {
    const { items, error } = await walk((_, index) => page(1, index === 0 ? "c" : null));
    expect(error).toBeInstanceOf(PaginationError);
    expect(items).toEqual([1]);
  });

  it("even if the consumer changed the items of the page before", async () => {
    const { client } = stubClient((_, index) =>
      json({ items: [{ externalId: "1" }, { externalId: "2" }], nextCursor: `c${index}` }),
    );
    const seen: unknown[] = [];
    const loop = async (): Promise<void> => {
      for await (const one of client.stores.list().pages()) {
        seen.push(one.items.length);
        for (const store of one.items) store.externalId = "changed";
        one.items.length = 0;
      }
    };
    await expect(loop()).rejects.toBeInstanceOf(PaginationError);
    expect(seen).toEqual([2]);
  });
});

describe("pages that only look alike", () => {
  it.each([
    ["the beginning of the page before", [[1, 2], [1]], [1, 2]],
    ["the page before and more", [[1], [1, 2]], [1, 2]],
  ])("are different pages: %s", async (_, pages, expected) => {
    const { error, items } = await walk((__, index) =>
      json({
        items: pages[index]?.map((externalId) => ({ externalId })),
        nextCursor: index === 0 ? "c" : null,
      }),
    );
    expect(error).toBeUndefined();
    expect(items).toEqual(expected);
  });
});

it("a response that is nested too deep is rejected", async () => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const { client } = stubClient(() => new Response(`{"items":[{"a":${deep}}],"nextCursor":null}`));
  const error = {
    name: "UnexpectedResponseError",
    issues: [],
  };
  await expect(client.stores.list()).rejects.toMatchObject(error);
  await expect(client.protocols.list("S-1", range)).rejects.toMatchObject(error);
  await expect(client.stores.get("S")).rejects.toMatchObject(error);
  await expect(client.stores.modify("S", () => ({}))).rejects.toMatchObject(error);
});
