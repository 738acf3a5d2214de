import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../../src/core/errors/errors.ts";
import type { Hooks, Limiter, Limits } from "../../src/core/options/options.ts";
import { Secret } from "../../src/core/request/secret.ts";
import { type Answered, type Outgoing, Transport } from "../../src/core/request/send.ts";

interface Setting {
  answer?: (index: number) => Response | Promise<Response>;
  limits?: Partial<Limits>;
  hooks?: Hooks;
  limiter?: Limiter;
  /** The monotonic clock in ms. */
  clock?: () => number;
  isPermanent?: (status: number) => boolean;
}

/** A transport whose clocks stand still and whose dice always fall alike. */
function setUp({ answer = () => new Response("ok"), ...setting }: Setting) {
  const sent: RequestInit[] = [];
  const transport = new Transport({
    secret: new Secret("some-long-secret", () => {}),
    baseUrl: () => "https://x.example",
    fetch: async (_, init) => {
      sent.push(init);
      return answer(sent.length - 1);
    },
    headers: { accept: "a" },
    hooks: setting.hooks ?? {},
    limiter: setting.limiter,
    isPermanent: ({ status }) => setting.isPermanent?.(status) ?? false,
    runtime: { wall: () => 0, monotonic: setting.clock ?? (() => 0), random: () => 1 },
  });
  const out: Outgoing = {
    operation: "getThing",
    method: "GET",
    route: "/things/{id}",
    path: "/things/1",
    body: undefined,
    headers: undefined,
    retryClass: "idempotent",
    limits: { timeout: 1000, totalTimeout: Infinity, retries: 2, maxDelay: 1, ...setting.limits },
    signals: [],
  };
  const send = (more: Partial<Outgoing> = {}) =>
    transport.send({ ...out, ...more }, (answered: Answered) => answered);
  return { send, sent };
}

const failing = () => new Response("", { status: 500 });

