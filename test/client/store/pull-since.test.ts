import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  ConfigurationError,
  InvalidRequestError,
  type OpenRange,
  type PullOptions,
  pullSince,
  StoreClient,
} from "../../../src/client/store/index.ts";
import { json, type SentRequest } from "../core/stub-fetch.ts";
import { stubClient } from "./stub-client.ts";

interface Item {
  protocolId: string;
  at: number;
  status?: string;
}

const day = Date.parse("2026-03-01T00:00:00.000Z");

/** A service with the given ends of a range and pages of two; items can be added while it is read. */
function service(ends: "half-open" | "inclusive" | "exclusive" | "left-open", items: Item[]) {
  const respond = ({ query }: SentRequest): Response => {
    const from = Date.parse(query["from"] ?? "");
    const to = Date.parse(query["to"] ?? "");
    const after = (at: number): boolean => (/half|incl/.test(ends) ? at >= from : at > from);
    const before = (at: number): boolean => (/left|incl/.test(ends) ? at <= to : at < to);
    const found = items
      .filter(({ at }) => after(at) && before(at))
      .toSorted((a, b) => a.at - b.at || (a.protocolId < b.protocolId ? -1 : 1));
    const start =
      query["cursor"] === undefined ? 0 : found.findIndex((one) => one.protocolId === query["cursor"]) + 1;
    const page = found.slice(start, start + 2);
    const more = start + 2 < found.length;
    return json({ externalId: "S-1", items: page, nextCursor: more ? page.at(-1)?.protocolId : null });
  };
  const { client, sent } = stubClient(respond, { strategies: { "protocols.next-page": "cursor" } });
  const open: OpenRange<Item> = (query, options) => client.protocols.list("S-1", query, options) as never;
  return { open, sent };
}

async function pull(
  open: OpenRange<Item>,
  options: PullOptions<Item>,
): Promise<{ ids: string[]; state: string }> {
  const ids: string[] = [];
  let state = options.state ?? "";
  for await (const batch of pullSince(open, options)) {
    ids.push(...batch.items.map((one) => one.protocolId));
    ({ state } = batch);
  }
  return { ids, state };
}

const at = (ms: number) => (): Date => new Date(day + ms);

