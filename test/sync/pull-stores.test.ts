import { describe, expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { JobError, pullStores, type PullStoresOptions, type PullStoresResult } from "../../src/sync/index.ts";
import { type Answer, memorySink, notFound, type Received, rejection, serve, storeRow } from "./service.ts";

const since = "2026-01-01T00:00:00Z";
let now = Date.parse("2026-02-01T00:00:00Z");
class Clock extends Date {
  static override now = () => (now += 1000);
}
const runtime = { ...globalThis, Date: Clock } as typeof globalThis;

/** The ID of the store in a path such as `/stores/S-001/protocols`. */
const storeOf = ({ path }: Received): string | undefined => /^\/stores\/([^/]+)\/protocols$/.exec(path)?.[1];

/** A service with stores, each with one protocol, and what it answers instead. */
function world(count: number, answer: (request: Received) => Answer | undefined = () => undefined) {
  const rows = Array.from({ length: count }, (_, index) => storeRow(index + 1));
  const service = serve((request) => {
    const other = answer(request);
    if (other !== undefined) return other;
    if (request.path === "/stores") return [200, { items: rows, nextCursor: null }];
    const id = storeOf(request);
    if (id !== undefined) {
      const protocol = { protocolId: `P-${id}`, status: "completed", createdAt: "2026-01-15T00:00:00Z" };
      return [200, { items: [protocol], nextCursor: null }];
    }
    const found = rows.find(({ externalId }) => request.path === `/stores/${externalId}`);
    return found === undefined ? notFound : [200, found];
  });
  const { db, sink, ids } = memorySink("protocols");
  const warnings: string[] = [];
  const run = (options: Partial<PullStoresOptions> = {}) =>
    pullStores(service.store, "protocols", sink, {
      since,
      allowedLateness: 60_000,
      concurrency: 1,
      runtime,
      onWarning: (message) => warnings.push(message),
      ...options,
    });
  /** The stores whose protocols were read, in the order of their first request. */
  const read = () => [...new Set(service.sent.map(storeOf).filter((id) => id !== undefined))];
  return { ...service, rows, db, sink, ids, warnings, run, read };
}

const ofStore = (id: string, answer: Answer) => (request: Received) =>
  storeOf(request) === id ? answer : undefined;
const failed = async (job: Promise<unknown>) => (await rejection(job)) as JobError<PullStoresResult>;

describe("pullStores", () => {
  it("saves the items of each store of the list, and nothing new in a second run", async () => {
    const its = world(3);
    const counts = { stores: 3, skipped: 0, withoutExternalId: 0 };
    expect(await its.run()).toEqual({ ...counts, items: 3 });
    expect(its.ids()).toEqual(["S-001/P-S-001", "S-002/P-S-002", "S-003/P-S-003"]);
    expect(await its.run()).toEqual({ ...counts, items: 0 });
  });

  it("reads the given stores only, each once", async () => {
    const its = world(3);
    expect(await its.run({ stores: ["S-003", "S-001", "S-003"] })).toMatchObject({ stores: 2, items: 2 });
    expect(its.sent.filter(({ path }) => path === "/stores")).toEqual([]);
    expect(its.read()).toEqual(["S-003", "S-001"]);
  });

  it("pulls photos, and details of protocols", async () => {
    const ref = createReferenceServer({ now: "system", store: { stores: 3, protocolsPerStore: 2 } });
    const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
    const options = { since: new Date(Date.now() - 40 * 86_400_000), allowedLateness: 3_600_000 };
    const { sink, data } = memorySink("protocols");
    expect(await pullStores(store, "protocols", sink, { ...options, details: true })).toMatchObject({
      items: 6,
    });
    expect((data() as { images: unknown }[]).every(({ images }) => Array.isArray(images))).toBe(true);
    const photos = memorySink("photos");
    const { items } = await pullStores(store, "photos", photos.sink, options);
    expect(photos.ids()).toHaveLength(items);
    expect(items).toBeGreaterThan(3);
    const error = await rejection(pullStores(store, "photos", photos.sink, { ...options, details: true }));
    expect(error).toMatchObject({ name: "ConfigurationError", message: "pull: only protocols have details" });
  });

  it("begins with the store whose last run began first", async () => {
    const its = world(4);
    await its.run({ stores: ["S-002"] });
    await its.run({ stores: ["S-004"] });
    await its.run({ stores: ["S-001"] });
    its.sent.length = 0;
    await its.run();
    expect(its.read()).toEqual(["S-003", "S-002", "S-004", "S-001"]);
  });

  it("counts the last run of protocols and that of photos separately", async () => {
    const its = world(2);
    const options = { since, allowedLateness: 0, stores: ["S-001"], runtime };
    const photos = await failed(pullStores(its.store, "photos", its.sink, options));
    expect(photos.failed).toHaveLength(1);
    its.sent.length = 0;
    await its.run();
    expect(its.read()).toEqual(["S-001", "S-002"]);
  });

  it("counts the stores without external ID, and names them once", async () => {
    const its = world(2);
    its.rows.push(storeRow(8, { externalId: null }), storeRow(9, { externalId: null }));
    expect(await its.run()).toMatchObject({ stores: 2, withoutExternalId: 2 });
    expect(its.warnings).toEqual([
      expect.stringMatching(/^pullStores: 2 stores without external ID .*000000000008, .*000000000009$/),
    ]);
  });

  it("gives a warning about a clock once, although each store has it", async () => {
    const its = world(3);
    const late = serve((request) => {
      const isList = request.path === "/stores";
      const items = isList ? its.rows : [];
      const date = { date: new Date(now - 3_600_000).toUTCString() };
      return [200, { items, nextCursor: null }, date];
    });
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    await pullStores(late.store, "protocols", its.sink, { since, allowedLateness: 0, runtime, onWarning });
    expect(warnings).toEqual([expect.stringContaining("the clock of the service is 60 minutes behind")]);
  });

  it("is not disturbed by an onWarning that throws", async () => {
    const its = world(1);
    its.rows.push(storeRow(9, { externalId: null }));
    const onWarning = () => {
      throw new Error("disk full");
    };
    expect(await its.run({ onWarning })).toMatchObject({ stores: 1 });
  });

  it("reads its options at the call", async () => {
    const its = world(2);
    const stores = ["S-001"];
    const start = new Date(since);
    const job = its.run({ stores, since: start });
    stores.push("S-002");
    start.setFullYear(2030);
    expect(await job).toMatchObject({ stores: 1, items: 1 });
  });
});

describe("a store that", () => {
  it("was deleted meanwhile is skipped", async () => {
    const its = world(3, (request) => (/S-002/.test(request.path) ? notFound : undefined));
    expect(await its.run()).toMatchObject({ stores: 2, skipped: 1, items: 2 });
  });

  it("exists although its list says 404 has failed", async () => {
    const its = world(3, ofStore("S-002", notFound));
    const error = await failed(its.run());
    expect(error.failed).toMatchObject([{ id: "S-002", error: { code: "not_found", part: "protocols" } }]);
    expect(error.results).toMatchObject({ stores: 2, skipped: 0 });
  });

  it("was given and never existed has failed: its ID may be misspelt", async () => {
    const its = world(1, ofStore("S-009", notFound));
    expect((await failed(its.run({ stores: ["S-009"] }))).failed).toMatchObject([{ id: "S-009" }]);
  });

  it("was given, was read before and was deleted is skipped", async () => {
    let isDeleted = false;
    const its = world(1, () => (isDeleted ? notFound : undefined));
    await its.run();
    isDeleted = true;
    expect(await its.run({ stores: ["S-001"] })).toMatchObject({ stores: 0, skipped: 1 });
  });

  it("got another external ID is read from the start under its new one", async () => {
    const its = world(2);
    await its.run();
    its.rows[1] = storeRow(2, { externalId: "NEW" });
    expect(await its.run()).toMatchObject({ stores: 2, items: 1 });
    expect(its.ids()).toContain("NEW/P-NEW");
  });

  it("fails once is tried again at the end", async () => {
    let count = 0;
    const its = world(3, (request) =>
      storeOf(request) === "S-001" && (count += 1) === 1 ? [500] : undefined,
    );
    expect(await its.run()).toMatchObject({ stores: 3, items: 3 });
  });

  it("always fails does not stop the others", async () => {
    const its = world(5, ofStore("S-002", [500]));
    const error = await failed(its.run());
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({
      job: "pullStores",
      retryable: true,
      results: { stores: 4, items: 4 },
    });
    expect(error.message).toMatch(/^pullStores: 1 failed: S-002, protocols: .*500/);
  });

  it("has details that cannot be read has failed, and names them", async () => {
    const its = world(2, ({ path }) => (/\/protocols\//.test(path) ? [422] : undefined));
    const error = await failed(its.run({ details: true }));
    expect(error.failed.map(({ id }) => id)).toEqual(["S-001", "S-002"]);
    expect(error.message).toContain("S-001, protocols: pull: 1 failed: P-S-001, details: ");
  });
});

describe("an error that concerns all stores ends the job at once, as itself:", () => {
  it("a token that is revoked", async () => {
    let count = 0;
    const its = world(9, (request) =>
      storeOf(request) !== undefined && (count += 1) > 4 ? [401] : undefined,
    );
    expect(await rejection(its.run())).toMatchObject({ name: "StoreApiError", status: 401 });
    expect(count).toBe(5);
  });

  it("an outage before the list of stores was read", async () => {
    expect(await rejection(world(3, () => [503]).run())).toMatchObject({ status: 503, retryable: true });
  });

  it("a failure of the sink, which also ends the stores that are being read", async () => {
    const its = world(9);
    const { saveBatch } = its.sink;
    let saved = 0;
    its.sink.saveBatch = (...values) => {
      if ((saved += 1) > 3) throw new Error(`disk full ${saved}`);
      return saveBatch(...values);
    };
    expect((await rejection(its.run({ concurrency: 4 }))).message).toBe("disk full 4");
    expect(saved).toBe(4);
  });

  it.each([
    ["since", { since: "2026-01-01" }, "InvalidRequestError"],
    ["allowedLateness", { allowedLateness: -1 }, "ConfigurationError"],
    ["concurrency", { concurrency: 0 }, "ConfigurationError"],
    ["stores", { stores: ["S-1", ""] }, "InvalidRequestError"],
  ])("a wrong option %s, with which no store is read", async (_, options, name) => {
    const its = world(3);
    expect(await rejection(its.run(options))).toMatchObject({ name });
    expect(its.read()).toEqual([]);
  });

  it.each([
    ["before the call", 0],
    ["during the list of stores", 1],
    ["during a store", 4],
  ])("a signal that is aborted %s", async (_, after) => {
    const stop = new AbortController();
    const reason = { why: "stopped" };
    let count = 0;
    const its = world(9, () => {
      if ((count += 1) >= after) stop.abort(reason);
      return undefined;
    });
    if (after === 0) stop.abort(reason);
    expect(await rejection(its.run({ signal: stop.signal, concurrency: 4 }))).toBe(reason);
    expect(count).toBeLessThan(after + 4);
  });
});

describe("a service that is down during the run", () => {
  const outage = (request: Received): Answer | undefined =>
    storeOf(request) === undefined ? undefined : [503];

  it("ends it after ten stores in a row, as itself, and the next run begins with the others", async () => {
    const its = world(25, outage);
    expect(await rejection(its.run())).toMatchObject({ name: "StoreApiError", status: 503, retryable: true });
    const ids = its.rows.map(({ externalId }) => externalId);
    expect(its.read()).toEqual(ids.slice(0, 10));
    its.sent.length = 0;
    await rejection(its.run());
    expect(its.read()).toEqual(ids.slice(10, 20));
  });

  it("does not end it if stores succeed in between", async () => {
    const isOdd = (id = "") => Number(id.slice(2)) % 2 === 1;
    const its = world(60, (request) => (isOdd(storeOf(request)) ? [500] : undefined));
    const error = await failed(its.run());
    expect(error.results).toMatchObject({ stores: 30 });
    expect(error.failed).toHaveLength(30);
  });
});
