import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { type Attempt, exchange, underDeadline } from "../../src/core/request/send.ts";
import { ConnectionError, TimeoutError } from "../../src/core/errors/errors.ts";
import type { Fetch } from "../../src/core/options/options.ts";

const secret = "a-long-secret";
const url = "https://home.example/a";
const init = (more: RequestInit = {}): RequestInit => ({
  method: "GET",
  headers: { authorization: `Bearer ${secret}`, cookie: "a=b", "proxy-authorization": "x", "x-own": "1" },
  redirect: "manual",
  ...more,
});

/** Sends a GET with such a fetch. */
function send(fetch: Fetch, more?: RequestInit): ReturnType<typeof exchange> {
  return exchange("GET /a", fetch, url, init(more), secret);
}

async function failureOf(thrown: unknown): Promise<ConnectionError> {
  const failure = await send(() => Promise.reject(thrown));
  expect(failure).toBeInstanceOf(ConnectionError);
  return failure as ConnectionError;
}

/** Its causes from the outermost on: name, message and code of each. */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const { name, message, cause, code } = error as Error & { code?: unknown };
  return [[name, message, ...(code === undefined ? [] : [code])], ...causes(cause)];
}

describe("what a fetch throws becomes a ConnectionError", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });

  it.each<[unknown, string, unknown[]]>([
    [new TypeError("fetch failed"), "fetch failed", [["TypeError", "fetch failed"]]],
    [
      new TypeError("fetch failed", { cause: refused }),
      "connect ECONNREFUSED 127.0.0.1:9",
      [
        ["TypeError", "fetch failed"],
        ["Error", "connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED"],
      ],
    ],
    [
      new AggregateError([refused, new Error("second")], ""),
      "connect ECONNREFUSED 127.0.0.1:9",
      [
        ["AggregateError", expect.stringContaining("AggregateError")],
        ["Error", "connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED"],
      ],
    ],
    ["text", "text", [["Error", "text"]]],
    [5, "5", [["Error", "5"]]],
    [null, "null", [["Error", "null"]]],
    [undefined, "undefined", [["Error", "undefined"]]],
    [{ code: "EPIPE" }, "EPIPE", [["Error", "EPIPE", "EPIPE"]]],
    [{ code: 7, message: "", name: 5 }, "7", [["Error", "7"]]],
    [{ message: `has ${secret}` }, "has [redacted]", [["Error", "has [redacted]"]]],
    [
      { message: "a", cause: "b" },
      "b",
      [
        ["Error", "a"],
        ["Error", "b"],
      ],
    ],
  ])("%s", async (thrown, words, expected) => {
    const failure = await failureOf(thrown);
    expect(failure.message).toBe(`GET /a: no complete answer: ${words}`);
    expect(causes(failure.cause)).toEqual(expected);
  });

  it("with no more than five causes", async () => {
    const chain = [1, 2, 3, 4, 5, 6, 7].reduceRight<unknown>(
      (cause, at) => new Error(`e${at}`, { cause }),
      undefined,
    );
    const failure = await failureOf(chain);
    expect(causes(failure.cause)).toHaveLength(5);
    expect(failure.message).toBe("GET /a: no complete answer: e5");
  });

  it("where the body breaks off too", async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error("cut")) });
    expect(await send(async () => new Response(body))).toMatchObject({
      name: "ConnectionError",
      message: "GET /a: no complete answer: cut",
    });
  });
});

