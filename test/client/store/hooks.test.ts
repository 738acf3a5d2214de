import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Hooks, StoreApiError } from "../../../src/client/store/index.ts";
import { version } from "../../../src/wire/version.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";

/** Hooks that record their events in order. */
function watch(): { hooks: Hooks; events: [name: string, event: object][] } {
  const events: [string, object][] = [];
  const keep = (name: string) => (event: object) => void events.push([name, event]);
  const hooks = {
    onRequest: keep("request"),
    onResponse: keep("response"),
    onRetry: keep("retry"),
    onError: keep("error"),
  };
  return { hooks, events };
}

const url = "https://store.example/base/v1/stores/S";
const requestEvent = { operation: "getStore", call: 1, method: "GET", url, route: "/v1/stores/{externalId}" };
const duration = expect.any(Number) as number;
const requestId = undefined;

describe("hooks", () => {
  it("receive each request, response and retry in order", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(
      (_, index) => json(index === 0 ? {} : store, { status: index === 0 ? 503 : 200 }),
      {
        hooks,
        retry: { maxDelay: 2 },
      },
    );
    await client.stores.get("S");
    expect(events).toEqual([
      ["request", { ...requestEvent, attempt: 1 }],
      ["response", { ...requestEvent, attempt: 1, status: 503, duration, requestId }],
      [
        "retry",
        { ...requestEvent, attempt: 1, status: 503, delay: expect.any(Number) as number, error: undefined },
      ],
      ["request", { ...requestEvent, attempt: 2 }],
      ["response", { ...requestEvent, attempt: 2, status: 200, duration, requestId }],
    ]);
  });

  it("receive what a call rejects with, once", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(
      () => json({ error: { code: "not_found", message: "" } }, { status: 404 }),
      { hooks },
    );
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreApiError);
    expect(events.map(([name]) => name)).toEqual(["request", "response", "error"]);
    expect(events[2]).toEqual(["error", { ...requestEvent, attempt: 1, error }]);
  });

  it("can tell two calls alike at one time from each other, through their retries", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient((_, index) => json(store, { status: index < 2 ? 503 : 200 }), {
      hooks,
      retry: { maxDelay: 2 },
    });
    await Promise.all([client.stores.get("S"), client.stores.get("S")]);
    const ofCall = (call: number): string[] =>
      events.filter(([, event]) => (event as { call: number }).call === call).map(([name]) => name);
    expect(ofCall(1)).toEqual(["request", "response", "retry", "request", "response"]);
    expect(ofCall(2)).toEqual(ofCall(1));
  });

  it("receive a lost connection that is retried", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(() => Promise.reject(new TypeError("lost")), {
      hooks,
      retry: { limit: 1, maxDelay: 1 },
    });
    await client.stores.get("S").catch(() => {});
    expect(events.map(([name]) => name)).toEqual(["request", "retry", "request", "error"]);
    expect(events[1]?.[1]).toMatchObject({ status: undefined, error: { name: "ConnectionError" } });
  });

  it("receive a response that a shape rejects", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(() => json({}), { hooks });
    await client.stores.get("S").catch(() => {});
    expect(events.at(-1)).toMatchObject(["error", { error: { name: "UnexpectedResponseError" } }]);
  });

  it("receive nothing of a call that is not sent", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(undefined, { hooks });
    await client.stores.get("").catch(() => {});
    expect(events).toEqual([]);
  });

  it("receive the ID that the server gave a request", async () => {
    const { hooks, events } = watch();
    const headers = { "x-request-id": `r-1 of ${token}` };
    const { client } = stubClient(() => json(store, { headers }), { hooks });
    await client.stores.get("S");
    expect(events[1]?.[1]).toMatchObject({ requestId: "r-1 of [redacted]" });
  });

  it.each<[string, (event: { headers: Record<string, string> }) => unknown]>([
    ["later", async ({ headers }) => Object.assign(headers, { "x-late": await Promise.resolve("1") })],
    ["in another object", (event) => (event.headers = { ...event.headers, "x-late": "1" })],
  ])("a header that `onSend` sets %s is reported and not sent", async (_, onSend) => {
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const { client, sent } = stubClient(undefined, { hooks: { onSend, onHookError } });
    await client.stores.list();
    expect(sent.map(({ headers }) => headers["x-late"])).toEqual([undefined]);
    expect(onHookError.mock.calls).toEqual([[expect.any(TypeError), "onSend"]]);
  });

  it.each(["onSend", "onRequest", "onResponse", "onRetry", "onError"] as const)(
    "hooks that throw or reject do not change the outcome of a call, and are reported: %s",
    async (name) => {
      const reason = new TypeError("a hook's own");
      for (const hook of [
        (): never => {
          throw reason;
        },
        () => Promise.reject(reason),
        () => {
          // a thenable that is not a promise
          return { then: (_: unknown, reject: (error: unknown) => void) => reject(reason) };
        },
      ]) {
        const onHookError = vi.fn<(error: unknown, hook: string) => void>();
        const hooks = { [name]: hook as () => void, onHookError };
        const { client, sent } = stubClient((_, index) => json({}, { status: index === 0 ? 500 : 404 }), {
          hooks,
          retry: { limit: 1, maxDelay: 1 },
        });
        await expect(client.stores.get("S")).rejects.toMatchObject({ name: "StoreApiError", status: 404 });
        await new Promise((resolve) => setImmediate(resolve));
        expect(sent).toHaveLength(2);
        expect(onHookError).toHaveBeenCalledWith(reason, name);
      }
    },
  );

  it("hooks that fail without `onHookError`, or with one that fails, are written to the console once", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const reason = new TypeError("a hook's own");
    const fail = (): never => {
      throw reason;
    };
    const reject = () => Promise.reject(new Error("of `onHookError`"));
    for (const onHookError of [undefined, fail, reject as () => void]) {
      written.mockClear();
      const { client } = stubClient(undefined, { hooks: { onRequest: fail, onHookError } });
      await client.stores.get("S");
      await client.stores.get("S");
      await new Promise((resolve) => setImmediate(resolve));
      expect(written.mock.calls).toEqual([
        ["shelfleet: onRequest failed; further failures of hooks are not shown:", reason],
      ]);
    }
  });

  it("are not awaited", async () => {
    const never = () => new Promise<void>(() => {});
    const hooks = { onSend: never, onRequest: never, onResponse: never };
    const { client } = stubClient(undefined, { hooks });
    expect(await client.stores.get("S")).toHaveProperty("storeId");
  });

  it("may add headers to a request, but not take its token", async () => {
    const onSend = ({ headers }: { headers: Record<string, string> }): void => {
      headers.traceparent = "00-1";
      headers.Accept = "b";
    };
    const { client, sent } = stubClient(undefined, { hooks: { onSend } });
    await client.stores.get("S");
    expect(sent[0]?.headers).toEqual({
      accept: "b",
      "user-agent": `shelfleet/${version}`,
      traceparent: "00-1",
      authorization: `Bearer ${token}`,
    });
  });

  it("may take headers off, and do not see a token in them, which is sent all the same", async () => {
    const seen: object[] = [];
    const onSend = ({ headers }: { headers: Record<string, string> }): void => {
      seen.push({ ...headers });
      delete headers.accept;
    };
    const { client, sent } = stubClient(undefined, { hooks: { onSend }, headers: { "x-own": `a ${token}` } });
    await client.stores.get("S");
    expect(seen).toEqual([
      { accept: "application/json", "user-agent": `shelfleet/${version}`, "x-own": "a [redacted]" },
    ]);
    expect(sent[0]?.headers).toEqual({
      "user-agent": `shelfleet/${version}`,
      "x-own": `a ${token}`,
      authorization: `Bearer ${token}`,
    });
  });

  it("do not see a header whose name contains the token, which is sent all the same", async () => {
    const secret = "some-long-secret";
    const seen: object[] = [];
    const onSend = ({ headers }: { headers: Record<string, string> }): void => {
      seen.push({ ...headers });
    };
    const { client, sent } = stubClient(undefined, {
      token: secret,
      hooks: { onSend },
      headers: { [`x-${secret}`]: "1" },
    });
    await client.stores.get("S");
    expect(seen).toEqual([{ accept: "application/json", "user-agent": `shelfleet/${version}` }]);
    expect(sent[0]?.headers).toHaveProperty(`x-${secret}`, "1");
  });

  it("hooks that add headers which cannot be sent are reported, and none of their headers is sent", async () => {
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const names = ["Authorization", "a b", "x\n"];
    for (const name of names) {
      const onSend = ({ headers }: { headers: Record<string, string> }): void => {
        Object.assign(headers, { [name]: "x", "x-other": "y" });
      };
      const { client, sent } = stubClient(undefined, { hooks: { onSend, onHookError } });
      await client.stores.get("S");
      expect(sent[0]?.headers).toEqual({
        accept: "application/json",
        "user-agent": `shelfleet/${version}`,
        authorization: `Bearer ${token}`,
      });
    }
    expect(onHookError.mock.calls.map(([, hook]) => hook)).toEqual(["onSend", "onSend", "onSend"]);
  });

  it.each(["onRequest", "onResponse"] as const)("may abort the call: %s", async (name) => {
    const caller = new AbortController();
    const { client } = stubClient(() => json({}, { status: 404 }), {
      hooks: { [name]: () => caller.abort("enough") },
    });
    await expect(client.stores.get("S", { signal: caller.signal })).rejects.toBe("enough");
  });

  it("receive no error of a call that a hook has aborted before it was sent", async () => {
    const caller = new AbortController();
    const onError = vi.fn<() => void>();
    const { client, sent } = stubClient(undefined, {
      hooks: { onRequest: () => caller.abort("enough"), onError },
    });
    await expect(client.stores.get("S", { signal: caller.signal })).rejects.toBe("enough");
    expect(sent).toEqual([]);
    expect(onError).not.toHaveBeenCalled();
  });

  it("receive the start and the end of each call", async () => {
    const events: object[] = [];
    const keep = (event: object): void => void events.push({ ...event });
    const { client } = stubClient((_, index) => json(store, { status: index < 2 ? 404 : 200 }), {
      hooks: { onCall: keep, onCallEnd: keep },
    });
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    await client.stores.get("T").catch(() => {});
    await client.stores.get("U");
    const call = (number: number): object => ({
      operation: "getStore",
      call: number,
      method: "GET",
      route: "/v1/stores/{externalId}",
    });
    expect(events[1]).toEqual({ ...call(1), duration, attempts: 1, error });
    expect(events.slice(-2)).toEqual([call(3), { ...call(3), duration, attempts: 1, error: undefined }]);
    expect(events).toHaveLength(6);
  });

  it("have one scope for all events of a call, which is not enumerable", async () => {
    const scopes: unknown[] = [];
    const keep = (event: { scope: object }): void => {
      expect(Object.keys(event)).not.toContain("scope");
      scopes.push(event.scope);
    };
    const hooks: Hooks = {
      onCall: keep,
      onSend: keep,
      onRequest: keep,
      onResponse: keep,
      onRetry: keep,
      onSettled: keep,
      onError: keep,
      onCallEnd: keep,
    };
    const { client } = stubClient(() => json({}, { status: 500 }), {
      hooks,
      retry: { limit: 1, maxDelay: 0 },
    });
    await client.stores.get("S").catch(() => {});
    expect([scopes.length, new Set(scopes).size]).toEqual([12, 1]);
    await client.stores.get("S").catch(() => {});
    expect(new Set(scopes).size).toBe(2);
  });

  it("are all called if they are an array, also after one that fails", async () => {
    const failing = { onRequest: () => Promise.reject(new Error("first")), onHookError: vi.fn<() => void>() };
    const headers = (name: string): Hooks => ({
      onSend: (event) => {
        event.headers[name] = Object.keys(event.headers)
          .filter((key) => key.startsWith("x-"))
          .join();
      },
      onRequest: vi.fn<() => void>(),
    });
    const [first, second] = [headers("x-a"), headers("x-b")];
    const { client, sent } = stubClient(undefined, { hooks: [failing, first, second] });
    await client.stores.get("S");
    expect(sent[0]?.headers).toMatchObject({ "x-a": "", "x-b": "x-a" });
    for (const { onRequest } of [first, second]) expect(onRequest).toHaveBeenCalledOnce();
    expect(failing.onHookError).toHaveBeenCalledExactlyOnceWith(new Error("first"), "onRequest");
  });
});
