import { describe, expect, it, vi } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { StoreClient } from "../../src/index.ts";
import { JobError, pull, type PullOptions } from "../../src/sync/index.ts";
import { type Answer, notFound, rejection, serve } from "./service.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const hour = 3_600_000;

interface Row {
  at: number;
  protocolId?: string;
  status?: string;
}

/** A service with the protocols of a test, three on a page. */
function protocols(
  rows: Row[],
  before: (path: string) => ReturnType<Parameters<typeof serve>[0]> | undefined = () => undefined,
) {
  return serve(({ path, query }) => {
    const special = before(path);
    if (special !== undefined) return special;
    const id = path.split("/")[4];
    if (id !== undefined) {
      const row = rows.find(({ protocolId }) => protocolId === id);
      return row ? [200, { ...row, images: [{ url: "x" }] }] : notFound;
    }
    const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
    const found = rows.filter(({ at }) => at >= from && at < to);
    const offset = Number(query.get("cursor") ?? 0);
    const nextCursor = offset + 3 < found.length ? String(offset + 3) : null;
    return [200, { externalId: "S-1", items: found.slice(offset, offset + 3), nextCursor }];
  });
}

/** Returns the batches of a pull, also if it ends with a `JobError`. */
async function* untilFailure<T>(batches: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
  }
}

/** Runs pulls one after the other, and remembers what they deliver and the state. */
function puller(store: StoreClient, changes: Partial<PullOptions> = {}) {
  const got: string[] = [];
  const failed: string[] = [];
  let state: string | undefined;
  const run = async (
    now: number,
    { stopAfter = Infinity, ...options }: Partial<PullOptions> & { stopAfter?: number } = {},
  ) => {
    const all = {
      since: new Date(start),
      allowedLateness: hour,
      until: () => new Date(now),
      onWarning: () => {},
      ...changes,
      ...options,
    };
    const batches =
      all.details === true
        ? pull(store.protocols, "S-1", { ...all, state, details: true })
        : pull(store.protocols, "S-1", { ...all, state, details: false });
    for await (const batch of untilFailure(batches)) {
      got.push(...batch.ids);
      failed.push(...batch.failed.map(({ error }) => error.message));
      state = batch.state;
      stopAfter -= 1;
      if (stopAfter === 0) return;
    }
  };
  return { got, failed, run, state: () => state };
}

/** What ends a run, because it concerns every request. */
const ends: [string, Answer][] = [
  ["401", [401, {}]],
  ["503", [503, {}]],
  ["a lost connection", new Error("reset")],
];

const row = (n: number, at = start + n * 600_000): Row => ({ protocolId: `P-${n}`, at });

