import { describe, expect, it, vi } from "vitest";
import { ConnectionError, type SettledEvent, TimeoutError } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";

function watch() {
  const settled: SettledEvent[] = [];
  let requests = 0;
  const hooks = {
    onRequest: () => void (requests += 1),
    onSettled: (event: SettledEvent) => void settled.push(event),
  };
  return { hooks, settled, requests: () => requests };
}

const hang = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });

describe("onSettled", () => {
  it("comes once for each request, with the status or the failure", async () => {
    const { hooks, settled, requests } = watch();
    const { client } = stubClient(
      (_, index) => {
        if (index === 0) throw new TypeError("lost");
        return index === 1 ? json({}, { status: 500 }) : json(store, { headers: { "request-id": "r" } });
      },
      { hooks, retry: { maxDelay: 0 } },
    );
    await client.stores.get("S");
    expect(requests()).toBe(3);
    expect(settled).toMatchObject([
      { attempt: 1, status: undefined, error: expect.any(ConnectionError) as unknown },
      { attempt: 2, status: 500, error: undefined, requestId: undefined },
      { attempt: 3, status: 200, error: undefined, requestId: "r", route: "/v1/stores/{externalId}" },
    ]);
    expect(settled.every(({ duration }) => duration >= 0)).toBe(true);
  });

  it("comes for a timeout, for an abort, and for a request that break has ended", async () => {
    const { hooks, settled } = watch();
    const { client } = stubClient(undefined, { hooks, retry: 0, fetch: hang });
    await client.stores.get("S", { timeout: 5 }).catch(() => {});
    await client.stores.get("S", { signal: AbortSignal.timeout(5) }).catch(() => {});
    const page = { items: [store], nextCursor: "S-1" };
    const walk = stubClient(undefined, {
      hooks,
      fetch: (url, init) => (url.includes("cursor") ? hang(url, init) : Promise.resolve(json(page))),
    });
    for await (const _ of walk.client.stores.list().items({ prefetch: 1 })) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toMatchObject([
      { status: undefined, error: expect.any(TimeoutError) as unknown },
      { status: undefined, error: { name: "TimeoutError" } },
      { status: 200 },
      { status: undefined, error: { name: "AbortError" } },
    ]);
  });

  it("comes with the reason of the abort for a response that arrives after it, and onResponse does not", async () => {
    const caller = new AbortController();
    const { hooks, settled } = watch();
    const onResponse = vi.fn<() => void>();
    let finish: () => void = () => {};
    const { client } = stubClient(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(json(store));
        }),
      { hooks: { ...hooks, onResponse } },
    );
    const call = client.stores.get("S", { signal: caller.signal }).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort("enough");
    expect(await call).toBe("enough");
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toMatchObject([{ status: undefined, error: "enough" }]);
    expect(onResponse).not.toHaveBeenCalled();
  });

  it("has the attempt and the wait of its request, also if that ends after the next one began", async () => {
    const { hooks, settled } = watch();
    let finish: () => void = () => {};
    const { client } = stubClient(
      (_, index) =>
        index > 0
          ? json(store)
          : new Promise((resolve) => {
              finish = () => resolve(json(store));
            }),
      {
        hooks,
        retry: { maxDelay: 0 },
        limiter: { acquire: () => new Promise((resolve) => setTimeout(resolve, 3)) },
      },
    );
    await client.stores.get("S", { timeout: 100 }); // the second response must arrive in time
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    // a transport that can abort a request ends the first one before the second
    expect(
      settled
        .map(({ attempt, status }) => [attempt, status] as const)
        .toSorted(([one], [other]) => one - other),
    ).toEqual([
      [1, undefined],
      [2, 200],
    ]);
    expect(settled.every(({ waited }) => waited > 0)).toBe(true);
  });

  it("comes for both requests of a call whose token was replaced", async () => {
    const { hooks, settled } = watch();
    const { client } = stubClient((_, index) => json(store, { status: index === 0 ? 401 : 200 }), {
      hooks,
      token: ({ refused }) => (refused === undefined ? token : "another-token"),
    });
    await client.stores.get("S");
    expect(settled.map(({ status }) => status)).toEqual([401, 200]);
  });

  it("comes after a hook has aborted the call before it was sent", async () => {
    const caller = new AbortController();
    const { hooks, settled } = watch();
    const { client, sent } = stubClient(undefined, {
      hooks: { ...hooks, onRequest: () => caller.abort("enough") },
    });
    await expect(client.stores.get("S", { signal: caller.signal })).rejects.toBe("enough");
    expect(settled).toMatchObject([{ status: undefined, error: "enough" }]);
    expect(sent).toEqual([]);
  });
});

describe("the user agent", () => {
  it("names the package, unless the caller names another or a browser has its own", async () => {
    const first = stubClient();
    await first.client.stores.get("S");
    expect(first.sent[0]?.headers["user-agent"]).toMatch(/^shelfleet\/\d+\.\d+\.\d+/);
    const own = stubClient(undefined, { headers: { "User-Agent": "sync/2" } });
    await own.client.stores.get("S");
    expect(own.sent[0]?.headers["user-agent"]).toBe("sync/2");
    const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    Object.defineProperty(globalThis, "navigator", {
      value: { userAgent: "Mozilla/5.0" },
      configurable: true,
    });
    const page = stubClient();
    Object.defineProperty(globalThis, "navigator", before ?? { value: undefined, configurable: true });
    await page.client.stores.get("S");
    expect(page.sent[0]?.headers).not.toHaveProperty("user-agent");
  });
});
