import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConfigurationError } from "../../../../src/client/core/errors/errors.ts";
import { ApiError } from "../../../../src/client/core/errors/response-errors.ts";
import type { Limiter } from "../../../../src/client/core/options/limiter.ts";
import { send as sendWith, type Setting } from "./small-api.ts";

/** A setting whose clocks stand still and whose dice always fall alike. */
function setUp({
  respond = () => new Response("ok"),
  ...setting
}: Omit<Setting, "fetch"> & { respond?: (index: number) => Response | Promise<Response> }) {
  const sent: RequestInit[] = [];
  const fetch: Setting["fetch"] = async (_, init) => {
    sent.push(init);
    return respond(sent.length - 1);
  };
  const limits = { timeout: 1000, totalTimeout: Infinity, retries: 2, maxDelay: 1, ...setting.limits };
  const still = { Date: { now: () => 0 }, performance: { now: () => 0 }, Math: { random: () => 1 } };
  const runtime = { ...still, ...setting.runtime };
  const whole: Setting = { ...setting, fetch, limits, runtime, secret: "some-long-secret" };
  return { send: (more?: Parameters<typeof sendWith>[1]) => sendWith(whole, more), sent };
}

const failing = () => new Response("", { status: 500 });

describe("a response", () => {
  it("has its URL and its number of attempts", async () => {
    const { send, sent } = setUp({ headers: { accept: "a" } });
    expect(await send()).toEqual({
      status: 200,
      text: "ok",
      url: "https://x.example/things/1",
      attempts: 1,
      mayHaveExecuted: false,
    });
    expect(sent).toEqual([
      {
        method: "GET",
        cache: "no-store",
        headers: { accept: "a", authorization: "Bearer some-long-secret" },
        redirect: "manual",
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ]);
  });

  it.each([
    [500, undefined, true],
    [503, undefined, true],
    [503, "after 5", true],
    [503, "0", true],
    [429, undefined, false],
  ])("after status %i with Retry-After %j leaves a doubt: %j", async (status, wait, mayHaveExecuted) => {
    const headers = wait === undefined ? undefined : { "retry-after": wait };
    const { send } = setUp({
      respond: (index) =>
        index === 0 ? new Response("", { status, ...(headers && { headers }) }) : new Response(),
    });
    expect(await send()).toMatchObject({ attempts: 2, mayHaveExecuted });
  });

  it("keeps the information that an earlier attempt may have been executed", async () => {
    const statuses = [500, 429, 200];
    const { send } = setUp({ respond: (index) => new Response("", { status: statuses[index] ?? 200 }) });
    expect(await send()).toMatchObject({ attempts: 3, mayHaveExecuted: true });
  });

  it.each([
    ["GET", 200, 8],
    ["GET", 299, 8],
    ["GET", 300, 4],
    ["GET", 404, 4],
    ["GET", 500, 4],
    ["PUT", 200, 8],
    ["PUT", 302, 4],
    ["PUT", 400, 4],
  ])("to a %s with status %i is read up to %i bytes", async (method, status, size) => {
    const limits = { timeout: 1000, totalTimeout: Infinity, retries: 0, maxDelay: 1, maxResponseBytes: 8 };
    const fetch = async (): Promise<Response> => new Response("0123456789", { status });
    expect(await sendWith({ fetch, limits }, { method, errorBytes: 4 })).toMatchObject({
      text: "0123456789".slice(0, size),
    });
    const small = { ...limits, maxResponseBytes: 2 };
    expect(await sendWith({ fetch, limits: small }, { method, errorBytes: 4 })).toMatchObject({ text: "01" });
  });

  it.each([
    [200, 8],
    [404, 4],
  ])("after a redirect with status %i is read up to %i bytes", async (status, size) => {
    const { send } = setUp({
      limits: { retries: 0, maxResponseBytes: 8 },
      respond: (index) =>
        index === 0
          ? new Response("", { status: 302, headers: { location: "/b" } })
          : new Response("0123456789", { status }),
    });
    expect(await send({ errorBytes: 4 })).toMatchObject({ text: "0123456789".slice(0, size) });
  });

  it("that is permanent is the last", async () => {
    const { send, sent } = setUp({ respond: failing, isPermanent: (status) => status === 500 });
    expect(await send()).toMatchObject({ status: 500, attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe("retries", () => {
  it.each([0, 1, 3])("are no more than %i", async (retries) => {
    const { send, sent } = setUp({ respond: failing, limits: { retries } });
    expect(await send()).toMatchObject({ status: 500, attempts: retries + 1 });
    expect(sent).toHaveLength(retries + 1);
  });

  it("wait no longer than what is left of the total deadline", async () => {
    const maxDelay = 20;
    const within = setUp({ respond: failing, limits: { retries: 1, maxDelay, totalTimeout: 21 } });
    await within.send();
    expect(within.sent).toHaveLength(2);
    const past = setUp({ respond: failing, limits: { retries: 1, maxDelay, totalTimeout: 20 } });
    expect(await past.send()).toMatchObject({ status: 500 });
    expect(past.sent).toHaveLength(1);
  });
});

describe("hooks", () => {
  it("hooks receive the duration of a response", async () => {
    let now = 100;
    const onResponse = vi.fn<(event: object) => void>();
    const onSettled = vi.fn<(event: object) => void>();
    const { send } = setUp({
      runtime: { performance: { now: () => now } },
      respond: async () => {
        await Promise.resolve();
        now += 42;
        return new Response("", { status: 404 });
      },
      hooks: { onResponse, onSettled },
    });
    await send();
    const event = expect.objectContaining({ status: 404, duration: 42 }) as object;
    expect(onResponse.mock.calls).toEqual([[event]]);
    expect(onSettled.mock.calls).toEqual([[event]]);
  });

  it("hooks that are not set are not reported as failed", async () => {
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const limits = { retries: 1 };
    const headers = { "retry-after": "0" };
    const throttled = () => new Response("", { status: 503, headers });
    await setUp({ hooks: { onHookError }, limits, respond: throttled }).send();
    await setUp({
      hooks: { onHookError },
      limits,
      respond: throttled,
      limiter: { acquire: () => {} },
    }).send();
    const lost = setUp({ hooks: { onHookError }, limits, respond: () => Promise.reject(new Error("lost")) });
    await expect(lost.send()).rejects.toThrow("lost");
    expect(onHookError).not.toHaveBeenCalled();
  });
});

describe("a failure without a response", () => {
  it("has the number of requests and the stack of the call", async () => {
    const { send } = setUp({ respond: () => Promise.reject(new Error("lost")) });
    const failure = (await send().catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ name: "ConnectionError", attempts: 3 });
    expect(failure).not.toBeInstanceOf(ApiError);
    expect(failure.stack).not.toContain("connectionError");
  });

  it("needs no engine that captures stacks", async () => {
    const { captureStackTrace } = Error;
    onTestFinished(() => void Object.assign(Error, { captureStackTrace }));
    const { send } = setUp({
      respond: () => {
        Object.assign(Error, { captureStackTrace: undefined });
        return Promise.reject(new Error("lost"));
      },
      limits: { retries: 0 },
    });
    const failure: unknown = await send().catch((error: unknown) => error);
    Object.assign(Error, { captureStackTrace });
    expect(failure).toMatchObject({ name: "ConnectionError", attempts: 1 });
  });

  it("a ConfigurationError of the transport ends the call without a retry", async () => {
    const reason = new ConfigurationError("undici is not installed");
    const { send, sent } = setUp({ respond: () => Promise.reject(reason) });
    await expect(send()).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it("a call is a TimeoutError at once if the deadline passes while it waits for the limiter", async () => {
    let now = 0;
    const acquire = (): void => {
      now = 100;
    };
    const { send } = setUp({
      runtime: { performance: { now: () => now } },
      limiter: { acquire },
      limits: { totalTimeout: 50, retries: 0 },
      respond: () => new Promise(() => {}),
    });
    await expect(send()).rejects.toMatchObject({ name: "TimeoutError", kind: "total", after: 50 });
  });
});

describe("a limiter", () => {
  it("without onThrottled works", async () => {
    const acquire = vi.fn<Limiter["acquire"]>();
    const { send } = setUp({
      limiter: { acquire },
      respond: (index) => new Response("", { status: index === 0 ? 429 : 200 }),
    });
    expect(await send()).toMatchObject({ status: 200 });
    expect(acquire.mock.calls.map(([request]) => request)).toEqual([
      { operation: "getThing", call: 1, attempt: 1 },
      { operation: "getThing", call: 1, attempt: 2 },
    ]);
  });

  it("receives onThrottled before the next acquire", async () => {
    const reported: unknown[] = [];
    const limiter = {
      acquire: () => void reported.push("acquire"),
      onThrottled: async (wait: number | undefined) => void reported.push(wait),
    };
    const { send } = setUp({
      limiter,
      respond: (index) =>
        new Response("", { status: index === 0 ? 503 : 200, headers: { "retry-after": "0" } }),
    });
    await send();
    expect(reported).toEqual(["acquire", 0, "acquire"]);
  });
});
