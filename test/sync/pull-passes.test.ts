import { describe, expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { JobError, pull, type PullOptions } from "../../src/sync/index.ts";
import { addPage, firstPass, isSameAsBefore, nextPass } from "../../src/sync/passes.ts";
import { judgeSection } from "../../src/sync/pull-state.ts";
import { parseInstant } from "../../src/wire/instant.ts";
import { rejection, serve } from "./service.ts";

const hour = 3_600_000;
const start = Date.parse("2026-01-01T00:00:00Z");

interface Item {
  protocolId?: string;
  at: number;
}

/** Responds to the request with a number, from 1 on. */
type Before = (n: number, page: object) => object | undefined;

/** A service that shows its protocols; `before` can change the response to a request. */
function protocols(items: readonly Item[], before: Before = () => undefined) {
  let n = 0;
  return serve(({ query }) => {
    const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
    const found = items.filter(({ at }) => at >= from && at < to);
    const limit = Number(query.get("limit") ?? 100);
    const offset = Number(query.get("cursor") ?? 0);
    const nextCursor = offset + limit < found.length ? String(offset + limit) : null;
    const page = { externalId: "S-1", items: found.slice(offset, offset + limit), nextCursor };
    return [200, before((n += 1), page) ?? page];
  });
}

const items = Array.from({ length: 40 }, (_, n) => ({ protocolId: `P-${n}`, at: start + n * hour }));
const now = start + 40 * hour;

async function readAll(store: StoreClient, changes: Partial<PullOptions> = {}) {
  const ids: string[] = [];
  let state: string | undefined;
  const options = { since: new Date(start), allowedLateness: hour, until: () => new Date(now), limit: 10 };
  for await (const batch of pull(store.protocols, "S-1", { ...options, ...changes, details: false })) {
    ids.push(...batch.ids);
    ({ state } = batch);
  }
  return { ids, state };
}

const ids = items.map(({ protocolId }) => protocolId);

describe("a pull reads each range a second time", () => {
  it("with another page size, and with `verify: false` once", async () => {
    const { store, sent } = protocols(items);
    expect((await readAll(store)).ids.toSorted()).toEqual(ids.toSorted());
    const limits = sent.map(({ query }) => query.get("limit"));
    // the range that the next run reads again comes first
    expect(limits).toEqual(["10", "2", "10", "10", "10", "10", "8", "8", "8", "8", "8"]);
    await readAll(store, { verify: false });
    expect(sent).toHaveLength(limits.length + 5);
  });

  it.each<[string, Before]>([
    ["the response to the first range is repeated for the second one", repeatFirst(2)],
    ["the response to the first range is repeated for a later page", repeatFirst(4)],
    ["a page is empty once", (n, page) => (n === 3 ? { ...page, items: [] } : undefined)],
    [
      "a page is empty once, and says that it is the last one",
      (n, page) => (n === 3 ? { ...page, items: [], nextCursor: null } : undefined),
    ],
    [
      "a page lacks an item once",
      (n, page) => (n === 4 ? { ...page, items: (page as { items: object[] }).items.slice(1) } : undefined),
    ],
    [
      "a page of the second pass is empty",
      (n, page) => (n === 8 ? { ...page, items: [], nextCursor: null } : undefined),
    ],
  ])("so that nothing is lost if %s", async (_, before) => {
    const { store } = protocols(items, before);
    const result = await readAll(store);
    expect([...new Set(result.ids)].toSorted()).toEqual(ids.toSorted());
  });

  it("and ends with an error after five passes that differ; the next run reads the range again", async () => {
    let isOdd = false;
    const { store } = protocols(items, (_, page) => {
      isOdd = !isOdd;
      const all = (page as { items: Item[] }).items;
      return { externalId: "S-1", items: isOdd ? all.slice(1) : all, nextCursor: null };
    });
    let state: string | undefined;
    const options = { since: new Date(start), allowedLateness: hour, until: () => new Date(now) };
    const run = async () => {
      for await (const batch of pull(store.protocols, "S-1", options)) ({ state } = batch);
    };
    expect(await rejection(run())).toMatchObject({ name: "PaginationError" });
    expect((JSON.parse(state ?? "") as { run: { section: number } }).run).toMatchObject({
      section: 1,
      pass: firstPass,
    });
  });

  it("and continues in the second pass if it was killed there", async () => {
    for (let kill = 1; kill < 12; kill += 1) {
      const { store, sent } = protocols(items);
      const got: string[] = [];
      let state: string | undefined;
      const run = async (pages: number) => {
        const options = {
          since: new Date(start),
          allowedLateness: hour,
          until: () => new Date(now),
          limit: 10,
        };
        for await (const batch of pull(store.protocols, "S-1", { ...options, state })) {
          got.push(...batch.ids);
          ({ state } = batch);
          if ((pages -= 1) === 0) return;
        }
      };
      await run(kill);
      await run(99);
      expect([kill, got.toSorted()]).toEqual([kill, ids.toSorted()]);
      // a token checks its place with one more request
      expect(sent.length).toBeLessThan(14);
    }
  });
});

/** Answers the request with this number with the response to the first one. */
function repeatFirst(number: number): Before {
  let first: object | undefined;
  return (n, page) => {
    first ??= page;
    return n === number ? first : undefined;
  };
}

it("a response that is cached for the next request loses nothing of the reference server", async () => {
  const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 40 } });
  const store = new StoreClient({ ...ref.storeOptions, validate: "full" });
  let n = 0;
  let first: unknown;
  ref.on("listProtocols").change((response) => {
    n += 1;
    if (n === 1) first = response.body;
    return n === 2 ? { ...response, body: first } : undefined;
  });
  const got = new Set<string>();
  const options = { since: "2025-11-01T00:00:00Z", allowedLateness: hour, until: () => ref.clock.now() };
  for await (const batch of pull(store.protocols, "S-1", options)) for (const id of batch.ids) got.add(id);
  expect(got.size).toBe(40);
});

