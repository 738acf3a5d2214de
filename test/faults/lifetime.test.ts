import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serveReference } from "../mock/node/served.ts";
import { stubFetch } from "../client/core/stub-fetch.ts";
import { heap } from "../proof/heap.ts";
import { repetitions } from "../proof/run.ts";
import { clientsOf, healthyResponse } from "./operation-classes.ts";
import { scripts } from "./scripts.ts";
import { slowServer } from "./slow-server.ts";
import { StoreClient } from "../../src/index.ts";

/** Runs work in groups, because too many sockets at once could overflow the listen queue. */
async function inGroups<T>(ids: readonly string[], work: (id: string) => PromiseLike<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < ids.length; at += 200)
    results.push(...(await Promise.all(ids.slice(at, at + 200).map(work))));
  return results;
}

describe("many concurrent calls", () => {
  test("each get their own response over ref.fetch (10 000 calls)", async () => {
    const ref = createReferenceServer({ store: { stores: 10_000 } });
    const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
    const ids = Array.from({ length: 10_000 }, (_, index) => `S-${index + 1}`);
    const responses = await Promise.all(ids.map((id) => store.stores.get(id)));
    expect(responses.map(({ externalId }) => externalId)).toEqual(ids);
  });

  test("each get their own response over real HTTP (10 000 calls)", async () => {
    const { ref, storeUrl } = await serveReference({ store: { stores: 10_000 } });
    const store = new StoreClient({ baseUrl: storeUrl, token: ref.token, timeout: 120_000 });
    const ids = Array.from({ length: 10_000 }, (_, index) => `S-${index + 1}`);
    const responses = await inGroups(ids, (id) => store.stores.get(id));
    expect(responses.map(({ externalId }) => externalId)).toEqual(ids);
    expect(ref.journal.of("getStore")).toHaveLength(10_000);
  });

  test("leave no listener and no open request after they are aborted", async () => {
    const server = await slowServer(() => ({ storeId: "1" }), 0, 60_000);
    const { store } = clientsOf(server.url);
    const { signal, abort } = abortable();
    const calls: PromiseLike<unknown>[] = [];
    for (const open of [200, 400, 600, 800, 1000]) {
      while (calls.length < open) calls.push(store.stores.get("S", { signal, timeout: 600_000 }));
      await vi.waitFor(() => expect(server.open()).toBe(open), 60_000);
    }
    abort(new Error("enough"));
    const settled = await Promise.allSettled(calls);
    expect(
      settled.every((one) => one.status === "rejected" && (one.reason as Error).message === "enough"),
    ).toBe(true);
    await vi.waitFor(() => expect(server.open()).toBe(0), 60_000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

function abortable(): { signal: AbortSignal; abort: (reason: Error) => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}

describe("a signal that many calls share", () => {
  test("has no listener after 100 000 calls, lists and retries, which also keep no memory", async () => {
    const { signal } = abortable();
    const { fetch, sent } = stubFetch((request, index) => {
      const { status, body } = healthyResponse({
        ...request,
        target: request.url.slice(17),
        headers: "",
        body: "",
      });
      return new Response(index % 100 === 0 ? "{}" : body, { status: index % 100 === 0 ? 500 : status });
    });
    const store = new StoreClient({
      baseUrl: "http://127.0.0.1",
      token: "some-token",
      fetch,
      retry: { maxDelay: 0 },
    });
    let [calls, before] = [0, Infinity];
    while (calls < 100_000 * repetitions) {
      const gets = Array.from({ length: 997 }, () => store.stores.get("S", { signal }));
      await Promise.all([...gets, store.stores.list({}, { signal }).toArray()]);
      calls += 1000;
      sent.length = 0;
      if (calls === 10_000) before = heap();
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
    expect(heap() - before).toBeLessThan(10_000_000);
  });
});

describe("a walk that is left early", () => {
  const leave = {
    break: async (pages: AsyncIterable<unknown>) => {
      for await (const _ of pages) break;
    },
    throw: async (pages: AsyncIterable<unknown>) => {
      const walk = async (): Promise<void> => {
        for await (const _ of pages) throw new Error("left");
      };
      await expect(walk()).rejects.toThrow("left");
    },
    return: async (pages: AsyncIterable<unknown>) => {
      const iterator = pages[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.return?.();
    },
  };

  test.for(Object.entries(leave))(
    "cancels the requests in flight when it is left by %s",
    async ([, leaving]) => {
      const seen = { method: "GET", headers: "", body: "" };
      const bodyOf = (target: string): unknown =>
        JSON.parse(healthyResponse({ ...seen, target }).body) as unknown;
      for (const ahead of [1, 4]) {
        const store = await slowServer(bodyOf, 1, 60_000);
        const fleet = await slowServer(bodyOf, 1, 60_000);
        const timeout = { timeout: 60_000 };
        const lists = [
          clientsOf(store.url, {}, timeout).store.stores.list().pages({ prefetch: ahead }),
          clientsOf(fleet.url, {}, timeout).fleet.vehicles.list().pages({ concurrency: ahead }),
        ];
        for (const pages of lists) await leaving(pages);
        await vi.waitFor(() => expect([store.open(), fleet.open()]).toEqual([0, 0]), 60_000);
        await pause(20);
        expect([store.open(), fleet.open()]).toEqual([0, 0]);
        expect(store.taken()).toBeLessThanOrEqual(2);
      }
    },
  );

  test("cancels the requests in flight when its signal aborts, and rejects with the reason", async () => {
    const seen = { method: "GET", headers: "", body: "" };
    const server = await slowServer(
      (target) => JSON.parse(healthyResponse({ ...seen, target }).body) as unknown,
      1,
      60_000,
    );
    const { signal, abort } = abortable();
    const { fleet } = clientsOf(server.url, {}, { timeout: 60_000 });
    const walk = fleet.vehicles.list({}, { signal }).toArray();
    await vi.waitFor(() => expect(server.taken()).toBe(2), 60_000);
    abort(new Error("left"));
    await expect(walk).rejects.toThrow("left");
    await vi.waitFor(() => expect(server.open()).toBe(0), 60_000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a process", () => {
  test.for(Object.entries(scripts))("ends by itself after %s", async ([, script]) => {
    const flags = ["--input-type=module", "-e", script];
    // the deadlines in the scripts are one hour, so a leak would exceed the time limit
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 300_000 });
    expect(stdout).toBe("done\n");
  });
});