describe("runs one after the other", () => {
  it("deliver each protocol of the reference server once, and those with a later status again", async () => {
    const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 40 } });
    const store = new StoreClient(ref.storeOptions);
    const { got, run } = puller(store, { since: "2025-11-01T00:00:00Z", limit: 7 });
    const now = ref.clock.now().getTime();
    await run(now);
    await run(now + 300_000);
    expect([got.length, new Set(got).size]).toEqual([40, 40]);
  });

  it.each([
    ["change", 62, {}],
    ["change in a part that `fingerprint` leaves out", 61, { fingerprint: ({ at }: { at?: unknown }) => at }],
  ])("deliver each item once while items appear late and %s", async (_, total, options) => {
    const rows = Array.from({ length: 60 }, (__, n) => row(n));
    const { store } = protocols(rows);
    const { got, run } = puller(store, options);
    await run(start + 8 * hour);
    const first = got.length;
    rows.push(row(900, start + 7.5 * hour));
    Object.assign(rows[46] ?? {}, { status: "completed" });
    rows[47] = { at: row(47).at, protocolId: "P-47" }; // in another order
    await run(start + 8.25 * hour);
    const changed = total === 62 ? ["P-46"] : [];
    expect(got.slice(first).toSorted()).toEqual([...changed, "P-48", "P-49", "P-900"]);
    await run(start + 12 * hour);
    expect(new Set(got).size).toBe(61);
    expect(got).toHaveLength(total);
  });

  it("deliver an item without ID once, with a hash as its ID", async () => {
    const rows: Row[] = [{ at: start + 2 * hour }, { at: start + 2.1 * hour }];
    const { store } = protocols(rows);
    const { got, run } = puller(store);
    await run(start + 2.5 * hour);
    await run(start + 2.75 * hour);
    expect(new Set(got).size).toBe(2);
    expect(got).toHaveLength(2);
    expect(got[0]).toMatch(/^[0-9a-z]{11}$/);
  });

  it("read everything again after the clock went back by more than the overlap: nothing is lost", async () => {
    const rows = [row(1)];
    const { store } = protocols(rows);
    const warnings: string[] = [];
    const { got, run } = puller(store, { onWarning: (message) => void warnings.push(message) });
    await run(start + 48 * hour); // the clock is two days ahead
    expect(warnings).toEqual([]);
    rows.push(row(2, start + 2 * hour));
    await run(start + 3 * hour);
    expect(warnings).toEqual([expect.stringMatching(/^pull of listProtocols: the clock went back/)]);
    expect(new Set(got)).toEqual(new Set(["P-1", "P-2"]));
  });

  it("deliver the items where two ranges of one run meet once, also if the service leaves out the ends", async () => {
    const now = start + 9 * hour;
    const rows = Array.from({ length: 41 }, (_, n) => row(n, now - hour - 15_000 + n * 500));
    const { store } = serve(({ query }) => {
      const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
      const items = rows.filter(({ at }) => at > from && at < to);
      return [200, { externalId: "S-1", items, nextCursor: null }];
    });
    const { got, run } = puller(store);
    await run(now);
    expect([got.length, new Set(got).size]).toEqual([41, 41]);
    await run(now + hour / 2);
    expect(got).toHaveLength(41);
  });

  it("are complete until their end after the last page, and before it until that of the last run", async () => {
    const { store, sent } = protocols(Array.from({ length: 5 }, (_, n) => row(n)));
    let state: string | undefined;
    const seen: [readonly string[], string][] = [];
    const onWarning = vi.fn<() => void>();
    for (const now of [start + hour, start + 2 * hour]) {
      const options = {
        since: new Date(start),
        allowedLateness: hour,
        until: () => new Date(now),
        onWarning,
      };
      for await (const batch of pull(store.protocols, "S-1", {
        ...options,
        state,
        limit: 3,
        details: true,
      })) {
        seen.push([batch.ids, batch.completeUntil.toISOString().slice(11, 16)]);
        expect(batch.items.every(({ images }) => Array.isArray(images))).toBe(true);
        state = batch.state;
      }
    }
    expect(seen).toEqual([
      [["P-0", "P-1", "P-2"], "00:00"],
      [["P-3", "P-4"], "00:00"],
      // the second pass
      [[], "00:00"],
      [[], "01:00"],
      // the second run
      ...[[], [], []].map((ids) => [ids, "01:00"]),
      [[], "02:00"],
    ]);
    const lists = sent.filter(({ path }) => path.endsWith("/protocols"));
    expect(lists.map(({ query }) => query.get("limit"))).toEqual(["3", "3", "2", "2", "3", "3", "2", "2"]);
    expect(onWarning).not.toHaveBeenCalled();
  });
});

describe("a program that is killed after any page", () => {
  it("has every protocol at the end", async () => {
    for (let pages = 1; pages < 22; pages += 1) {
      const rows = Array.from({ length: 60 }, (_, n) => row(n));
      const { store } = protocols(rows);
      const { got, run } = puller(store);
      await run(start + 9 * hour, { stopAfter: pages });
      rows.push(row(70, start + 9.5 * hour));
      await run(start + 10 * hour);
      await run(start + 11 * hour);
      expect([pages, new Set(got).size, got.length]).toEqual([pages, 61, 61]);
    }
  });
});

