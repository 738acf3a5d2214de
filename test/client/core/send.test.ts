import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiError, TimeoutError } from "../../../src/client/errors.ts";
import { byId, createSmallApi, json, route, store, stubFetch, virtualRuntime } from "./small-api.ts";

const reset = Object.assign(new TypeError("fetch failed"), {
  cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
});
const failure = (code: string) =>
  Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error(`connect ${code}`), { code }),
  });
const put = { ...byId, body: { name: "A" } };

describe("a read", () => {
  it.each([408, 429, 500, 502, 503, 504])("is retried after %i", async (status) => {
    const { fetch, requests } = stubFetch(json({}, status), json(store));
    const { http } = createSmallApi({ fetch, runtime: virtualRuntime().runtime });
    expect((await http.GET(route, byId)).data).toEqual(store);
    expect(requests.length).toBe(2);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])("is not retried after %i", async (status) => {
    const { fetch, requests } = stubFetch(json({}, status));
    const { http } = createSmallApi({ fetch, runtime: virtualRuntime().runtime });
    const message = `GET ${route}: ${status} failed`;
    await expect(http.GET(route, byId)).rejects.toMatchObject({ message, attempts: 1, retryable: false });
    expect(requests.length).toBe(1);
  });

  it("is sent three times at most, and its error says so", async () => {
    const { fetch } = stubFetch(json({}, 500));
    const { http } = createSmallApi({ fetch, runtime: virtualRuntime().runtime });
    const error = await http.GET(route, byId).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ attempts: 3, retryable: true, mayHaveBeenProcessed: false });
    expect((error as Error).message).toBe(`GET ${route}: 500 failed (after 3 attempts)`);
  });

  it("is not retried without retries, and does not stop other calls then", async () => {
    const { fetch, requests } = stubFetch(json({}, 429, { "retry-after": "1" }), json(store));
    const { runtime, waits } = virtualRuntime();
    const { http } = createSmallApi({ fetch, retry: 0, runtime });
    await expect(http.GET(route, byId)).rejects.toMatchObject({ status: 429 });
    await http.GET(route, byId);
    expect([requests.length, waits]).toEqual([2, []]);
  });
});

