// Kinds 4 and 5: what a wait is measured by, and whom it stops.
import { afterEach, describe, expect, it, vi } from "vitest";
import { tokenBucket } from "../../../src/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

afterEach(() => void vi.useRealTimers());

/** A service that responds with these responses in turn, and then with a store. */
function respondWith(...answers: readonly (readonly [number, Record<string, string>?])[]) {
  let count = 0;
  const served = serve(() => {
    const answer = answers[count];
    count += 1;
    return answer === undefined ? [200, storeRow(1)] : [answer[0], {}, answer[1] ?? {}];
  });
  return { ...served, open: (options: object = {}) => served.makeStore({ retry: 2, ...options }) };
}

describe("Retry-After", () => {
  it("of a 503 does not stop the other calls of the client", async () => {
    const { open, sent } = respondWith([503, { "retry-after": "20" }]);
    const store = open();
    const controller = new AbortController();
    const waiting = store.stores.get("S-001", { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    await store.stores.get("S-002");
    expect(sent).toHaveLength(2);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });
});

type Clock = "setTimeout" | "clearTimeout" | "performance" | "Date";

/** Settles a call while fake timers run; real ones get their turn as well. */
async function settle<T>(call: Promise<T>): Promise<T> {
  const progress = { isDone: false };
  void call.finally(() => {
    progress.isDone = true;
  });
  for (let step = 0; step < 50_000 && !progress.isDone; step += 1) {
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return call;
}

describe.each<[string, Clock[]]>([
  ["the timers (vitest 2, jest without performance)", ["setTimeout", "clearTimeout"]],
  ["performance", ["performance"]],
  ["Date", ["Date"]],
  ["timers and performance", ["setTimeout", "clearTimeout", "performance"]],
  ["timers and Date", ["setTimeout", "clearTimeout", "Date"]],
  ["performance and Date", ["performance", "Date"]],
  ["all", ["setTimeout", "clearTimeout", "performance", "Date"]],
])("fake timers that replace %s", (_, toFake) => {
  const retry = { limit: 2, maxDelay: 5 };

  it.each([
    [500, { retry }],
    [429, { retry }],
    [429, { retry, totalTimeout: 60_000 }],
  ])("let a call continue after %i with %j", async (status, options) => {
    vi.useFakeTimers({ toFake });
    const store = await settle(respondWith([status]).open(options).stores.get("S-001"));
    expect(store.externalId).toBe("S-001");
  });

  it("let the calls of a tokenBucket continue", async () => {
    vi.useFakeTimers({ toFake });
    const limiter = tokenBucket({ perSecond: 20, burst: 1 });
    const store = respondWith().open({ limiter });
    const calls = ["S-1", "S-2", "S-3"].map((id) => store.stores.get(id));
    expect(await settle(Promise.all(calls))).toHaveLength(3);
  });

  it("let a list continue", async () => {
    vi.useFakeTimers({ toFake });
    let count = 0;
    const { makeStore } = serve(() => {
      count += 1;
      return count === 1 ? [503, {}] : [200, { items: [storeRow(1)], nextCursor: null }];
    });
    expect(await settle(makeStore({ retry }).stores.list().toArray())).toHaveLength(1);
  });

  it("may be installed during a wait", async () => {
    const store = respondWith([429, { "retry-after": "0.02" }], [500]).open({
      limiter: tokenBucket({ perSecond: 20, burst: 1 }),
      retry: { limit: 2, maxDelay: 20 },
    });
    const call = Promise.all(["S-1", "S-2"].map((id) => store.stores.get(id)));
    await new Promise((resolve) => setImmediate(resolve));
    vi.spyOn(console, "warn").mockImplementation(() => {}); // a fake clearTimeout tells about timers of before
    vi.useFakeTimers({ toFake });
    expect(await settle(call)).toHaveLength(2);
    vi.restoreAllMocks();
  });
});

it("a time limit ends a call under fake timers that replace only the timers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const store = respondWith().open({ fetch: () => new Promise(() => {}), retry: 0 });
  const call = store.stores.get("S-1").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await call).toMatchObject({ name: "TimeoutError", after: 30_000 });
});