describe("details", () => {
  it("that cannot be read do not stop the others, and are read by a later run", async () => {
    let isDown = true;
    const rows = Array.from({ length: 9 }, (_, n) => row(n));
    const { store } = protocols(rows, (path) => (isDown && path.endsWith("/P-1") ? [500, {}] : undefined));
    const { got, failed, run } = puller(store, { details: true });
    await run(start + 10 * hour);
    expect([got.length, failed.length]).toEqual([8, 1]);
    expect(failed[0]).toMatch(/^P-1, details: .* 500/);
    await run(start + 20 * hour);
    expect([got.length, failed.length]).toEqual([8, 2]);
    isDown = false;
    await run(start + 30 * hour);
    expect(got.at(-1)).toBe("P-1");
    await run(start + 31 * hour);
    expect(got).toHaveLength(9);
  });

  it("of an item without ID are a failure of each run", async () => {
    const { store } = protocols([{ at: start + hour }]);
    const { got, failed, run } = puller(store, { details: true });
    await run(start + 2 * hour);
    await run(start + 2.5 * hour);
    const message = expect.stringContaining("identify: is needed: the item has no ID") as string;
    expect([got, new Set(failed)]).toEqual([[], new Set([message])]);
  });

  it("that could not be read in an interrupted run are read by the run that continues it", async () => {
    let isDown = true;
    const rows = Array.from({ length: 9 }, (_, n) => row(n));
    const { store } = protocols(rows, (path) => (isDown && path.endsWith("/P-1") ? [500, {}] : undefined));
    const { got, run } = puller(store, { details: true });
    await run(start + 10 * hour, { stopAfter: 2 });
    expect(got).not.toContain("P-1");
    isDown = false;
    await run(start + 10 * hour);
    expect(got.toSorted()).toEqual(rows.map(({ protocolId }) => protocolId));
  });

  it("that two runs do not find are given up", async () => {
    const { store, sent } = protocols([row(1), row(2)], (path) =>
      path.endsWith("/P-1") ? notFound : undefined,
    );
    const { failed, run } = puller(store, { details: true, verify: false });
    for (let n = 1; n <= 4; n += 1) await run(start + 10 * n * hour);
    expect(failed).toHaveLength(2);
    expect(sent.filter(({ path }) => path.endsWith("/P-1"))).toHaveLength(2);
  });

  it.each(ends.slice(0, 1))("that are rejected with %s end the run", async (_, answer) => {
    const { store } = protocols([row(1)], (path) => (path.endsWith("/P-1") ? answer : undefined));
    const { failed, run } = puller(store, { details: true });
    expect((await rejection(run(start + 10 * hour))).name).toBe("StoreApiError");
    expect(failed).toEqual([]);
  });

  it.each(ends.slice(1))("that are always rejected with %s do not stop the others", async (_, answer) => {
    const rows = Array.from({ length: 13 }, (__, n) => row(n + 10));
    const isSlow = (path: string) => /P-(1\d|2[01])$/.test(path);
    const { store } = protocols(rows, (path) => (isSlow(path) ? answer : undefined));
    const { got, failed, run } = puller(store, { details: true });
    await run(start + 10 * hour);
    rows.push(row(60));
    await run(start + 20 * hour);
    expect(got).toEqual(["P-22", "P-60"]);
    expect(new Set(failed.map((message) => message.slice(0, 15)))).toHaveLength(12);
  });

  it("of more than 1000 items that cannot be read end the run", async () => {
    const items = Array.from({ length: 1001 }, (_, n) => row(n, start + n));
    const { store } = serve(({ path }) =>
      path.endsWith("/protocols") ? [200, { externalId: "S-1", items, nextCursor: null }] : [500, {}],
    );
    const { failed, run } = puller(store, { details: true });
    const { message } = await rejection(run(start + hour));
    expect(message).toBe("P-1000, details: more than 1000 items could not be read");
    expect(failed).toEqual([]);
  });
});

describe("the details of an item that is not found", () => {
  it("are not given up if the operation finds no other item either", async () => {
    const { store, sent } = protocols([row(1)], (path) => (path.endsWith("/P-1") ? notFound : undefined));
    const { run } = puller(store, { details: true, verify: false });
    for (let n = 1; n <= 4; n += 1) await run(start + 10 * n * hour);
    expect(sent.filter(({ path }) => path.endsWith("/P-1"))).toHaveLength(4);
  });

  it("are given up if the operation still finds one that it has found before", async () => {
    const rows = [row(1), row(2)];
    const { store, sent } = protocols(rows, (path) => (path.endsWith("/P-1") ? notFound : undefined));
    const { run } = puller(store, { details: true, verify: false });
    for (let n = 1; n <= 4; n += 1) await run(start + 10 * n * hour);
    expect(sent.filter(({ path }) => path.endsWith("/P-2"))).toHaveLength(2);
  });
});

describe("a state", () => {
  it.each(ends)("whose position is answered with %s ends the run, and is kept", async (_, answer) => {
    let isDown = false;
    const rows = Array.from({ length: 9 }, (__, n) => row(n));
    const { store, sent } = protocols(rows, () => (isDown ? answer : undefined));
    const { got, run } = puller(store);
    await run(start + 2 * hour, { stopAfter: 1 });
    isDown = true;
    const before = sent.length;
    await rejection(run(start + 2 * hour));
    expect(sent).toHaveLength(before + 1);
    isDown = false;
    await run(start + 2 * hour);
    expect(got).toEqual(rows.map(({ protocolId }) => protocolId));
  });

  it("whose position is refused twice ends the run", async () => {
    const { store } = protocols(Array.from({ length: 9 }, (_, n) => row(n)));
    const { run, state } = puller(store);
    await run(start + 2 * hour, { stopAfter: 1 });
    const { store: broken, sent } = serve(() => [409, { error: { code: "x", message: "x" } }]);
    const options = {
      since: new Date(start),
      allowedLateness: hour,
      state: state(),
      until: () => new Date(start + hour),
    };
    expect(await rejection(pull(broken.protocols, "S-1", options).next())).toMatchObject({ status: 409 });
    expect(sent).toHaveLength(2);
  });
});
