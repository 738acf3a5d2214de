import { describe, expect, it } from "vitest";
import { type Limiter, Slots, TokenBucket, tokenBucket } from "../../../src/client/limiter.ts";
import type { Runtime } from "../../../src/client/time.ts";
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
    for (let step = 0; step < 50_000; step += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone()) return now;
      const [next] = [...timers.entries()].toSorted(([, a], [, b]) => a.at - b.at);
      if (next === undefined) throw new Error("nothing is left to happen");
      timers.delete(next[0]);
      now = Math.max(now, next[1].at);
      next[1].run();
    }
    throw new Error("the timers do not end");
  };
  return { runtime, timers, runUntil };
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
  interface Load {
    /** The time between two requests that the program sends, in ms; 0 sends as fast as the bucket allows. */
    every?: number;
    /** The wait that a 429 names, in ms; undefined if the request is accepted. `count` is its number in its second. */
    refuse?: (count: number, second: number) => number | undefined;
    /** The time from a request to its response, in ms. */
    after?: number;
  }

  /** Returns the number of requests that a bucket lets through in each second; `9×3` is 9 in three seconds. */
  function requestsOf(create: (runtime: Runtime) => Limiter, seconds: number, load: Load): string {
    const { every = 0, refuse, after = 0 } = load;
    let now = 0;
    const runtime = { ...virtualTime().runtime, performance: { now: () => now } };
    const bucket = create(runtime);
    const counts = Array.from({ length: seconds }, () => 0);
    const responses: { at: number; tell: () => void }[] = [];
    for (; now < seconds * 1000; now += every || 1) {
      for (const { at, tell } of responses) if (at === now) tell();
      const second = Math.floor(now / 1000);
      for (let sent = 0; sent < (every === 0 ? 500 : 1); sent += 1) {
        const request = { operation: "getStore", call: now, attempt: 1 };
        if (bucket.tryAcquire?.(request) !== true) break;
        const count = (counts[second] ?? 0) + 1;
        counts[second] = count;
        const wait = refuse?.(count, second);
        if (wait === undefined) continue;
        const tell = () => bucket.onThrottled?.(wait === 1 ? undefined : wait, request);
        if (after === 0) tell();
        else responses.push({ at: now + after, tell });
      }
    }
    return counts
      .join(" ")
      .replaceAll(/\b(\d+)(?: \1\b)+/g, (run, count: string) => `${count}×${run.split(" ").length}`);
  }

  const limited = (perSecond: number, burst?: number) => (runtime: Runtime) =>
    tokenBucket({ perSecond, burst, runtime });
  const briefly = (runtime: Runtime) => new TokenBucket({ perSecond: 10, burst: 3, maxPause: 1500, runtime });
  const unlimited = (runtime: Runtime) =>
    new TokenBucket({ perSecond: Infinity, burst: Infinity, maxPause: 30_000, runtime });
  const once = (at: number, wait: number) => (count: number, second: number) =>
    second === 2 && count === at ? wait : undefined;

  it.each<[string, (runtime: Runtime) => Limiter, number, Load, string]>([
    ["the burst and then the rate", limited(10, 3), 4, {}, "12 10×3"],
    ["the rate as burst", limited(2.5), 4, {}, "5 2 3 2"],
    ["the burst after an idle time", limited(4, 6), 8, { every: 600 }, "2×2 1 2×2 1 2×2"],
    ["nothing during a pause", limited(10, 3), 12, { refuse: once(5, 4000) }, "12 10 5 0×3 5 9×2 10×3"],
    ["nothing for maxPause at most", briefly, 8, { refuse: once(5, 4000) }, "12 10 5 0 8×2 9×2"],
    ["nothing for a second by default", limited(10, 3), 8, { refuse: once(5, 1) }, "12 10 5 4 8×2 9×2"],
    [
      "less after a 429, then more",
      limited(100, 2),
      12,
      { refuse: once(3, 0) },
      "101 100 69 72 76 77 84 86 91 94 100×2",
    ],
    [
      "about as much as a service accepts",
      limited(100, 2),
      16,
      { refuse: (count) => (count > 30 ? 1 : undefined) },
      "31×2 3 29 30 31 0 26×2 28 29 31 0 25 26 27",
    ],
    [
      "half as much after many that were refused together",
      limited(20, 10),
      8,
      { refuse: (count, second) => (second === 2 && count < 9 ? 0 : undefined), after: 300 },
      "29 20 14 10 11 12×3",
    ],
    [
      "0.1 per second at least",
      limited(0.4, 1),
      30,
      { refuse: (_, second) => (second < 25 ? 0 : undefined) },
      "1 0×3 1 0×6 1 0×7 1 0×7 1 0×2",
    ],
    [
      "everything until the first 429",
      unlimited,
      12,
      { every: 10, refuse: (count, second) => (second > 1 && count > 30 ? 1 : undefined) },
      "100×2 31×2 3 31 1 20×2 24 25×2",
    ],
    [
      "everything again after some time",
      unlimited,
      13,
      { every: 20, refuse: once(1, 0), after: 20 },
      "50×2 26 25×7 45 50×2",
    ],
  ])("sends %s", (_, create, seconds, load, expected) => {
    expect(requestsOf(create, seconds, load)).toBe(expected);
  });

  it("lets fifty calls that wait for the end of a pause follow one after the other", async () => {
    const { runtime, runUntil } = virtualTime();
    const limiter = unlimited(runtime);
    const { signal } = new AbortController();
    const requests = Array.from({ length: 50 }, (__, call) => ({ operation: "getStore", call, attempt: 1 }));
    for (const request of requests) expect(limiter.tryAcquire?.(request)).toBe(true);
    for (const request of requests) limiter.onThrottled?.(2000, request);
    const times: number[] = [];
    for (const request of requests)
      void Promise.resolve(limiter.acquire({ ...request, attempt: 2 }, signal)).then(() =>
        times.push(runtime.performance.now()),
      );
    await runUntil(() => times.length === 50);
    expect(times[0]).toBe(2000);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...waits)).toBeGreaterThan(50);
    expect(times.at(-1)).toBeLessThan(10_000);
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

  it("has no timer after the request that waited was aborted", async () => {
    const { runtime, timers } = virtualTime();
    const bucket = tokenBucket({ perSecond: 1, runtime });
    const request = { operation: "getStore", call: 1, attempt: 1 };
    const controller = new AbortController();
    await bucket.acquire(request, controller.signal);
    const waiting = bucket.acquire({ ...request, call: 2 }, controller.signal);
    expect(timers.size).toBe(1);
    controller.abort(new Error("the user has left"));
    await expect(waiting).rejects.toThrow("the user has left");
    expect(timers.size).toBe(0);
  });

  it("refuses a rate that is no number above 0", () => {
    for (const perSecond of [0, -1, Infinity, Number.NaN, undefined as never])
      expect(() => tokenBucket({ perSecond })).toThrow("perSecond must be a number above 0");
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
  it("limits the requests in flight, and passes slots on in order", async () => {
    const slots = new Slots(2);
    expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false]);
    const order: number[] = [];
    const { signal } = new AbortController();
    void slots.acquire(false, signal).then(() => order.push(1));
    void slots.acquire(true, signal).then(() => order.push(2));
    slots.release();
    slots.release();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([2, 1]);
    expect(slots.tryAcquire()).toBe(false);
    for (let count = 0; count < 2; count += 1) slots.release();
    expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false]);
    await expect(slots.acquire(false, AbortSignal.abort("enough"))).rejects.toBe("enough");
    slots.release();
    expect(slots.tryAcquire()).toBe(true);
  });
});