describe("pullSince", () => {
  it.each(["half-open", "inclusive", "exclusive", "left-open"] as const)(
    "delivers each item once if ranges are %s, including items at their ends",
    async (ends) => {
      const times = [0, 1, 500, 10_000, 10_000, 19_999, 20_000, 20_001, 29_999, 30_000];
      const { open } = service(
        ends,
        times.map((time, index) => ({ protocolId: `p${index}`, at: day + time })),
      );
      const options = { since: new Date(day), allowedLateness: 0 };
      const delivered: string[] = [];
      let state: string | undefined;
      for (const until of [10_000, 20_000, 30_000, 40_000]) {
        const run = await pull(open, { ...options, state, until: at(until) });
        delivered.push(...run.ids);
        ({ state } = run);
      }
      expect(delivered.toSorted()).toEqual(times.map((_, index) => `p${index}`));
    },
  );

  it("finds what comes late within the window, and delivers again what changed", async () => {
    const items: Item[] = [{ protocolId: "a", at: day + 1000, status: "processing" }];
    const { open } = service("half-open", items);
    const options = { since: new Date(day), allowedLateness: 60_000 };
    const first = await pull(open, { ...options, until: at(10_000) });
    expect(first.ids).toEqual(["a"]);
    items.push({ protocolId: "late", at: day + 500 });
    items[0] = { protocolId: "a", at: day + 1000, status: "completed" };
    const second = await pull(open, { ...options, state: first.state, until: at(50_000) });
    expect(second.ids.toSorted()).toEqual(["a", "late"]);
    const third = await pull(open, { ...options, state: second.state, until: at(60_000) });
    expect(third.ids).toEqual([]);
    items.push({ protocolId: "too late", at: day - 5000 + 500 });
    const fourth = await pull(open, { ...options, state: third.state, until: at(70_000) });
    expect(fourth.ids).toEqual([]);
  });

  it("continues after a kill from its last saved state, with the same range", async () => {
    const items = [1, 2, 3, 4, 5].map((n) => ({ protocolId: `p${n}`, at: day + n }));
    const { open, sent } = service("half-open", items);
    const options = { since: new Date(day), allowedLateness: 1000 };
    let saved: string | undefined;
    for await (const batch of pullSince(open, { ...options, until: at(10_000) })) {
      saved = batch.state;
      break; // killed after the first batch
    }
    const rest = await pull(open, { ...options, state: saved, until: at(99_000) });
    expect(rest.ids).toEqual(["p3", "p4", "p5"]);
    expect(new Set(sent.map(({ query }) => query["to"])).size).toBe(1);
    expect((await pull(open, { ...options, state: rest.state, until: at(99_000) })).ids).toEqual([]);
  });

  it("delivers every item exactly once, wherever runs end and processes are killed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(20_000), { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(10_000), fc.nat(4)), { minLength: 1, maxLength: 5 }),
        fc.constantFrom("half-open", "inclusive", "exclusive", "left-open"),
        async (times, runs, ends) => {
          const items = times.map((time, index) => ({ protocolId: `p${index}`, at: day + time }));
          const { open } = service(ends, items);
          const delivered: string[] = [];
          let state: string | undefined;
          let clock = 0;
          const run = async (batches: number): Promise<void> => {
            let left = batches;
            const options = { since: new Date(day), allowedLateness: 2000, state, until: at(clock) };
            for await (const batch of pullSince(open, options)) {
              delivered.push(...batch.items.map((one) => one.protocolId));
              ({ state } = batch);
              if ((left -= 1) === 0) break;
            }
          };
          for (const [step, batches] of runs) {
            clock += step;
            await run(batches);
          }
          clock = 60_000;
          await run(0);
          await run(0);
          expect(delivered.toSorted()).toEqual(items.map(({ protocolId }) => protocolId).toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("pulls protocols and photos of the reference server", async () => {
    const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 12 } });
    const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
    const options = {
      since: "2020-01-01T00:00:00Z",
      allowedLateness: 1000,
      until: () => new Date("2030-01-01"),
    };
    let protocols = 0;
    for await (const { items } of pullSince(
      (query, call) => store.protocols.list("S-1", { ...query, limit: 5 }, call),
      options,
    ))
      protocols += items.length;
    expect(protocols).toBe(12);
    let photos = 0;
    for await (const { items } of pullSince((query, call) => store.photos.list("S-1", query, call), options))
      photos += items.length;
    expect(photos).toBeGreaterThan(0);
    expect(ref.journal.violations()).toEqual([]);
  });

  it("yields a batch when there is nothing new, and passes on its signal", async () => {
    const { open } = service("half-open", []);
    const batches: unknown[] = [];
    const options = { since: new Date(day), allowedLateness: 0, until: at(5) };
    for await (const { items } of pullSince(open, options)) batches.push(items);
    expect(batches).toEqual([[]]);
    const signal = AbortSignal.abort("enough");
    await expect(pull(open, { ...options, signal })).rejects.toBe("enough");
  });

  it("identifies items without an ID by their content, or by identify", async () => {
    const list = (item: object) => json({ externalId: "S-1", items: [item], nextCursor: null });
    let response: object = { a: 1, b: 2 };
    const { client } = stubClient(() => list(response));
    const open: OpenRange<object> = (query, options) => client.protocols.list("S-1", query, options);
    const options = { since: new Date(day), allowedLateness: 0, until: at(5000) };
    const run = async (more: Partial<PullOptions<object>>): Promise<[number, string]> => {
      let count = 0;
      let state = "";
      for await (const batch of pullSince(open, { ...options, ...more })) {
        count += batch.items.length;
        ({ state } = batch);
      }
      return [count, state];
    };
    const [first, state] = await run({});
    response = { b: 2, a: 1 };
    expect([first, (await run({ state }))[0]]).toEqual([1, 0]);
    const equalItems = stubClient(() =>
      json({ externalId: "S-1", items: [response, response], nextCursor: null }),
    );
    const openEqualItems: OpenRange<object> = (query, call) =>
      equalItems.client.protocols.list("S-1", query, call);
    await expect(pull(openEqualItems as OpenRange<Item>, options)).rejects.toThrow("set `identify`");
    await expect(run({ identify: () => "" })).rejects.toThrow("identify must return a non-empty string");
  });

  it("begins with the year 1 if allowedLateness goes back further", async () => {
    const { open, sent } = service("half-open", []);
    const { state } = await pull(open, { since: new Date(day), allowedLateness: 0, until: at(5) });
    await pull(open, { since: new Date(day), allowedLateness: Number.MAX_VALUE, until: at(9), state });
    expect(sent.at(-1)?.query["from"]).toBe("0001-01-01T00:00:00.000Z");
  });

  it("delivers items that are not objects, each once", async () => {
    const items = [null, 5, "a", [1], { protocolId: "P-1" }];
    const { client } = stubClient(() => json({ externalId: "S-1", items, nextCursor: null }));
    const open: OpenRange<object> = (query, call) => client.protocols.list("S-1", query, call);
    const options = { since: new Date(day), allowedLateness: 0 };
    const batches: object[][] = [];
    let state: string | undefined;
    for (const run of [1, 2]) {
      for await (const batch of pullSince(open, { ...options, state })) {
        batches.push(batch.items);
        ({ state } = batch);
      }
      expect(batches).toHaveLength(run);
    }
    expect(batches).toEqual([items, []]);
  });

  const good = { since: "2026-01-01T00:00:00Z", allowedLateness: 0 };
  it.each<[object, string]>([
    [{ ...good, since: "yesterday" }, "since must be a Date or an ISO 8601 date-time with an offset or Z"],
    [{ ...good, since: "2026-01-01T00:00:00" }, "since must be a Date or an ISO 8601 date-time"],
    [{ ...good, since: null }, "since must be a Date or an ISO 8601 date-time"],
    [{ ...good, until: () => new Date(Number.NaN) }, "until must return a valid Date"],
    [{ ...good, until: () => "2026-01-02T00:00:00Z" }, "until must return a valid Date"],
    [{ since: good.since }, "allowedLateness must be a number of ms of at least 0"],
    [{ ...good, allowedLateness: -1 }, "allowedLateness must be a number of ms of at least 0"],
    [{ ...good, allowedLateness: Infinity }, "allowedLateness must be a number of ms of at least 0"],
    [{ ...good, allowedLateness: "5" }, "allowedLateness must be a number of ms of at least 0"],
    [[], "pullSince: the options must be an object { since, allowedLateness }"],
    [{ ...good, lateness: 1 }, 'Unknown option "lateness". Expected one of state, since'],
    [{ ...good, identify: "id" }, "identify must be a function"],
    [{ ...good, until: new Date() }, "until must be a function"],
  ])("rejects %j, and sends nothing", async (options, message) => {
    const { open, sent } = service("half-open", []);
    const failure = pull(open, options as PullOptions<Item>).catch((error: unknown) => error);
    expect(await failure).toBeInstanceOf(ConfigurationError);
    expect(String(await failure)).toContain(message);
    expect(sent).toEqual([]);
  });

  it("rejects a first argument that is not a function", async () => {
    const batches = pullSince("protocols" as never, good);
    await expect(batches.next()).rejects.toThrow(
      new ConfigurationError("pullSince: the first argument must be a function that opens a list"),
    );
  });

  it.each(["protocolId", "photoId", "id"])(
    "delivers an item that is on two pages of a run once, by its %s",
    async (property) => {
      const pages = ["ab", "cd", "ae"];
      const { client } = stubClient((_, index) => {
        const items = Array.from(pages[index] ?? "", (id) => ({ [property]: id }));
        return json({ externalId: "S-1", items, nextCursor: index < 2 ? `${index}` : null });
      });
      const list = property === "photoId" ? client.photos : client.protocols;
      const open: OpenRange<object> = (query, options) => list.list("S-1", query, options);
      const batches: object[][] = [];
      // the list itself recognizes only items of the previous page
      for await (const { items } of pullSince(open, good)) batches.push(items);
      expect(batches.flat()).toEqual(Array.from("abcde").map((id) => ({ [property]: id })));
    },
  );

  it.each(["protocolId", "photoId", "id"])("recognizes a changed item by its %s", async (property) => {
    let content = "first";
    const items = (): object[] => [
      { [property]: "a", content },
      { [property]: "b", content: "same" },
    ];
    const { client } = stubClient(() => json({ externalId: "S-1", items: items(), nextCursor: null }));
    const open: OpenRange<object> = (query, options) => client.protocols.list("S-1", query, options);
    const delivered: object[][] = [];
    let state: string | undefined;
    for (content of ["first", "second"])
      for await (const batch of pullSince(open, { ...good, ...(state !== undefined && { state }) })) {
        delivered.push(batch.items);
        ({ state } = batch);
      }
    expect(delivered.map((batch) => batch.length)).toEqual([2, 1]);
    expect(delivered[1]).toEqual([{ [property]: "a", content: "second" }]);
  });

  const instant = "2026-01-01T00:00:00.000Z";
  const run = { from: instant, to: instant, resume: "t" };
  const goodState = { v: 1, run, end: instant, previous: [[1, 2]], current: [] };

  it("the state that the next test changes is good", async () => {
    const { open } = service("half-open", []);
    const failure = pull(open, { ...good, state: JSON.stringify(goodState) });
    await expect(failure).rejects.toThrow("resume: must be the `resume` of a page of this list");
    const between = JSON.stringify({ ...goodState, run: null });
    expect((await pull(open, { ...good, state: between })).ids).toEqual([]);
  });

  it.each([
    "",
    "{}",
    "null",
    "[]",
    5,
    ...[
      { v: 2 },
      { run: 1 },
      { run: {} },
      { run: { from: "x", to: instant, resume: "t" } },
      { run: { from: instant, to: 5, resume: "t" } },
      { run: { from: instant, to: instant, resume: null } },
      { run: [instant, instant, "t"] },
      { end: "x" },
      { end: Date.parse(instant) },
      { previous: {} },
      { previous: [1] },
      { previous: [[1]] },
      { previous: [[1, 2, 3]] },
      { previous: [[1, 0.5]] },
      { previous: [["1", 2]] },
      { previous: ["12"] },
      { previous: [[1, 2], null] },
      { current: null },
      { current: [[1, null]] },
    ].map((changes) => JSON.stringify({ ...goodState, ...changes })),
  ])("rejects the state %j", async (state) => {
    const { open, sent } = service("half-open", []);
    const failure = pull(open, { ...good, state: state as string });
    await expect(failure).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(failure).rejects.toThrow("state: must be the `state` of a batch of pullSince");
    expect(sent).toEqual([]);
  });
});