describe("a write", () => {
  it.each([
    [429, 2],
    [503, 1],
  ])("that may not be repeated and is answered with %i is sent %i times", async (status, count) => {
    const { fetch, requests } = stubFetch(json({}, status), json(store));
    const { http } = createSmallApi({ fetch, runtime: virtualRuntime().runtime }, { mayRepeat: () => false });
    await http.PUT(route, put).catch(() => {});
    expect(requests.length).toBe(count);
  });

  it.each(["ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "that was never sent (%s) is sent again and was not processed",
    async (code) => {
      const { fetch } = stubFetch(failure(code));
      const { http } = createSmallApi(
        { fetch, runtime: virtualRuntime().runtime },
        { mayRepeat: () => false },
      );
      await expect(http.PUT(route, put)).rejects.toMatchObject({ attempts: 3, mayHaveBeenProcessed: false });
    },
  );

  it.each([
    "ENOTFOUND",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_SSL_WRONG_VERSION_NUMBER",
  ])("is not repeated after %s, which does not pass", async (code) => {
    const { fetch } = stubFetch(failure(code));
    const { http } = createSmallApi({ fetch, runtime: virtualRuntime().runtime });
    await expect(http.PUT(route, put)).rejects.toMatchObject({
      attempts: 1,
      retryable: false,
      mayHaveBeenProcessed: false,
      cause: { code },
    });
  });
});

describe("Retry-After", () => {
  it.each([
    ["seconds", { "retry-after": "2" }],
    [
      "a date, measured by the clock of the service",
      { "retry-after": "Sat, 01 Jan 2050 00:00:02 GMT", date: "Sat, 01 Jan 2050 00:00:00 GMT" },
    ],
  ])("of just maxDelay is waited for as %s", async (_, headers) => {
    const { runtime, waits } = virtualRuntime();
    const { fetch } = stubFetch(json({}, 503, headers), json(store));
    await createSmallApi({ fetch, runtime, retry: { maxDelay: 2000 } }).http.GET(route, byId);
    expect(waits).toEqual([2000]);
  });

  it.each([
    ["120", {}, 0, "Retry-After is 120 s, longer than retry.maxDelay (30000 ms)"],
    ["20", { totalTimeout: 10_000 }, 0, "the next attempt would be after totalTimeout (10000 ms)"],
    ["20", { totalTimeout: 400_000 }, 19, "the next attempt would be after totalTimeout (400000 ms)"],
    ["20", {}, 14, "the service accepted no request for 5 minutes; set totalTimeout to wait longer"],
  ])(
    "of %s s with %j in each response ends the call after %i waits",
    async (after, options, count, words) => {
      const { runtime, waits } = virtualRuntime();
      const limiter = { acquire() {} };
      const { fetch } = stubFetch(json({}, 429, { "retry-after": after }));
      await expect(
        createSmallApi({ fetch, runtime, limiter, ...options }).http.GET(route, byId),
      ).rejects.toThrow(words);
      expect(waits).toHaveLength(count);
    },
  );

  it("in each response is waited for as long as the service accepts other requests", async () => {
    const { runtime, waits } = virtualRuntime();
    const refused = json({}, 429, { "retry-after": "20" });
    let count = 0;
    const fetch = (async (url: string) =>
      url.endsWith("S-2") || (count += 1) > 30 ? json(store) : refused.clone()) as never;
    const other = { params: { path: { externalId: "S-2" } } };
    const limiter = { acquire() {} };
    const hooks = { onRetry: () => void api.http.GET(route, other) };
    const api = createSmallApi({ fetch, runtime, limiter, hooks });
    expect((await api.http.GET(route, byId)).data).toEqual(store);
    expect(waits).toHaveLength(30);
  });

  it("of a 429 stops the other calls of the client, and uses up no retry", async () => {
    const { runtime } = virtualRuntime();
    const refused = json({}, 429, { "retry-after": "1" });
    const { fetch, requests } = stubFetch(refused, refused, refused, refused, refused, json(store));
    const { http } = createSmallApi({ fetch, runtime });
    await Promise.all([http.GET(route, byId), http.GET(route, byId), http.GET(route, byId)]);
    expect(requests.length).toBe(8);
  });
});

describe("a time limit", () => {
  const never = () => new Promise<Response>(() => {});

  it("ends an attempt whose body never comes", async () => {
    const { fetch, requests } = stubFetch(() => new Response(new ReadableStream(), { status: 200 }));
    const { http } = createSmallApi({ fetch, timeout: 5, retry: 0 });
    const error = await http.GET(route, byId).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ kind: "attempt", after: 5, retryable: true, mayHaveBeenProcessed: false });
    expect((error as Error).message).toContain("no complete response within 5 ms (timeout)");
    expect(requests[0]?.signal).toMatchObject({ aborted: true, reason: error });
  });

  it("ends a call with all its attempts", async () => {
    const { fetch } = stubFetch(never);
    const { http } = createSmallApi({ fetch, timeout: Infinity, totalTimeout: 20 });
    const message = `GET ${route}: no complete response within 20 ms (totalTimeout)`;
    await expect(http.GET(route, byId)).rejects.toMatchObject({ kind: "total", after: 20, message });
  });

  it("ends the wait for a limiter after a lost attempt, and says that this one may have been processed", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch } = stubFetch(json({}, 429));
    const acquire = ({ attempt }: { attempt: number }) =>
      attempt === 1 ? undefined : new Promise<void>(() => {});
    const retry = { maxDelay: 1 };
    for (const [lost, mayHaveBeenProcessed] of [
      [fetch, false],
      [stubFetch(reset).fetch, true],
    ] as const) {
      const { http } = createSmallApi({ fetch: lost, totalTimeout: 20, retry, limiter: { acquire } });
      const what =
        "no further request was sent: the limiter, a slot of maxConcurrency or the token was awaited within 20 ms (totalTimeout)";
      const message = expect.stringContaining(what) as string;
      await Promise.all([
        expect(http.PUT(route, put)).rejects.toMatchObject({ kind: "total", message, mayHaveBeenProcessed }),
        vi.advanceTimersByTimeAsync(20),
      ]);
    }
  });

  it("and a wait leave no timer behind, also if a signal ends them", async () => {
    vi.useFakeTimers();
    try {
      const { fetch } = stubFetch(json(store), json({}, 503));
      const { http } = createSmallApi({ fetch, totalTimeout: 20_000 });
      await http.GET(route, byId);
      expect(vi.getTimerCount()).toBe(0);
      const controller = new AbortController();
      const waiting = http.GET(route, { ...byId, signal: controller.signal });
      await vi.advanceTimersByTimeAsync(1);
      controller.abort(new Error("enough"));
      await expect(waiting).rejects.toThrow("enough");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a signal", () => {
  it("ends a call with its reason, and leaves no listener behind", async () => {
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const { fetch } = stubFetch(json(store));
    const { http } = createSmallApi({ fetch });
    for (let count = 0; count < 3; count += 1) await http.GET(route, { ...byId, signal: controller.signal });
    expect(remove.mock.calls).toEqual(add.mock.calls);
    controller.abort(new Error("enough"));
    await expect(http.GET(route, { ...byId, signal: controller.signal })).rejects.toThrow("enough");
  });

  it("ends a request with its reason, which hooks see as well", async () => {
    const controller = new AbortController();
    const errors: unknown[] = [];
    const hooks = { onResponse: ({ error }: { error?: unknown }) => void errors.push(error) };
    const { fetch } = stubFetch(() => new Promise(() => controller.abort("enough")));
    const { http } = createSmallApi({ fetch, hooks, retry: 0 });
    await expect(http.GET(route, { ...byId, signal: controller.signal })).rejects.toBe("enough");
    expect(errors).toEqual(["enough"]);
  });

  it("ends the wait for a slot, which others can take then", async () => {
    const controller = new AbortController();
    let release = (_: Response): void => {};
    const { fetch, requests } = stubFetch(
      () => new Promise<Response>((resolve) => (release = resolve)),
      json(store),
    );
    const { http } = createSmallApi({ fetch, maxConcurrency: 1 });
    const first = http.GET(route, byId);
    const second = http.GET(route, { ...byId, signal: controller.signal });
    const third = http.GET(route, byId);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(second).rejects.toMatchObject({ name: "AbortError" });
    release(json(store));
    await first;
    await third;
    expect(requests.length).toBe(2);
  });
});

it("a retry gets a slot before a new call", async () => {
  const order: string[] = [];
  let release = (): void => {};
  const respond = async (url: string): Promise<Response> => {
    const id = url.slice(-1);
    if (order.push(id) === 1) return json({}, 503);
    if (id === "A") await new Promise<void>((resolve) => (release = resolve));
    return json(store);
  };
  const { runtime } = virtualRuntime();
  const { http } = createSmallApi({ fetch: respond, maxConcurrency: 1, runtime });
  const ids = ["S-B", "S-A", "S-C"];
  const calls = ids.map((externalId) => http.GET(route, { params: { path: { externalId } } }));
  for (let turn = 0; turn < 9; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  release();
  await Promise.all(calls);
  expect(order).toEqual(["B", "A", "B", "C"]);
});

describe("a token function", () => {
  it("is asked once more after 401, and parallel calls share its answer", async () => {
    const given = vi.fn<(context: { refused: string | undefined }) => string>(({ refused }) =>
      refused === undefined ? "old-token-1" : "new-token-1",
    );
    const fetch = (async (_: string, init: { headers: Record<string, string> }) =>
      init.headers["authorization"] === "Bearer new-token-1" ? json(store) : json({}, 401)) as never;
    const { http } = createSmallApi({ fetch }, { credential: given });
    await Promise.all([http.GET(route, byId), http.GET(route, byId), http.GET(route, byId)]);
    expect(given.mock.calls.filter(([{ refused }]) => refused !== undefined).length).toBe(1);
  });

  it("is not asked again for a refusal that comes after its new token", async () => {
    const refusals: unknown[] = [];
    const credential = ({ refused }: { refused: string | undefined }) => {
      if (refused === undefined) return "old-token-1";
      refusals.push(refused);
      return "new-token-1";
    };
    let refuse = (_: Response): void => {};
    const late = () => new Promise<Response>((resolve) => (refuse = resolve));
    const { fetch } = stubFetch(late, json({}, 401), json(store));
    const { http } = createSmallApi({ fetch }, { credential });
    const first = http.GET(route, byId);
    await new Promise((resolve) => setImmediate(resolve));
    await http.GET(route, byId);
    refuse(json({}, 401));
    await first;
    expect(refusals).toEqual(["old-token-1"]);
  });

  it.each([
    ["has no other token", 1, () => "same-token-1"],
    [
      "always has another token",
      2,
      ({ refused = "token-1" }: { refused: string | undefined }) => `${refused}0`,
    ],
  ])("that %s ends the call with 401, after %i requests", async (_, count, credential) => {
    const { fetch, requests } = stubFetch(json({}, 401));
    const { http } = createSmallApi({ fetch }, { credential });
    await expect(http.GET(route, byId)).rejects.toBeInstanceOf(ApiError);
    expect(requests.length).toBe(count);
  });

  it.each([
    ["cannot be read", () => Promise.reject(new Error("vault is sealed"))],
    ["is the same token", () => "old-token-1"],
    ["expires", () => "new-token-1"],
  ])("whose other token %s is asked again by the next call", async (_, other) => {
    const others: (() => string | Promise<string>)[] = [other, () => "new-token-2"];
    const credential = ({ refused }: { refused: string | undefined }) =>
      refused === undefined ? "old-token-1" : (others.shift()?.() ?? "");
    const fetch = (async (__: string, init: { headers: Record<string, string> }) =>
      init.headers["authorization"] === "Bearer new-token-2" ? json(store) : json({}, 401)) as never;
    const { http } = createSmallApi({ fetch }, { credential });
    await expect(http.GET(route, byId)).rejects.toThrow(Error);
    expect((await http.GET(route, byId)).data).toEqual(store);
  });

  it("is not asked for another token after 503", async () => {
    const refusals: unknown[] = [];
    const credential = ({ refused }: { refused: string | undefined }) => `token-${refusals.push(refused)}`;
    const { fetch } = stubFetch(json({}, 503), json(store));
    await createSmallApi({ fetch, runtime: virtualRuntime().runtime }, { credential }).http.GET(route, byId);
    expect(refusals).toEqual([undefined, undefined]);
  });

  it("that throws rejects the call with its own error", async () => {
    const own = new Error("vault is sealed");
    const { fetch, requests } = stubFetch(json(store));
    const { http } = createSmallApi({ fetch }, { credential: () => Promise.reject(own) });
    await expect(http.GET(route, byId)).rejects.toBe(own);
    expect(requests.length).toBe(0);
  });

  it("that returns after the client was drained is followed by no request", async () => {
    const { fetch, requests } = stubFetch(json(store));
    const credential = () => {
      void api.core.shared.drain();
      return "token-1";
    };
    const api = createSmallApi({ fetch }, { credential });
    await expect(api.http.GET(route, byId)).rejects.toThrow("drain");
    expect(requests.length).toBe(0);
  });
});

it("a failed request of a client that was drained meanwhile ends with its own error", async () => {
  const { fetch } = stubFetch(() => (void api.core.shared.drain(), json({}, 503)));
  const api = createSmallApi({ fetch });
  await expect(api.http.GET(route, byId)).rejects.toThrow("503 failed (the client is drained)");
});
