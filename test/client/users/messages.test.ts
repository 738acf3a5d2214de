// Kinds 16 and 18: what errors and logs say.
import { describe, expect, it } from "vitest";
import { logTo, PaginationError, type StoreClient } from "../../../src/index.ts";
import { type Answer, pageOf, serve, storeRow } from "../../sync/service.ts";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** The error of a call over a `fetch`. */
async function failOver(respond: () => Promise<Response>, options: object = {}) {
  const { makeStore } = serve(() => [200]);
  const error = await makeStore({ fetch: respond, ...options })
    .stores.get("S-1")
    .catch((caught: unknown) => caught);
  return error as Error;
}

describe("the message of an error", () => {
  it.each<[string, () => Promise<Response>, string]>([
    [
      "a lost connection under msw",
      () => Promise.reject(new TypeError("Failed to fetch", { cause: Response.error() })),
      "no complete response: Failed to fetch",
    ],
    [
      "an error without a message",
      () => Promise.reject(new Error("")),
      "no complete response: the connection was lost",
    ],
  ])("about %s says so", async (_, respond, words) => {
    const { message } = await failOver(respond);
    expect(message).toContain(words);
    expect(message).not.toContain("[object");
  });

  it.each([
    ["", () => new Promise<string>(() => {})],
    [
      "further ",
      ({ refused }: { refused?: string }) =>
        refused === undefined ? "token-1" : new Promise<string>(() => {}),
    ],
  ])("about a token function that hangs says that no %srequest was sent", async (further, token) => {
    const { makeStore } = serve(() => [401, { error: { code: "unauthorized", message: "no" } }]);
    await expect(makeStore({ token, timeout: 5 }).stores.get("S-1")).rejects.toThrow(
      `no ${further}request was sent: the limiter, a place or the token was awaited within 5 ms (timeout)`,
    );
  });

  it("about too many protocols at one time names `limit` and the option", async () => {
    const rows = Array.from({ length: 5 }, (_, n) => ({ protocolId: `P-${n}` }));
    const { makeStore } = serve(({ query }) => [
      200,
      { externalId: "S-1", items: rows.slice(0, Number(query.get("limit"))), nextCursor: "next" },
    ]);
    const list = makeStore({ protocolPages: "window" }).protocols.list("S-1", { ...range, limit: 3 });
    await expect(list.toArray()).rejects.toThrow(
      /\(limit: 3\).*use a larger `limit`, or the option timePrecision/,
    );
  });
});

describe("the last page in a PaginationError", () => {
  const cursorPages = (next: (cursor: string | null) => string | null) =>
    serve(({ query, path }): Answer => {
      const cursor = query.get("cursor");
      const items = [
        {
          storeId: cursor ?? "first",
          externalId: null,
          protocolId: cursor ?? "first",
          photoId: cursor ?? "first",
        },
      ];
      return [200, { items, nextCursor: next(cursor), ...(path === "/stores" ? {} : { externalId: "S-1" }) }];
    });
  const loop = (cursor: string | null) => ({ first: "a", a: "b", b: "a" })[cursor ?? "first"] ?? null;
  const lists: [string, (store: StoreClient) => { pages(): AsyncIterable<object> }][] = [
    ["stores", (store) => store.stores.list()],
    ["protocols", (store) => store.protocols.list("S-1", range)],
    ["photos", (store) => store.photos.list("S-1", range)],
  ];

  it.each(lists)("of %s that loop is one that was delivered", async (_, open) => {
    const { store, sent } = cursorPages(loop);
    let delivered = 0;
    const walk = async () => {
      for await (const page of open(store).pages()) delivered += Object.keys(page).length > 0 ? 1 : 0;
    };
    const error = await walk().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PaginationError);
    const cursors = sent.map(({ query }) => query.get("cursor") ?? undefined);
    expect((error as PaginationError).lastCursor).toBe(cursors[delivered - 1]);
  });

  it("is undefined if no page was delivered", async () => {
    const { store } = cursorPages(() => "");
    const error = await store.stores
      .list()
      .toArray()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "PaginationError", lastCursor: undefined, lastPage: undefined });
    const { fleet } = serve(() =>
      pageOf([{ id: "v1" }], new URLSearchParams(), { hasNextPage: true, totalPages: 9 }),
    );
    const second = await fleet.vehicles
      .list({ maxIdleRequests: 1 })
      .toArray()
      .catch((caught: unknown) => caught);
    expect(second).toMatchObject({ name: "PaginationError", lastPage: 1 });
  });
});

it.each(["auto", "window"] as const)(
  "`resume` is null only on the last page of a time range (protocolPages: %s)",
  async (protocolPages) => {
    const start = Date.parse(range.from);
    const rows = Array.from({ length: 9 }, (_, n) => ({ protocolId: `P-${n}`, at: start + n * 3_600_000 }));
    // the service ignores the cursor
    const { makeStore } = serve(({ query }) => {
      const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
      const found = rows.filter(({ at }) => at >= from && at < to);
      return [
        200,
        { externalId: "S-1", items: found.slice(0, 4), nextCursor: found.length > 4 ? "next" : null },
      ];
    });
    const resumes: (string | null)[] = [];
    for await (const { resume } of makeStore({ protocolPages })
      .protocols.list("S-1", { ...range, limit: 4 })
      .pages())
      resumes.push(resume);
    expect(resumes.length).toBeGreaterThan(2);
    expect(resumes.map((resume) => resume === null)).toEqual([...resumes.slice(1).map(() => false), true]);
  },
);

describe("logTo", () => {
  const open = (answers: Answer[], options: object = {}) => {
    const lines: string[] = [];
    const write = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
    const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
    let count = 0;
    const { makeStore } = serve(() => {
      count += 1;
      return answers[count - 1] ?? [200, storeRow(1)];
    });
    return { lines, store: makeStore({ log: logTo(logger), retry: { limit: 2, maxDelay: 1 }, ...options }) };
  };
  const levels = (lines: string[]) => lines.map((line) => line.split(" ")[0]);
  const failed: Answer = [500, { error: { code: "internal", message: "boom" } }, { "x-request-id": "r-17" }];

  it("writes one error for a call that fails in the end, and nothing twice in a line", async () => {
    const { lines, store } = open([failed, failed, failed]);
    await store.stores.get("S-001").catch(() => {});
    expect(levels(lines)).toEqual(["info", "info", "error"]);
    const line = lines.at(-1) ?? "";
    for (const part of ["GET /v1/stores/{externalId}", "500", "internal", "boom", "r-17", "3 attempts"])
      expect(line.split(part), line).toHaveLength(2);
  });
});
