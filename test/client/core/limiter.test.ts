import { describe, expect, it } from "vitest";
import { type Limiter, Places, tokenBucket } from "../../../src/client/limiter.ts";
import { byId, createSmallApi, json, route, store, stubFetch, virtualRuntime } from "./small-api.ts";

/** Virtual time: timers run in order, each when everything before it has settled. */
function virtualTime() {
  let now = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  const runtime = {
    setTimeout(run: () => void, delay: number) {
      const timer = {};
      timers.set(timer, { at: now + delay, run });
      return timer;
    },
    clearTimeout: (timer: unknown) => void timers.delete(timer as object),
    performance: { now: () => now },
    Date: { now: () => now },
    Math: { random: () => 0.5 },
  };
  const runUntil = async (isDone: () => boolean): Promise<number> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone()) return now;
      const [next] = [...timers.entries()].toSorted(([, a], [, b]) => a.at - b.at);
      if (next === undefined) throw new Error("nothing is left to happen");
      timers.delete(next[0]);
      now = Math.max(now, next[1].at);
      next[1].run();
    }
  };
  return { runtime, runUntil };
}

/** A service that accepts some requests per second, in a token bucket, and takes 20 ms for each. */
function limitedService(perSecond: number, runtime: ReturnType<typeof virtualTime>["runtime"]) {
  let tokens = perSecond;
  let filled = 0;
  const counts = { accepted: 0, refused: 0 };
  const fetch = async () => {
    const now = runtime.performance.now();
    tokens = Math.min(perSecond, tokens + ((now - filled) * perSecond) / 1000);
    filled = now;
    const isAccepted = tokens >= 1;
    if (isAccepted) tokens -= 1;
    counts[isAccepted ? "accepted" : "refused"] += 1;
    await new Promise<void>((resolve) => void runtime.setTimeout(resolve, 20));
    return isAccepted ? json(store) : json({}, 429, { "retry-after": "1" });
  };
  return { fetch: fetch as never, counts };
}

describe("a client that sends twice as fast as the service accepts", () => {
  it.each([5, 20, 100])(
    "ends in 1.3 times the ideal time at %i per second, and no call is rejected",
    async (perSecond) => {
      const { runtime, runUntil } = virtualTime();
      const { fetch, counts } = limitedService(perSecond, runtime);
      const { http } = createSmallApi({ fetch, runtime });
      const total = perSecond * 40;
      let settled = 0;
      let failed = 0;
      let sent = 0;
      const sendNext = (): void => {
        if (sent === total) return;
        sent += 1;
        http.GET(route, byId).then(
          () => void (settled += 1),
          () => void (failed += 1),
        );
        runtime.setTimeout(sendNext, 500 / perSecond);
      };
      sendNext();
      const end = await runUntil(() => settled + failed === total);
      expect(failed).toBe(0);
      expect(counts.accepted).toBe(total);
      expect(end / 1000).toBeLessThan(1.3 * (total / perSecond));
    },
  );
});

describe("tokenBucket", () => {
  it("sends a burst at once and then the rate", async () => {
    const { runtime, runUntil } = virtualTime();
    const limiter = tokenBucket({ perSecond: 10, burst: 3, runtime });
    const times: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1)
      void Promise.resolve(
        limiter.acquire({ operation: "", call: attempt, attempt: 1 }, new AbortController().signal),
      ).then(() => times.push(runtime.performance.now()));
    await runUntil(() => times.length === 6);
    expect(times).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it("gives retries priority over new calls", async () => {
    const { runtime, runUntil } = virtualTime();
    const limiter = tokenBucket({ perSecond: 1, burst: 1, runtime });
    const order: string[] = [];
    const wait = (name: string, attempt: number): void =>
      void Promise.resolve(
        limiter.acquire({ operation: "", call: 1, attempt }, new AbortController().signal),
      ).then(() => order.push(name));
    wait("first", 1);
    wait("new", 1);
    wait("retry", 2);
    await runUntil(() => order.length === 3);
    expect(order).toEqual(["first", "retry", "new"]);
  });

  it("forgets who was aborted", async () => {
    const { runtime, runUntil } = virtualTime();
    const limiter = tokenBucket({ perSecond: 1, burst: 1, runtime });
    const controller = new AbortController();
    const request = { operation: "", call: 1, attempt: 1 };
    await limiter.acquire(request, controller.signal);
    const aborted = Promise.resolve(limiter.acquire(request, controller.signal));
    const other = Promise.resolve(limiter.acquire(request, new AbortController().signal));
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    let isDone = false;
    void other.then(() => (isDone = true));
    expect(await runUntil(() => isDone)).toBe(1000);
  });

  it("pauses after a 429, at most for maxPause", async () => {
    const { runtime, runUntil } = virtualTime();
    const limiter = tokenBucket({ perSecond: 10, maxPause: 5000, runtime });
    const request = { operation: "", call: 1, attempt: 1 };
    await limiter.acquire(request, new AbortController().signal);
    limiter.onThrottled?.(60_000, request);
    let isDone = false;
    void Promise.resolve(limiter.acquire({ ...request, call: 2 }, new AbortController().signal)).then(
      () => (isDone = true),
    );
    expect(await runUntil(() => isDone)).toBe(5000);
  });
});

it("a limiter of the user is asked before each request, and told about each 429", async () => {
  const { runtime, waits } = virtualRuntime();
  const events: unknown[] = [];
  const limiter: Limiter = {
    acquire: (request) => void events.push(request),
    onThrottled: (after, request) => void events.push(after, request),
  };
  const { fetch } = stubFetch(json({}, 429), json({}, 429), json(store));
  await createSmallApi({ fetch, runtime, limiter }).http.GET(route, byId);
  const [first, second, third] = [1, 2, 3].map((attempt) => ({ operation: "getStore", call: 1, attempt }));
  expect(events).toEqual([first, undefined, first, second, undefined, second, third]);
  expect(waits).toEqual([300, 600]);
});

describe("maxConcurrency", () => {
  it("limits the requests in flight, and passes places on in order", async () => {
    const places = new Places(2);
    expect([places.tryAcquire(), places.tryAcquire(), places.tryAcquire()]).toEqual([true, true, false]);
    const order: number[] = [];
    const { signal } = new AbortController();
    void places.acquire(false, signal).then(() => order.push(1));
    void places.acquire(true, signal).then(() => order.push(2));
    places.release();
    places.release();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([2, 1]);
  });
});

it("a bucket has no timer after the request that waited was aborted", async () => {
  const { runtime } = virtualTime();
  const timers = new Set<unknown>();
  const counted = {
    ...runtime,
    setTimeout: (run: () => void, delay: number) => {
      const timer = runtime.setTimeout(run, delay);
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer: unknown) => void timers.delete(timer),
  };
  const bucket = tokenBucket({ perSecond: 1, runtime: counted });
  const request = { operation: "getStore", call: 1, attempt: 1 };
  const controller = new AbortController();
  await bucket.acquire(request, controller.signal);
  const waiting = bucket.acquire({ ...request, call: 2 }, controller.signal);
  controller.abort(new Error("the user has left"));
  await expect(waiting).rejects.toThrow("the user has left");
  expect(timers.size).toBe(0);
});