describe("an answer", () => {
  it("comes with its address, its attempts and the secret that it was asked with", async () => {
    const { send, sent } = setUp({});
    expect(await send()).toMatchObject({
      status: 200,
      text: "ok",
      url: "https://x.example/things/1",
      attempts: 1,
      unsure: false,
      secret: "some-long-secret",
    });
    expect(sent).toEqual([
      {
        method: "GET",
        headers: { accept: "a", authorization: "Bearer some-long-secret" },
        redirect: "manual",
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ]);
  });

  it.each([
    [500, undefined, true],
    [503, undefined, true],
    [503, "0", false],
    [429, undefined, false],
  ])("after status %i with Retry-After %j leaves a doubt: %j", async (status, wait, unsure) => {
    const headers = wait === undefined ? undefined : { "retry-after": wait };
    const { send } = setUp({
      answer: (index) =>
        index === 0 ? new Response("", { status, ...(headers && { headers }) }) : new Response(),
    });
    expect(await send()).toMatchObject({ attempts: 2, unsure });
  });

  it("keeps a doubt that an earlier attempt left", async () => {
    const statuses = [500, 429, 200];
    const { send } = setUp({ answer: (index) => new Response("", { status: statuses[index] ?? 200 }) });
    expect(await send()).toMatchObject({ attempts: 3, unsure: true });
  });

  it("that is permanent is the last", async () => {
    const { send, sent } = setUp({ answer: failing, isPermanent: (status) => status === 500 });
    expect(await send()).toMatchObject({ status: 500, attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe("retries", () => {
  it.each([0, 1, 3])("are no more than %i", async (retries) => {
    const { send, sent } = setUp({ answer: failing, limits: { retries } });
    expect(await send()).toMatchObject({ status: 500, attempts: retries + 1 });
    expect(sent).toHaveLength(retries + 1);
  });

  it("wait no longer than what is left of the total deadline", async () => {
    const maxDelay = 20;
    const within = setUp({ answer: failing, limits: { retries: 1, maxDelay, totalTimeout: 21 } });
    await within.send();
    expect(within.sent).toHaveLength(2);
    const past = setUp({ answer: failing, limits: { retries: 1, maxDelay, totalTimeout: 20 } });
    expect(await past.send()).toMatchObject({ status: 500 });
    expect(past.sent).toHaveLength(1);
  });

  it("are told with what went wrong", async () => {
    const onRetry = vi.fn<(event: object) => void>();
    const lost = new TypeError("lost");
    const { send } = setUp({
      answer: (index) => {
        if (index === 0) throw lost;
        return index === 1 ? failing() : new Response();
      },
      hooks: { onRetry },
    });
    await send();
    const told = {
      operation: "getThing",
      call: 1,
      method: "GET",
      url: "https://x.example/things/1",
      delay: 1,
    };
    expect(onRetry.mock.calls).toEqual([
      [
        {
          ...told,
          attempt: 1,
          status: undefined,
          error: expect.objectContaining({ name: "ConnectionError" }) as Error,
        },
      ],
      [{ ...told, attempt: 2, status: 500, error: undefined }],
    ]);
  });
});

describe("hooks", () => {
  it("are told how long an answer took", async () => {
    let now = 100;
    const onResponse = vi.fn<(event: object) => void>();
    const { send } = setUp({
      clock: () => now,
      answer: async () => {
        await Promise.resolve();
        now += 42;
        return new Response("", { status: 404 });
      },
      hooks: { onResponse },
    });
    await send();
    expect(onResponse.mock.calls).toEqual([[expect.objectContaining({ status: 404, duration: 42 })]]);
  });

  it("are not told of an error before anything was sent", async () => {
    const onError = vi.fn<(event: object) => void>();
    const limiter = {
      turn: () => {
        throw new Error("no turn");
      },
    };
    await expect(setUp({ hooks: { onError }, limiter }).send()).rejects.toThrow("no turn");
    expect(onError).not.toHaveBeenCalled();
  });

  it("are told of what reading an answer throws, at once or later", async () => {
    const onError = vi.fn<(event: { error: unknown }) => void>();
    const { send } = setUp({ hooks: { onError } });
    await send();
    expect(onError).not.toHaveBeenCalled();
    const transport = setUp({
      hooks: { onError },
      limits: { retries: 0 },
      answer: () => Promise.reject(new Error("x")),
    });
    await expect(transport.send()).rejects.toMatchObject({ name: "ConnectionError", attempts: 1 });
    expect(onError).toHaveBeenCalledOnce();
  });
});

describe("a failure without an answer", () => {
  it("carries how many requests were sent, and the stack of the call", async () => {
    const { send } = setUp({ answer: () => Promise.reject(new Error("lost")) });
    const failure = (await send().catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ name: "ConnectionError", attempts: 3 });
    expect(failure).not.toBeInstanceOf(ApiError);
    expect(failure.stack).not.toContain("unanswered");
  });

  it.each([
    [
      { timeout: 5, totalTimeout: Infinity },
      { kind: "attempt", after: 5 },
    ],
    [
      { timeout: 50, totalTimeout: 5 },
      { kind: "total", after: 5 },
    ],
    [
      { timeout: 5, totalTimeout: 5 },
      { kind: "attempt", after: 5 },
    ],
    [
      { timeout: Infinity, totalTimeout: 5 },
      { kind: "total", after: 5 },
    ],
  ])("under %j is a TimeoutError %j", async (limits, expected) => {
    const { send } = setUp({
      answer: () => new Promise(() => {}),
      limits: { ...limits, retries: 0 },
    });
    await expect(send()).rejects.toMatchObject({ name: "TimeoutError", ...expected });
  });

  it("is none where the answer comes before either deadline", async () => {
    const slow = (): Promise<Response> =>
      new Promise((resolve) => setTimeout(resolve, 15, new Response("ok")));
    for (const limits of [
      { timeout: 2000, totalTimeout: 1000 },
      { timeout: 1000, totalTimeout: 2000 },
    ])
      expect(await setUp({ answer: slow, limits }).send()).toMatchObject({ text: "ok", attempts: 1 });
  });

  it("whose deadline passed before its turn came ends at once", async () => {
    let now = 0;
    const turn = (): void => {
      now = 100;
    };
    const { send } = setUp({
      clock: () => now,
      limiter: { turn },
      limits: { totalTimeout: 50, retries: 0 },
      answer: () => new Promise(() => {}),
    });
    await expect(send()).rejects.toMatchObject({ name: "TimeoutError", kind: "total", after: 50 });
  });
});

describe("a limiter", () => {
  it("need not want to hear of refusals", async () => {
    const turn = vi.fn<(operation: string) => void>();
    const { send } = setUp({
      limiter: { turn },
      answer: (index) => new Response("", { status: index === 0 ? 429 : 200 }),
    });
    expect(await send()).toMatchObject({ status: 200 });
    expect(turn.mock.calls.map(([operation]) => operation)).toEqual(["getThing", "getThing"]);
  });

  it("hears of a refusal before the next turn", async () => {
    const told: unknown[] = [];
    const limiter = {
      turn: () => void told.push("turn"),
      refused: async (wait: number | undefined) => void told.push(wait),
    };
    const { send } = setUp({
      limiter,
      answer: (index) =>
        new Response("", { status: index === 0 ? 503 : 200, headers: { "retry-after": "0" } }),
    });
    await send();
    expect(told).toEqual(["turn", 0, "turn"]);
  });
});
