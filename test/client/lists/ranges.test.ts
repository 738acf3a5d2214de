// How the list of a time range is read if the service uses, ignores or rejects the cursor that no document declares.
import { describe, expect, it } from "vitest";
import { type Answer, serve } from "../../sync/service.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const range = { from: new Date(start), to: new Date(start + 1000), limit: 2 };
interface Row {
  id?: number;
  at: number;
}
const rowsAt = (...times: number[]): Row[] => times.map((at, index) => ({ id: index + 1, at }));

/** Protocols of a store; `cursors` says what the service does with a cursor. Each response has other URLs. */
function protocolsOf(rows: Row[], cursors: "used" | "ignored" | "rejected", hasUrls = false) {
  const served = serve(({ query }) => {
    const [from = 0, to = 0] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "") - start);
    const cursor = Number(query.get("cursor") ?? 0);
    if (cursor > 0 && cursors === "rejected") return [400, { error: { code: "validation_failed" } }];
    const first = cursors === "used" ? cursor : 0;
    const found = rows.filter(({ at }) => from <= at && at < Math.max(to, from + 1));
    const items = found
      .slice(first, first + 2)
      .map((row) => (hasUrls ? { ...row, url: `${served.sent.length}` } : row));
    return [200, { items, nextCursor: first + 2 < found.length ? String(first + 2) : null }];
  });
  const requests = () =>
    served.sent.map(({ query }) =>
      query.has("cursor")
        ? `cursor ${query.get("cursor")}`
        : ["from", "to"].map((name) => Date.parse(query.get(name) ?? "") - start).join("-"),
    );
  const open = (options: object, query: object = {}) =>
    served
      .makeStore({ timePrecision: "millisecond", ...options })
      .protocols.list("S-1", { ...range, ...query });
  return { open, requests };
}

