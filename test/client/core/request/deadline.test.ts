import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Setting, send } from "./small-api.ts";

const once = { retries: 0 };
const forever = (): Promise<never> => new Promise(() => {});

/** Timers that a test fires by hand, and those that are set. */
function handTimers() {
  const set = new Map<number, { run: () => void; delay: number }>();
  let next = 0;
  const runtime = {
    setTimeout: (run: () => void, delay: number) => {
      set.set(++next, { run, delay });
      return next;
    },
    clearTimeout: (timer: unknown) => void set.delete(timer as number),
  };
  const fire = (): void => {
    for (const [id, { run }] of set) {
      set.delete(id);
      run();
    }
  };
  return { set, runtime, fire };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a deadline", () => {
  it.each([
    ["attempt", "timeout", { timeout: 7, totalTimeout: Infinity }],
    ["total", "totalTimeout", { timeout: 50, totalTimeout: 7 }],
    ["attempt", "timeout", { timeout: 7, totalTimeout: 7 }],
    ["total", "totalTimeout", { timeout: Infinity, totalTimeout: 7 }],
  ] as const)("that passes ends the request and says which it was: %s", async (kind, option, limits) => {
    const timers = handTimers();
    let reason: unknown;
    const fetch: Setting["fetch"] = (_, { signal }) => {
      signal?.addEventListener("abort", () => {
        reason = signal.reason;
      });
      return forever();
    };
    const performance = { now: () => 0 };
    const runtime = { ...timers.runtime, performance };
    const call = send({ fetch, runtime, limits: { ...once, ...limits } });
    await soon();
    expect([...timers.set.values()].map(({ delay }) => delay)).toEqual([7]);
    timers.fire();
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "TimeoutError",
      message: `GET /things/{id}: no complete response within 7 ms (${option})`,
      kind,
      after: 7,
      attempts: 1,
      method: "GET",
      route: "/things/{id}",
    });
    expect(reason).toBe(error);
  });

  it("covers the body", async () => {
    const timers = handTimers();
    const cancel = vi.fn<(reason: unknown) => void>();
    const fetch = async (_: string, { signal }: RequestInit): Promise<Response> => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener("abort", () => cancel(stream.error(signal.reason))),
      });
      return new Response(body);
    };
    const call = send({ fetch, runtime: timers.runtime, limits: once });
    await soon();
    timers.fire();
    await expect(call).rejects.toMatchObject({ name: "TimeoutError", kind: "attempt" });
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("of Infinity sets and clears no timer", async () => {
    const setTimeout = vi.fn<() => void>();
    const clearTimeout = vi.fn<() => void>();
    const fetch = async (): Promise<Response> => new Response("done");
    const limits = { timeout: Infinity, totalTimeout: Infinity };
    expect(await send({ fetch, runtime: { setTimeout, clearTimeout }, limits })).toMatchObject({
      text: "done",
    });
    expect(setTimeout).not.toHaveBeenCalled();
    expect(clearTimeout).not.toHaveBeenCalled();
  });
});

describe("a signal", () => {
  it("that is aborted already keeps the request from being sent", async () => {
    const fetch = vi.fn<() => Promise<Response>>(forever);
    const signals = [new AbortController().signal, AbortSignal.abort("mine")];
    await expect(send({ fetch }, { signals })).rejects.toBe("mine");
    expect(fetch).not.toHaveBeenCalled();
  });

  it("ends the call and the request with the reason of the first abort", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    let given: AbortSignal | null | undefined;
    const fetch: Setting["fetch"] = (_, { signal }) => {
      given = signal;
      return forever();
    };
    const call = send({ fetch }, { signals: [one.signal, other.signal] });
    await soon();
    other.abort("other");
    one.abort("one");
    await expect(call).rejects.toBe("other");
    expect(given?.reason).toBe("other");
  });

  it("that the request aborts ends the call", async () => {
    const caller = new AbortController();
    const fetch: Setting["fetch"] = async () => {
      caller.abort("mine");
      return new Response("done");
    };
    await expect(send({ fetch }, { signals: [caller.signal] })).rejects.toBe("mine");
  });

  it("has no listener and the call no timer after every kind of end", async () => {
    const { signal } = new AbortController();
    const timers = handTimers();
    const ends: Setting["fetch"][] = [
      async () => new Response("done"),
      () => Promise.reject(new Error("no")),
      forever,
    ];
    for (const fetch of ends) {
      const call = send({ fetch, runtime: timers.runtime, limits: once }, { signals: [signal] });
      const ended = call.catch(() => {});
      await soon();
      timers.fire();
      await ended;
      expect(timers.set.size).toBe(0);
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
  });

  it("that ends the wait before a retry leaves no timer", async () => {
    const caller = new AbortController();
    const timers = handTimers();
    const fetch = async (): Promise<Response> => new Response("", { status: 503 });
    const limits = { retries: 1, timeout: Infinity };
    const call = send({ fetch, runtime: timers.runtime, limits }, { signals: [caller.signal] });
    const ended = call.catch((error: unknown) => error);
    await soon();
    expect(timers.set.size).toBe(1);
    caller.abort("mine");
    expect(await ended).toBe("mine");
    expect(timers.set.size).toBe(0);
  });

  it("of a request that was done in time is not aborted later", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let given: AbortSignal | null | undefined;
    const fetch: Setting["fetch"] = async (_, { signal }) => {
      given = signal;
      return new Response("done");
    };
    await send({ fetch, runtime: { setTimeout, clearTimeout }, limits: { timeout: 20 } });
    vi.advanceTimersByTime(1000);
    expect(given?.aborted).toBe(false);
  });
});
