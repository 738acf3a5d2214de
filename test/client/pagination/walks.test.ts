import { describe, expect, it } from "vitest";
import { InvalidRequestError } from "../../../src/index.ts";
import type { CallOptions, CursorList, PageList } from "../../../src/index.ts";
import { json, type Responder, type SentRequest } from "../core/stub-fetch.ts";
import { listServer, stubClient as fleetStub } from "../fleet/stub-client.ts";
import { stubClient as storeStub } from "../store/stub-client.ts";

type AnyList = CursorList<unknown> | PageList<unknown, unknown>;

interface Kind {
  route: string;
  /** The queries of the first three pages. */
  positions: Record<string, string>[];
  /** The query of a list that begins at the second page. */
  second: object;
  respond: (count: number) => Responder;
  open: (respond: Responder) => {
    sent: SentRequest[];
    list: (query?: { resume?: string }, options?: CallOptions) => AnyList;
  };
}

const rowsOf = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => ({ id: `v-${first + at}`, externalId: `S-${first + at}` }));

/** Both kinds of lists, over a server with two items on a page. */
const kinds: Record<string, Kind> = {
  "by cursor": {
    route: "GET /v1/stores",
    positions: [{}, { cursor: "S-2" }, { cursor: "S-4" }],
    second: { cursor: "S-2" },
    respond:
      (count) =>
      ({ query }) => {
        const first = Number(query["cursor"]?.slice(2) ?? 0) + 1;
        const items = rowsOf(Math.min(2, Math.max(0, count - first + 1)), first);
        return json({ items, nextCursor: first + 1 < count ? `S-${first + 1}` : null });
      },
    open(respond) {
      const { client, sent } = storeStub(respond);
      return { sent, list: (query, options) => client.stores.list(query, options) };
    },
  },
  "of numbered pages": {
    route: "GET /vehicles",
    positions: [{}, { page: "2" }, { page: "3" }],
    second: { page: 2 },
    respond: (count) => listServer(rowsOf(count), 2),
    open(respond) {
      const { client, sent } = fleetStub(respond);
      return { sent, list: (query, options) => client.vehicles.list(query, options) };
    },
  },
};

async function drain(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe.each(Object.entries(kinds))("a list %s", (_name, { route, positions, second, respond, open }) => {
  it("sends nothing until it is awaited or iterated", async () => {
    const { list, sent } = open(respond(5));
    const one = list();
    one[Symbol.asyncIterator]();
    one.pages();
    one.items();
    await Promise.resolve();
    expect(sent).toEqual([]);
  });

  it("delivers every item, with the same filters on each page, and begins afresh with each loop", async () => {
    const { list, sent } = open(respond(5));
    const filtered = list({ limit: 2, extra: { region: "x" } } as object);
    expect(await drain(filtered)).toEqual(rowsOf(5));
    expect(await drain(filtered.items())).toEqual(rowsOf(5));
    // gap lists.filters-across-pages
    const loop = positions.map((position) => ({ limit: "2", region: "x", ...position }));
    expect(sent.map(({ query }) => query)).toEqual([...loop, ...loop]);
  });

  it("requests the next page only when it is wanted", async () => {
    const { list, sent } = open(respond(6));
    const pages = list().pages();
    await pages.next();
    await settle();
    expect(sent).toHaveLength(1);
    await pages.next();
    expect(sent).toHaveLength(2);
    await pages.return?.();
    expect(await pages.next()).toEqual({ done: true, value: undefined });
    expect(sent).toHaveLength(2);
  });

  it("requests no page after the consumer stops", async () => {
    const { list, sent } = open(respond(100));
    let count = 0;
    for await (const _ of list()) if ((count += 1) === 3) break;
    expect(sent).toHaveLength(2);
    expect(await list().take(4)).toEqual(rowsOf(4));
    expect(sent).toHaveLength(4);
    expect(await list().take(0)).toEqual([]);
    expect(sent).toHaveLength(4);
    expect(await list().toArray()).toHaveLength(100);
  });

  it.each([{ limit: 5 }, { max: -1 }, { max: 1.5 }, { max: "5" }, { mx: 5 }, 5])(
    "rejects a wrong option of toArray: %j",
    async (options) => {
      const { list, sent } = open(respond(5));
      await expect(list().toArray(options as never)).rejects.toBeInstanceOf(InvalidRequestError);
      expect(sent).toEqual([]);
    },
  );

  it("names take(n) if toArray has a limit", async () => {
    await expect(
      open(respond(5))
        .list()
        .toArray({ limit: 5 } as never),
    ).rejects.toThrow("take(n)");
  });

  it("continues after any of its pages with the token of the page, as a string", async () => {
    const { list } = open(respond(7));
    let seen = 0;
    for await (const { items, resume } of list().pages()) {
      seen += items.length;
      if (resume === null) break;
      const rest = list({ resume: JSON.parse(JSON.stringify(resume)) as string });
      expect(await rest.toArray()).toEqual(rowsOf(7 - seen, seen + 1));
      expect((await rest).items).toHaveLength(Math.min(2, 7 - seen));
    }
    expect(seen).toBe(7);
  });

  it.each(["", "x", "[]", "null", "{}", '{"cursor":5}', '{"cursor":"S-1"}', '{"page":1}', '{"page":"2"}'])(
    "rejects the resume token %j before sending",
    async (resume) => {
      const { list, sent } = open(respond(6));
      const message = `${route}: not sent: resume: must be the \`resume\` of a page of this list`;
      await expect(list({ resume })).rejects.toThrow(message);
      await expect(drain(list({ resume }))).rejects.toThrow(message);
      expect(sent).toEqual([]);
    },
  );

  it("says of the resume token null that the walk is complete", async () => {
    const { list, sent } = open(respond(6));
    const message = `${route}: not sent: resume: is null: the walk is complete`;
    await expect(list({ resume: null as never })).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it("begins at a given position", async () => {
    const { list, sent } = open(respond(6));
    expect(await drain(list(second))).toEqual(rowsOf(4, 3));
    expect(sent.map(({ query }) => query)).toEqual(positions.slice(1));
  });

  it("resolves parallel calls in turn, with no item twice", async () => {
    const { list } = open(respond(5));
    const items = list().items();
    const results = await Promise.all(Array.from({ length: 7 }, () => items.next()));
    expect(results.map(({ value }): unknown => value)).toEqual([...rowsOf(5), undefined, undefined]);
    const pages = list().pages();
    const both = await Promise.all([pages.next(), pages.next()]);
    expect(both.map(({ value }) => value?.items)).toEqual([rowsOf(2), rowsOf(2, 3)]);
  });

  it("is done after an error", async () => {
    const { list, sent } = open((request, index) =>
      index === 1 ? json({}, { status: 403 }) : respond(9)(request, index),
    );
    const items = list().items();
    await items.next();
    await items.next();
    const results = await Promise.allSettled([items.next(), items.next(), items.next()]);
    expect(results).toMatchObject([
      { status: "rejected", reason: { status: 403 } },
      { status: "fulfilled" },
      { status: "fulfilled" },
    ]);
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(sent).toHaveLength(2);
  });

  it("ends with the reason of its signal between pages", async () => {
    const { list, sent } = open(respond(9));
    const caller = new AbortController();
    const pages = list({}, { signal: caller.signal }).pages();
    await pages.next();
    caller.abort("enough");
    await expect(pages.next()).rejects.toBe("enough");
    expect(await pages.next()).toMatchObject({ done: true });
    expect(sent).toHaveLength(1);
  });
});
