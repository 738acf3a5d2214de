import { describe, expect, it } from "vitest";
import { type Hooks, StoreApiError } from "../../src/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

/** Hooks that keep what they are told, in its order. */
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
const told = { operation: "getStore", call: 1, method: "GET", url };

describe("hooks", () => {
  it("are told of each request, answer and retry in order", async () => {
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
      ["request", { ...told, attempt: 1 }],
      ["response", { ...told, attempt: 1, status: 503, duration: expect.any(Number) as number }],
      ["retry", { ...told, attempt: 1, status: 503, delay: expect.any(Number) as number, error: undefined }],
      ["request", { ...told, attempt: 2 }],
      ["response", { ...told, attempt: 2, status: 200, duration: expect.any(Number) as number }],
    ]);
  });

  it("are told of what a call rejects with, once", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(
      () => json({ error: { code: "not_found", message: "" } }, { status: 404 }),
      { hooks },
    );
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreApiError);
    expect(events.map(([name]) => name)).toEqual(["request", "response", "error"]);
    expect(events[2]).toEqual(["error", { ...told, attempt: 1, error }]);
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

  it("are told of a lost connection that is tried again", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(() => Promise.reject(new TypeError("lost")), {
      hooks,
      retry: { limit: 1, maxDelay: 1 },
    });
    await client.stores.get("S").catch(() => {});
    expect(events.map(([name]) => name)).toEqual(["request", "retry", "request", "error"]);
    expect(events[1]?.[1]).toMatchObject({ status: undefined, error: { name: "ConnectionError" } });
  });

  it("are told of an answer that a shape refuses", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(() => json({}), { hooks });
    await client.stores.get("S").catch(() => {});
    expect(events.at(-1)).toMatchObject(["error", { error: { name: "UnexpectedResponseError" } }]);
  });

  it("are told nothing of a call that is not sent", async () => {
    const { hooks, events } = watch();
    const { client } = stubClient(undefined, { hooks });
    await client.stores.get("").catch(() => {});
    expect(events).toEqual([]);
  });

  it.each(["onRequest", "onResponse", "onError"] as const)("that throw fail the call: %s", async (name) => {
    const reason = new TypeError("a hook's own");
    const hook = (): never => {
      throw reason;
    };
    const { client } = stubClient(() => json({}, { status: 404 }), { hooks: { [name]: hook } });
    await expect(client.stores.get("S")).rejects.toBe(reason);
  });

  it.each(["onRequest", "onResponse"] as const)("may abort the call: %s", async (name) => {
    const caller = new AbortController();
    const { client } = stubClient(() => json({}, { status: 404 }), {
      hooks: { [name]: () => caller.abort("enough") },
    });
    await expect(client.stores.get("S", { signal: caller.signal })).rejects.toBe("enough");
  });

  it.each([1, 2])("that throw before retry %i fail the call", async (nth) => {
    const reason = new TypeError("fetch failed");
    let calls = 0;
    const onRetry = (): void => {
      calls += 1;
      if (calls === nth) throw reason;
    };
    const { client, sent } = stubClient(() => json({}, { status: 500 }), {
      hooks: { onRetry },
      retry: { maxDelay: 1 },
    });
    await expect(client.stores.get("S")).rejects.toBe(reason);
    expect(sent).toHaveLength(nth);
  });
});
