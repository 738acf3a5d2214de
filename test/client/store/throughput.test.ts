import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Limiter, TimeoutError, tokenBucket } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

const request = { operation: "getStore", call: 1, attempt: 1 };

/** Waits until all pending work that needs no timer is done. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("maxConcurrency", () => {
  it("starts as many waiting requests as have ended", async () => {
    const finish: (() => void)[] = [];
    const { client, sent } = stubClient(
      () => new Promise((resolve) => finish.push(() => resolve(json(store)))),
      { maxConcurrency: 2 },
    );
    const calls = ["A", "B", "C", "D"].map((id) => client.stores.get(id));
    await settle();
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["A", "B"]);
    finish[0]?.();
    finish[1]?.();
    await settle();
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["A", "B", "C", "D"]);
    finish[2]?.();
    finish[3]?.();
    expect(await Promise.all(calls)).toHaveLength(4);
  });

  it("starts no request in place of one that still runs if a call stops waiting", async () => {
    const { client, sent } = stubClient(() => new Promise(() => {}), { maxConcurrency: 1 });
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const get = (id: string, { signal }: AbortController) =>
      client.stores.get(id, { signal }).catch((error: unknown) => error);
    const calls = [get("A", first), get("B", second), get("C", third)];
    await settle();
    second.abort("enough");
    await settle();
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["A"]);
    first.abort("enough");
    await settle();
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["A", "C"]);
    third.abort("enough");
    expect(await Promise.all(calls)).toEqual(["enough", "enough", "enough"]);
  });

  it("is released by failures, and by an abort while waiting", async () => {
    let fail: (() => void) | undefined;
    const { client, sent } = stubClient(
      (_, index) =>
        index === 0
          ? new Promise((_resolve, reject) => {
              fail = () => reject(new TypeError("lost"));
            })
          : json(store),
      { maxConcurrency: 1, retry: 0 },
    );
    const first = client.stores.get("A");
    const caller = new AbortController();
    const second = client.stores.get("B", { signal: caller.signal });
    const third = client.stores.get("C");
    await vi.waitFor(() => expect(sent).toHaveLength(1), 30_000);
    caller.abort("enough");
    await expect(second).rejects.toBe("enough");
    fail?.();
    await expect(first).rejects.toThrow("lost");
    expect(await third).toEqual(store);
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["A", "C"]);
  });

  it("takes no permit of the limiter for a call that is aborted while its slot becomes free", async () => {
    for (let moment = 0; moment < 40; moment += 1) {
      let finish: (response: Response) => void = () => {};
      let permitsAfterEnd = 0;
      const acquire: Limiter["acquire"] = (_, { aborted }) => {
        if (aborted) permitsAfterEnd += 1;
      };
      const { client } = stubClient(
        (_, index) =>
          index > 0
            ? json(store)
            : new Promise((resolve) => {
                finish = resolve;
              }),
        { maxConcurrency: 1, limiter: { acquire } },
      );
      const caller = new AbortController();
      const first = client.stores.get("A");
      const second = client.stores.get("B", { signal: caller.signal }).catch((error: unknown) => error);
      await settle();
      finish(new Response(null, { status: 404 }));
      for (let step = 0; step < moment; step += 1) await Promise.resolve();
      caller.abort("enough");
      await expect(first).rejects.toMatchObject({ status: 404 });
      expect(await client.stores.get("C")).toEqual(store);
      await second;
      expect([moment, permitsAfterEnd]).toEqual([moment, 0]);
    }
  });

  it("allows a call whose token is replaced", async () => {
    const { client, sent } = stubClient((_, index) => json(store, { status: index === 0 ? 401 : 200 }), {
      maxConcurrency: 1,
      token: ({ refused }) => (refused === undefined ? "old-token" : "new-token"),
    });
    expect(await client.stores.get("A")).toEqual(store);
    expect(await client.stores.get("B")).toEqual(store);
    expect(sent).toHaveLength(3);
  });

  it("does not report a missing limiter after a 429", async () => {
    const onHookError = vi.fn<() => void>();
    const { client } = stubClient(() => json({}, { status: 429 }), {
      maxConcurrency: 1,
      retry: 0,
      hooks: { onHookError },
    });
    await expect(client.stores.get("A")).rejects.toMatchObject({ status: 429 });
    expect(onHookError).not.toHaveBeenCalled();
  });

  it("is not part of the timeout, but of the total timeout", async () => {
    const { client, sent } = stubClient(() => new Promise(() => {}), { maxConcurrency: 1, retry: 0 });
    const caller = new AbortController();
    const first = client.stores.get("A", { signal: caller.signal });
    await vi.waitFor(() => expect(sent).toHaveLength(1), 30_000);
    const late = await client.stores.get("B", { totalTimeout: 10 }).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(TimeoutError);
    expect(late).toMatchObject({ kind: "total" });
    caller.abort("done");
    await expect(first).rejects.toBe("done");
  });
});

describe("tokenBucket", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Acquires without end and keeps when. */
  function drain(limiter: ReturnType<typeof tokenBucket>, count: number): number[] {
    const times: number[] = [];
    const { signal } = new AbortController();
    const began = performance.now();
    for (let at = 0; at < count; at += 1)
      void Promise.resolve(limiter.acquire(request, signal)).then(() =>
        times.push(performance.now() - began),
      );
    return times;
  }

  it("lets a burst pass at once and then keeps the rate", async () => {
    const times = drain(tokenBucket({ perSecond: 10, burst: 3 }), 6);
    await vi.advanceTimersByTimeAsync(1000);
    expect(times).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it("has a burst of one second without one", async () => {
    const times = drain(tokenBucket({ perSecond: 2 }), 4);
    await vi.advanceTimersByTimeAsync(2000);
    expect(times).toEqual([0, 0, 500, 1000]);
  });

  it("fills up again in a pause, and never over its burst", async () => {
    const limiter = tokenBucket({ perSecond: 10, burst: 2 });
    drain(limiter, 2);
    await vi.advanceTimersByTimeAsync(60_000);
    const times = drain(limiter, 4);
    await vi.advanceTimersByTimeAsync(1000);
    expect(times).toEqual([0, 0, 100, 200]);
  });

  it("waits as long as the server asks, and a second if it does not say", async () => {
    const limiter = tokenBucket({ perSecond: 100, burst: 10 });
    void limiter.onThrottled?.(7000, request);
    const requested = drain(limiter, 1);
    await vi.advanceTimersByTimeAsync(6999);
    expect(requested).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requested).toEqual([7000]);
    void limiter.onThrottled?.(undefined, request);
    const withoutRetryAfter = drain(limiter, 1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(withoutRetryAfter).toEqual([1040]); // the last token is gone, and the rate has fallen
  });

  it("waits once for several responses that ask for the same wait", async () => {
    const limiter = tokenBucket({ perSecond: 1, burst: 1 });
    for (let response = 0; response < 3; response += 1) void limiter.onThrottled?.(10_000, request);
    const times = drain(limiter, 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toEqual([10_000]);
  });

  it("one request is sent at once after a wait that followed a pause", async () => {
    const limiter = tokenBucket({ perSecond: 1, burst: 2 });
    drain(limiter, 2);
    await vi.advanceTimersByTimeAsync(10_000);
    void limiter.onThrottled?.(5000, request);
    const times = drain(limiter, 2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toEqual([5000, 6112]); // the rate has fallen
  });

  it("a call that was aborted in the queue takes no permit, and leaves no listener and no timer", async () => {
    const limiter = tokenBucket({ perSecond: 1, burst: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    drain(limiter, 1);
    const waiting = [first, second].map(({ signal }) =>
      Promise.resolve(limiter.acquire(request, signal)).catch((error: unknown) => error),
    );
    const times = drain(limiter, 1);
    await vi.advanceTimersByTimeAsync(100);
    second.abort("second");
    first.abort("first");
    expect(vi.getTimerCount()).toBe(1); // of the last call
    expect(await Promise.all(waiting)).toEqual(["first", "second"]);
    await vi.advanceTimersByTimeAsync(900);
    expect(times).toEqual([1000]);
    expect(getEventListeners(second.signal, "abort")).toEqual([]);
  });

  it("leaves no listener on a signal after a wait", async () => {
    const limiter = tokenBucket({ perSecond: 1, burst: 1 });
    drain(limiter, 1);
    const { signal } = new AbortController();
    const waiting = limiter.acquire(request, signal);
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is a limiter of a client", async () => {
    const { client, sent } = stubClient(() => json(store), {
      limiter: tokenBucket({ perSecond: 1, burst: 2 }),
    });
    const calls = Promise.all(["A", "B", "C"].map((id) => client.stores.get(id)));
    await vi.advanceTimersByTimeAsync(900);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    await calls;
    expect(sent).toHaveLength(3);
  });
});