describe("a redirect of a read", () => {
  /** A fetch that answers in turn, and what it was asked. */
  function inTurn(...answers: Response[]) {
    const asked: [url: string, headers: Record<string, string>, redirect: unknown][] = [];
    const fetch: Fetch = async (at, { headers, redirect }) => {
      asked.push([at, Object.fromEntries(new Headers(headers)), redirect]);
      return answers[asked.length - 1] ?? new Response("end");
    };
    return { fetch, asked };
  }
  const to = (location: string, body: BodyInit | null = null): Response =>
    new Response(body, { status: 302, headers: { location } });
  const all = { authorization: `Bearer ${secret}`, cookie: "a=b", "proxy-authorization": "x", "x-own": "1" };

  it("keeps its headers on the origin, and loses those with secrets on the way to another", async () => {
    const { fetch, asked } = inTurn(to("/b"), to("https://other.example/c"), to("https://home.example/d"));
    expect(await send(fetch)).toMatchObject({ status: 200, text: "end" });
    expect(asked).toEqual([
      [url, all, "manual"],
      ["https://home.example/b", all, "manual"],
      ["https://other.example/c", { "x-own": "1" }, "manual"],
      ["https://home.example/d", { "x-own": "1" }, "manual"],
    ]);
  });

  it("is followed twenty times", async () => {
    const { fetch, asked } = inTurn(...Array.from({ length: 30 }, (_, at) => to(`/${at}`)));
    expect(await send(fetch)).toMatchObject({ status: 302 });
    expect(asked).toHaveLength(21);
    const last = inTurn(...Array.from({ length: 20 }, (_, at) => to(`/${at}`)));
    expect(await send(last.fetch)).toMatchObject({ status: 200 });
  });

  it("lets go of the body that it leaves behind", async () => {
    const cancel = vi.fn<() => void>();
    const { fetch } = inTurn(to("/b", new ReadableStream({ cancel })));
    await send(fetch);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it.each(["file:///etc/passwd", "data:,x", "http://", "javascript:1"])(
    "to %s is the answer",
    async (location) => {
      const { fetch, asked } = inTurn(to(location, "moved"));
      expect(await send(fetch)).toMatchObject({ status: 302, text: "moved" });
      expect(asked).toHaveLength(1);
    },
  );

  it("without a location is the answer", async () => {
    const { fetch, asked } = inTurn(new Response("where?", { status: 302 }));
    expect(await send(fetch)).toMatchObject({ status: 302, text: "where?" });
    expect(asked).toHaveLength(1);
  });

  it.each([300, 304, 305, 306])("is no status %i", async (status) => {
    const { fetch, asked } = inTurn(new Response(null, { status, headers: { location: "/b" } }));
    expect(await send(fetch)).toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });

  it("is left to a browser, which hides where it leads", async () => {
    const hidden = Object.defineProperties(new Response(), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const { fetch, asked } = inTurn(hidden);
    expect(await send(fetch)).toMatchObject({ status: 200, text: "end" });
    expect(asked.map(([at, , redirect]) => [at, redirect])).toEqual([
      [url, "manual"],
      [url, "follow"],
    ]);
  });

  it("of a write is the answer", async () => {
    const { fetch, asked } = inTurn(to("/b"));
    expect(await send(fetch, { method: "PUT" })).toMatchObject({ status: 302 });
    expect(asked).toHaveLength(1);
  });
});

describe("a deadline", () => {
  const attempt = (more: Partial<Attempt> = {}): Attempt => ({
    doing: "GET /a",
    timeout: { ms: 20, kind: "attempt", after: 25 },
    signals: [],
    ...more,
  });
  const forever = (): Promise<never> => new Promise(() => {});
  const none = { ms: Infinity, kind: "attempt", after: Infinity } as const;

  it.each([
    ["attempt", "timeout"],
    ["total", "totalTimeout"],
  ] as const)("that passes tells the work why: %s", async (kind, option) => {
    let told: unknown;
    const work = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener("abort", () => {
        told = signal.reason;
      });
      return forever();
    };
    const run = underDeadline(attempt({ timeout: { ms: 5, kind, after: 7 } }), work);
    expect(await run).toMatchObject({
      name: "TimeoutError",
      message: `GET /a: no complete answer within 7 ms (${option})`,
      kind,
      after: 7,
    });
    expect(told).toBeInstanceOf(TimeoutError);
  });

  it("that is none lets work take its time", async () => {
    const slow = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 20, "done"));
    expect(await underDeadline(attempt({ timeout: none }), slow)).toBe("done");
  });

  it("begins no work where a signal is aborted already", async () => {
    const work = vi.fn<() => Promise<never>>(forever);
    const signals = [new AbortController().signal, AbortSignal.abort("mine")];
    await expect(underDeadline(attempt({ signals }), work)).rejects.toBe("mine");
    expect(work).not.toHaveBeenCalled();
  });

  it("ends with the reason of whichever signal comes first, and hands it on", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    let given: AbortSignal | undefined;
    const run = underDeadline(attempt({ timeout: none, signals: [one.signal, other.signal] }), (signal) => {
      given = signal;
      return forever();
    });
    other.abort("other");
    one.abort("one");
    await expect(run).rejects.toBe("other");
    expect(given?.reason).toBe("other");
  });

  it("ends with the reason of a signal that the work itself aborts at once", async () => {
    const caller = new AbortController();
    let given: AbortSignal | undefined;
    const run = underDeadline(attempt({ timeout: none, signals: [caller.signal] }), async (signal) => {
      given = signal;
      caller.abort("mine");
      return "done";
    });
    await expect(run).rejects.toBe("mine");
    expect(given?.reason).toBe("mine");
  });

  it("leaves no listener and no timer, however the work ends", async () => {
    const { signal } = new AbortController();
    const clear = vi.spyOn(globalThis, "clearTimeout");
    const ends = [() => Promise.resolve(1), () => Promise.reject(new Error("no")), forever];
    for (const work of ends) {
      clear.mockClear();
      await underDeadline<unknown>(attempt({ signals: [signal] }), work).catch(() => {});
      expect(clear).toHaveBeenCalledWith(expect.anything());
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
    clear.mockRestore();
  });

  it("does not abort what was done in time", async () => {
    let given: AbortSignal | undefined;
    await underDeadline(attempt(), async (signal) => {
      given = signal;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(given?.aborted).toBe(false);
  });
});