describe("a list of protocols", () => {
  const five = rowsAt(0, 10, 300, 600, 999);
  const second = ["0-501", "0-251", "249-751", "749-1000"];

  it.each<[string, "used" | "ignored" | "rejected", object, string[]]>([
    ["cursors that are used", "used", {}, ["0-1000", "cursor 2", "cursor 4"]],
    ["ignored cursors", "ignored", {}, ["0-1000", "cursor 2", "cursor 2", ...second]],
    ["rejected cursors", "rejected", {}, ["0-1000", "cursor 2", ...second]],
    ["protocolPages window", "used", { protocolPages: "window" }, ["0-1000", ...second]],
  ])("with %s is read by the fewest requests", async (_, cursors, options, expected) => {
    const { open, requests } = protocolsOf(five, cursors);
    const found = await open(options).toArray();
    expect(found).toEqual(five);
    expect(requests()).toEqual(expected);
  });

  it.each<[string, Row[], "used" | "ignored" | "rejected", object, RegExp]>([
    [
      "more at one time than a page has",
      rowsAt(0, 600, 600, 600),
      "ignored",
      {},
      /: more protocols than a page holds \(limit: 2\) are within 1 ms of \S+: use a larger `limit`, or the option timePrecision if the service compares times more precisely$/,
    ],
    [
      "no IDs and ignored cursors",
      [{ at: 0 }, { at: 1 }, { at: 2 }],
      "ignored",
      {},
      /: an item may be in two time ranges/,
    ],
  ])("with %s ends with an error", async (_, rows, cursors, options, message) => {
    await expect(protocolsOf(rows, cursors).open(options).toArray()).rejects.toThrow(message);
  });

  const served = (...answers: Answer[]) => {
    const { store, sent } = serve(() => answers[sent.length - 1] ?? [200, { items: [], nextCursor: null }]);
    return {
      list: store.protocols.list("S-1", range),
      cursors: () => sent.map(({ query }) => query.get("cursor")),
    };
  };
  const page = (ids: number[], nextCursor: string | null): Answer => [
    200,
    { items: ids.map((id) => ({ id })), nextCursor },
  ];

  it.each<[string, Answer[], string, (string | null)[]]>([
    [
      "the same cursor once",
      [page([1], "a"), page([2], "b"), page([3], "b"), page([3], null)],
      '"id":3}]',
      [null, "a", "b", "b"],
    ],
    ["an empty page once", [page([1], "a"), page([], null), page([2], null)], '"id":2}]', [null, "a", "a"]],
    [
      "the same cursor twice",
      [page([1], "a"), page([2], "b"), page([3], "b"), page([3], "b"), page([1, 2], null), page([3], null)],
      '[{"id":1},{"id":2},{"id":3}]',
      [null, "a", "b", "b", null, null],
    ],
    [
      "time ranges that lack what was delivered by cursors",
      [page([1], "a"), [400, {}]],
      "1 of 1 items were not returned again in narrower time ranges",
      [null, "a", null, null],
    ],
    ["a rejected first request", [[400, {}]], "400", [null]],
    ["a failed second request", [page([1], "a"), [500, {}]], "500", [null, "a"]],
    [
      "a rejected third request",
      [page([1], "a"), page([2], "b"), [400, {}], page([1, 2], null), page([3], null)],
      '[{"id":1},{"id":2},{"id":3}]',
      [null, "a", "b", null, null],
    ],
    ["an overlap", [page([1, 2], "a"), page([2, 3], null)], '"id":3}]', [null, "a"]],
    ["an empty second page", [page([1], "a"), page([], "b"), page([2], null)], '"id":2}]', [null, "a", "b"]],
    ["one page", [page([1], null)], '[{"id":1}]', [null]],
  ])("with %s sends only these requests", async (_, answers, words, expected) => {
    const { list, cursors } = served(...answers);
    expect(await list.toArray().then(JSON.stringify, String)).toContain(words);
    expect(cursors()).toEqual(expected);
  });

  it("names the cursor of the last page that was delivered", async () => {
    const { list } = served(page([1], "a"), page([2], "b"), [400, {}], page([], null), page([], null));
    await expect(list.toArray()).rejects.toMatchObject({ lastCursor: "a" });
  });

  it("without IDs is read by cursors if these are used", async () => {
    const rows = five.map(({ at }) => ({ at }));
    const { open, requests } = protocolsOf(rows, "used");
    expect(await open({}).toArray()).toEqual(rows);
    expect(requests()).toEqual(["0-1000", "cursor 2", "cursor 4"]);
    const identify = ({ at }: object & { at?: unknown }) => String(at);
    expect(await protocolsOf(rows, "ignored", true).open({}, { identify }).toArray()).toHaveLength(5);
  });

  it("is whole if its first page has changed before it is resumed, and the service ignores cursors", async () => {
    const rows = [...five];
    const { open } = protocolsOf(rows, "ignored");
    const { resume } = await open({});
    expect(await open({}, { resume }).toArray()).toEqual(five.slice(2));
    rows.shift();
    expect(await open({}, { resume }).toArray()).toEqual(five.slice(2));
  });

  it.each(["ignored", "rejected"] as const)(
    "keeps all digits of its ends if cursors are %s",
    async (cursors) => {
      const rows = ["00.0001", "00.0009", "00.3", "00.6", "01.0002", "01.0009"].map((at) => ({ id: at, at }));
      const service = serve(({ query }) => {
        if (query.has("cursor") && cursors === "rejected") return [400, {}];
        const [from = "", to = ""] = ["from", "to"].map((name) => query.get(name)?.slice(17, -1));
        const found = rows.filter(({ at }) => from <= at && at < to);
        return [200, { items: found.slice(0, 2), nextCursor: found.length > 2 ? "c" : null }];
      });
      const { protocols } = service.makeStore({ timePrecision: "millisecond" });
      const ends = { from: "2026-01-01T00:00:00,0005Z", to: "2026-01-01T00:00:01.0005Z", limit: 2 };
      const ids = (await protocols.list("S-1", ends).toArray()).map(({ id }) => id);
      expect(ids).toEqual(["00.0009", "00.3", "00.6", "01.0002"]);
    },
  );

  it("continues with the time range of a token", async () => {
    const { open, requests } = protocolsOf(five, "ignored");
    const tokens: (string | null)[] = [];
    for await (const { resume } of open({}).pages()) tokens.push(resume);
    expect(tokens.at(-1)).toBe(null);
    const sent = requests().length;
    expect(await open({}, { resume: tokens[1] }).toArray()).toEqual(five.slice(2));
    expect(requests().slice(sent)).toEqual(second.slice(2));
  });
});
