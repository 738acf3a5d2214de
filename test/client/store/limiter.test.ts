import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Limiter, StoreApiError, TimeoutError } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

/** A limiter that records its calls in order. */
function watch(): { limiter: Limiter; throttled: unknown[] } {
  const throttled: unknown[] = [];
  const acquire: Limiter["acquire"] = ({ operation }) => void throttled.push(operation);
  const onThrottled = (retryAfter: number | undefined) => void throttled.push(retryAfter);
  return { limiter: { acquire, onThrottled }, throttled };
}

const refusal = (status: number, wait?: string) =>
  json({}, { status, headers: wait === undefined ? {} : { "retry-after": wait } });

describe("a limiter", () => {
  it.each([
    { status: 429, wait: "7", throttled: [7000] },
    { status: 429, wait: undefined, throttled: [undefined] },
    { status: 503, wait: "7", throttled: [7000] },
    { status: 503, wait: undefined, throttled: [] },
    { status: 500, wait: "7", throttled: [] },
  ])("receives $status with Retry-After $wait: $told", async ({ status, wait, throttled: expected }) => {
    const { limiter, throttled } = watch();
    const { client } = stubClient(() => refusal(status, wait), { limiter, retry: 0 });
    await expect(client.stores.get("S")).rejects.toBeInstanceOf(StoreApiError);
    expect(throttled).toEqual(["getStore", ...expected]);
  });

  it("may take longer than the timeout of an attempt", async () => {
    const acquire = () => new Promise<void>((resolve) => void setTimeout(resolve, 150));
    const { client } = stubClient(() => json(store), { limiter: { acquire }, timeout: 100 });
    expect(await client.stores.get("S")).toEqual(store);
  });

  it("may not take longer than the total timeout, and nothing is sent then", async () => {
    const acquire = () => new Promise<void>(() => {});
    const { client, sent } = stubClient(() => json(store), { limiter: { acquire }, totalTimeout: 20 });
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ kind: "total", after: 20 });
    expect(sent).toEqual([]);
  });

  it("may not take longer than the total timeout before a request with another token", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const acquire = vi.fn<() => void | Promise<void>>(() => new Promise<void>(() => {}));
    acquire.mockReturnValueOnce(undefined);
    const { client, sent } = stubClient(() => refusal(401), {
      limiter: { acquire },
      token: ({ refused }) => (refused === undefined ? "old-token" : "new-token"),
      totalTimeout: 20,
    });
    const call = client.stores.get("S").catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(20);
    expect(await call).toMatchObject({ name: "TimeoutError", kind: "total", after: 20, attempts: 1 });
    expect(acquire).toHaveBeenCalledTimes(2);
    expect(sent).toHaveLength(1);
  });

  it("the signal of a limiter is aborted when the caller gives up", async () => {
    const caller = new AbortController();
    let throttled: unknown;
    const acquire: Limiter["acquire"] = (_, signal) =>
      new Promise<void>(() => {
        signal.addEventListener("abort", () => {
          throttled = signal.reason;
        });
      });
    const { client } = stubClient(() => json(store), { limiter: { acquire } });
    const call = client.stores.get("S", { signal: caller.signal });
    setTimeout(() => caller.abort("enough"), 10);
    await expect(call).rejects.toBe("enough");
    expect(throttled).toBe("enough");
  });

  it("that fails or hangs in onThrottled does not change the outcome", async () => {
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const reason = new Error("broken");
    for (const onThrottled of [
      () => Promise.reject(reason),
      (): never => {
        throw reason;
      },
      () => new Promise<void>(() => {}),
    ]) {
      const { client } = stubClient((_, index) => (index === 0 ? refusal(429, "0") : json(store)), {
        limiter: { acquire: () => {}, onThrottled },
        hooks: { onHookError },
        timeout: 100,
      });
      expect(await client.stores.get("S")).toEqual(store);
    }
    expect(onHookError.mock.calls).toEqual([
      [reason, "limiter.onThrottled"],
      [reason, "limiter.onThrottled"],
    ]);
  });
});