describe("an item that is no object", () => {
  it.each(["photos", "protocols"] as const)(
    "of %s is an error, and nothing of its page is delivered",
    async (part) => {
      const ref = createReferenceServer();
      const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
      ref.on(part === "photos" ? "listPhotos" : "listProtocols").change((response) => {
        const body = response.body as { items: unknown[] };
        return { ...response, body: { ...body, items: [null, "text", ...body.items] } };
      });
      const options = { since: "2025-12-01T00:00:00Z", allowedLateness: 0, until: () => ref.clock.now() };
      const got: unknown[] = [];
      const run = async () => {
        const source = store[part] as typeof store.photos;
        for await (const batch of pull(source, "S-1", options)) got.push(...batch.items);
      };
      expect((await rejection(run())).name).toMatch(/PaginationError|UnexpectedResponseError/);
      expect(got).toEqual([]);
    },
  );
});

describe("since", () => {
  const { store, sent } = protocols([]);
  const pullSince = (since: unknown) =>
    readAll(store, { since: since as string, until: () => new Date("2026-06-01T00:00:00Z") });

  it.each([
    "2025-10-26T02:30:00",
    "2025-10-26",
    "12/01/2025",
    "2025-02-30T00:00:00Z",
    "2025-04-31T00:00:00+02:00",
    "2025-13-01T00:00:00Z",
    "2025-01-01T25:00:00Z",
    "1",
    "",
    1_760_000_000_000,
    null,
    undefined,
    new Date(Number.NaN),
    "2999-01-01T00:00:00Z",
    new Date("2999-01-01T00:00:00Z"),
  ])("%s is refused before anything is sent", async (since) => {
    expect(await rejection(pullSince(since))).toMatchObject({
      name: "InvalidRequestError",
      issues: [{ path: "since" }],
    });
    expect(sent).toEqual([]);
  });

  it.each([
    ["2025-12-01T00:00:00Z", "2025-12-01T00:00:00.000Z"],
    ["2025-12-01T01:00:00+01:00", "2025-12-01T00:00:00.000Z"],
    ["2024-02-29T00:00:00.5z", "2024-02-29T00:00:00.500Z"],
    ["2025-12-01T00:00+0000", "2025-12-01T00:00:00.000Z"],
    [new Date("2025-12-01T00:00:00Z"), "2025-12-01T00:00:00.000Z"],
  ])("%s is an instant", (since, instant) => {
    expect(new Date(parseInstant(since) ?? 0).toISOString()).toBe(instant);
  });
});

