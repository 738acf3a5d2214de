import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  StoreApiError,
  StoreClient,
  type StoreClientOptions,
  tokenBucket,
} from "../../../src/client/store/index.ts";
import { json, type Responder } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

beforeEach(() => vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => vi.useRealTimers());

interface Service {
  perSecond: number;
  /** The requests that it accepts at once after a pause. */
  burst?: number;
  retryAfter?: "seconds" | "none";
  /** The time of a response in ms. */
  latency?: number;
}

/** A service with a rate limit, in the time of the fake timers. */
function limitedService({ perSecond, burst = perSecond, retryAfter = "seconds", latency = 20 }: Service) {
  const counts = { accepted: 0, refused: 0 };
  let tokens = burst;
  let at = performance.now();
  const respond: Responder = async () => {
    await new Promise((resolve) => void setTimeout(resolve, latency));
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - at) * perSecond) / 1000);
    at = now;
    if (tokens >= 1 - 1e-6) {
      tokens -= 1;
      counts.accepted += 1;
      return json(store);
    }
    counts.refused += 1;
    const wait = String(Math.ceil((1 - tokens) / perSecond));
    return json({}, { status: 429, headers: retryAfter === "none" ? {} : { "retry-after": wait } });
  };
  return { respond, counts };
}

/** Lets the time pass until a promise is settled. */
async function advanceUntil(promise: Promise<unknown>): Promise<void> {
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  while (!state.isSettled) await vi.advanceTimersByTimeAsync(1000);
}

/** Makes calls at once; returns the time in seconds until all are done, and the number of rejected ones. */
async function callMany(clients: readonly StoreClient[], times: number) {
  const began = performance.now();
  let rejected = 0;
  let ended = began;
  const calls = clients.flatMap((client) =>
    Array.from({ length: times }, (_, index) =>
      client.stores.get(`S-${index}`).then(
        () => {
          ended = performance.now();
        },
        () => {
          rejected += 1;
        },
      ),
    ),
  );
  await advanceUntil(Promise.all(calls));
  return { seconds: (ended - began) / 1000, rejected };
}

/** The shortest time in seconds in which the service can accept so many requests. */
function ideal({ perSecond, burst = perSecond }: Service, requests: number): number {
  return Math.max(0, requests - burst) / perSecond;
}

describe("the rate of a client", () => {
  it.each<Service & { guess?: number; calls: number; most: number; refused: number }>([
    { guess: 10, perSecond: 5, calls: 60, most: 1.3, refused: 10 },
    { guess: 10, perSecond: 5, retryAfter: "none", calls: 60, most: 1.3, refused: 10 },
    { guess: 6, perSecond: 5, calls: 200, most: 1.1, refused: 5 },
    { guess: 10, perSecond: 5, burst: 1, calls: 200, most: 1.5, refused: 20 },
    { guess: 10, perSecond: 5, latency: 500, calls: 200, most: 1.3, refused: 20 },
    { guess: 50, perSecond: 5, calls: 200, most: 1.3, refused: 60 },
    { guess: 10, perSecond: 1, calls: 60, most: 1.5, refused: 20 },
    { guess: 10, perSecond: 50, calls: 60, most: 1, refused: 0 },
    { perSecond: 5, calls: 200, most: 1.3, refused: 220 },
    { perSecond: 5, burst: 1, calls: 60, most: 1.5, refused: 70 },
    { perSecond: 50, calls: 200, most: 1.5, refused: 160 },
  ])(
    "adapts to a service of $perSecond per second, with a guess of $guess",
    async ({ guess, calls, most, refused, ...service }) => {
      const { respond, counts } = limitedService(service);
      const { client } = stubClient(
        respond,
        guess === undefined ? {} : { limiter: tokenBucket({ perSecond: guess }) },
      );
      const { seconds, rejected } = await callMany([client], calls);
      const own = guess === undefined ? 0 : (calls - guess) / guess;
      expect(rejected).toBe(0);
      expect(counts.refused).toBeLessThanOrEqual(refused);
      expect(seconds).toBeLessThanOrEqual(most * Math.max(own, ideal(service, calls)) + 0.1);
    },
  );

  it("recovers when the service accepts more", async () => {
    let service = limitedService({ perSecond: 2 });
    const { client } = stubClient((...request) => service.respond(...request), {
      limiter: tokenBucket({ perSecond: 20 }),
    });
    await callMany([client], 40);
    service = limitedService({ perSecond: 20 });
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await callMany([client], 60)).toMatchObject({
      rejected: 0,
      seconds: expect.closeTo(2, 0) as number,
    });
    expect(service.counts.refused).toBe(0);
  });

  it("sends retries before new calls", async () => {
    const { client, sent } = stubClient(
      (_, index) => (index === 0 ? json({}, { status: 429, headers: { "retry-after": "1" } }) : json(store)),
      { limiter: tokenBucket({ perSecond: 1 }) },
    );
    await callMany([client], 3);
    expect(sent.map(({ path }) => path.slice(-3))).toEqual(["S-0", "S-0", "S-1", "S-2"]);
  });

  it("sends retries before new calls with maxConcurrency", async () => {
    const { client, sent } = stubClient(
      async (_, index) => {
        await new Promise((resolve) => void setTimeout(resolve, 1000));
        return json(store, { status: index === 0 ? 500 : 200 });
      },
      { maxConcurrency: 1 },
    );
    await callMany([client], 4);
    expect(sent.map(({ path }) => path.slice(-3))).toEqual(["S-0", "S-1", "S-0", "S-2", "S-3"]);
  });

  it("is shared by the clients of withOptions", async () => {
    const { respond, counts } = limitedService({ perSecond: 5 });
    const { client } = stubClient(respond);
    await callMany([client], 10);
    await vi.advanceTimersByTimeAsync(5000);
    const { refused } = counts;
    await callMany([client.withOptions({ timeout: 5000 })], 20);
    expect(counts.refused - refused).toBeLessThan(10);
  });
});