describe("the functions of the user", () => {
  it.each<[string, Partial<PullOptions>]>([
    [
      "pull: identify must return a string that is not empty: it returned undefined",
      { identify: () => undefined as never },
    ],
    [
      "pull: identify must return a string that is not empty: it returned a promise",
      { identify: (async () => "x") as never },
    ],
    ["pull: fingerprint must return a JSON value: it returned undefined", { fingerprint: () => undefined }],
  ])("%s", async (message, options) => {
    const { store } = protocols(items);
    expect(await rejection(readAll(store, options))).toMatchObject({ message });
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("log");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("log");
      },
    ],
  ])("onWarning that %s changes nothing", async (_, onWarning) => {
    const { store } = protocols(items);
    const { state } = await readAll(store);
    const options = { state, onWarning, until: () => new Date(now - 30 * hour) } as Partial<PullOptions>;
    expect((await readAll(store, options)).ids.length).toBeGreaterThanOrEqual(0);
  });
});

it("a JobError of a pull names what is still missing, and not what a second pass has read", async () => {
  const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 9 } });
  const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
  ref.on("getProtocol").once({ status: 500 });
  const until = () => ref.clock.now();
  const options = {
    since: "2025-11-01T00:00:00Z",
    allowedLateness: 90 * 24 * hour,
    until,
    details: true,
  } as const;
  const got: string[] = [];
  for await (const batch of pull(store.protocols, "S-1", options)) got.push(...batch.ids);
  expect(new Set(got).size).toBe(9);
  ref.on("getProtocol").always({ status: 500 });
  const run = async () => {
    for await (const _ of pull(store.protocols, "S-1", options));
  };
  const error = (await rejection(run())) as JobError;
  expect(error).toBeInstanceOf(JobError);
  expect(error.failed).toHaveLength(9);
});

it.each([
  [1, false, false, "next"],
  [1, false, true, "again"],
  [2, true, true, "next"],
  [2, false, true, "again"],
  [5, false, true, "give up"],
])("pass %d over a range, the same as before %s, verify %s: %s", (turn, isSame, verify, verdict) => {
  const { now: before } = addPage(firstPass, ["a"]);
  const pass = { ...firstPass, turn, before, now: isSame ? before : firstPass.now };
  expect(judgeSection(pass, { from: 0, to: 1, isKept: false }, verify)).toBe(verdict);
});

it("a range that the next run reads again is read three times at most", () => {
  const { now: before } = addPage(firstPass, ["a"]);
  const verdicts = [2, 3].map((turn) =>
    judgeSection({ ...firstPass, turn, before }, { from: 0, to: 1, isKept: true }, true),
  );
  expect(verdicts).toEqual(["again", "next"]);
});

it("a pass is the same as the one before with the same items in any order, and another one without one of them", () => {
  const all = Array.from({ length: 1000 }, (_, n) => `P-${n}`);
  const before = addPage(firstPass, all);
  const isSame = (...pages: string[][]) =>
    isSameAsBefore(pages.reduce((pass, page) => addPage(pass, page), nextPass(before)));
  expect(isSame(all.slice(500), all.slice(0, 500))).toBe(true);
  expect(isSame([...all.slice(1), "P-1"])).toBe(false);
  expect(isSame(all.slice(1))).toBe(false);
  expect(Number.isSafeInteger(before.now.sum)).toBe(true);
});