describe("a service that throttles for a long time", () => {
  const throttled = (retryAfter?: string): Response =>
    json({}, { status: 429, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } });
  const century = "3155760000";

  /** The error of a call, and the time in seconds until it was known. */
  async function failureOf(response: () => Response, options: Partial<StoreClientOptions> = {}) {
    const began = performance.now();
    const { client, sent } = stubClient(response, options);
    const call = client.stores.get("S").catch((reason: unknown) => reason);
    await advanceUntil(call);
    const error = await call;
    expect(error).toBeInstanceOf(StoreApiError);
    return { message: (error as Error).message, seconds: (performance.now() - began) / 1000, sent };
  }

  it("fails a call at once if the pause is longer than the maximum, which the message names", async () => {
    const { message, sent } = await failureOf(() => throttled(century));
    expect(message).toContain("(Retry-After is 86400 s, longer than retry.maxDelay (30000 ms))");
    expect(sent).toHaveLength(1);
  });

  it("stops the other clients of a limiter for no longer than its maximum", async () => {
    for (const [maxPause, seconds] of [
      [undefined, 30],
      [2000, 2],
    ] as const) {
      const limiter = tokenBucket({ perSecond: 10, maxPause });
      const [slow, other] = [() => throttled(century), () => json(store)].map(
        (respond) => stubClient(respond, { limiter }).client,
      ) as [StoreClient, StoreClient];
      await expect(slow.stores.get("S")).rejects.toMatchObject({ status: 429 });
      expect(await callMany([other], 1)).toEqual({ seconds, rejected: 0 });
    }
  });

  it("fails a call before its total deadline, which the message names", async () => {
    const { message, seconds, sent } = await failureOf(() => throttled("20"), { totalTimeout: 70_000 });
    expect(message).toContain("(the next attempt would be after totalTimeout (70000 ms))");
    expect([seconds, sent.length]).toEqual([61, 4]);
  });

  it.each([undefined, "1", "29"])(
    "fails a call without total deadline after five minutes: Retry-After %s",
    async (retryAfter) => {
      const { message, seconds } = await failureOf(() => throttled(retryAfter));
      expect(message).toContain(
        "the service accepted no request for 5 minutes; set totalTimeout to wait longer",
      );
      expect(seconds).toBeGreaterThan(250);
      expect(seconds).toBeLessThan(310);
    },
  );

  it("does not fail a call while the service accepts others", async () => {
    const { respond, counts } = limitedService({ perSecond: 0.5, burst: 1 });
    const { client } = stubClient(respond);
    const { seconds, rejected } = await callMany([client], 200);
    expect(rejected).toBe(0);
    expect(counts.accepted).toBe(200);
    expect(seconds).toBeGreaterThan(398);
  });

  it("fails a call at once without retries, and delays no later call", async () => {
    const { client } = stubClient((_, index) => (index === 0 ? throttled("10") : json(store)), { retry: 0 });
    await expect(client.stores.get("A")).rejects.toMatchObject({ status: 429, attempts: 1 });
    expect(await client.stores.get("B")).toEqual(store);
  });

  it("takes nothing from the retry limit", async () => {
    const statuses = [429, 429, 500, 429, 429, 500];
    const { client, sent } = stubClient(
      (_, index) => json(store, { status: statuses[index] ?? 200, headers: { "retry-after": "0" } }),
      { retry: 2 },
    );
    expect(await callMany([client], 1)).toMatchObject({ rejected: 0 });
    expect(sent).toHaveLength(7);
  });
});

describe("one signal of many concurrent calls", () => {
  it("causes no warning, and is released", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { signal } = new AbortController();
    const { client } = stubClient(limitedService({ perSecond: 100 }).respond);
    const calls = Array.from({ length: 50 }, () => client.stores.get("S", { signal }));
    const requests = Array.from({ length: 50 }, () =>
      client.fetch("https://store.example/base/v1/stores/S", { method: "POST", body: "{}", signal }),
    );
    await advanceUntil(Promise.all([...calls, ...requests])); // client.fetch is loaded first, in real time
    expect(warn).not.toHaveBeenCalled();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    warn.mockRestore();
  });
});

describe("an open object", () => {
  it.each(["errors", "error", "success"])("may have a property %s of its own", async (name) => {
    const value = name === "success" ? false : ["photo-1"];
    const report = { groups: [], [name]: value };
    const fetch = async (): Promise<Response> => Response.json(report);
    const own = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    expect(await own.fillRates.across({ from: new Date(0), to: new Date(1) })).toEqual(report);
  });

  it("that has nothing but an error is an error", async () => {
    const fetch = async (): Promise<Response> => Response.json({ error: { code: "oops" } });
    const own = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    await expect(own.fillRates.across({ from: new Date(0), to: new Date(1) })).rejects.toThrow(
      "with an error in its body",
    );
  });
});
