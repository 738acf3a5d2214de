import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { FleetClient } from "../../../src/index.ts";
import { tokenBucket } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const respondAfter = (ms: number, response: () => Response) => async (): Promise<Response> => {
  await new Promise((resolve) => void setTimeout(resolve, ms));
  return response();
};
const drained = expect.objectContaining({ name: "AbortError" }) as Error;
const settle = (call: PromiseLike<unknown>) => Promise.resolve(call).catch((reason: unknown) => reason);

describe("drain", () => {
  it("lets requests in flight finish, and then resolves", async () => {
    const { client } = stubClient(respondAfter(5000, () => json(store)));
    const call = client.stores.get("S");
    await vi.advanceTimersByTimeAsync(10);
    let isDrained = false;
    const done = client.drain().then(() => {
      isDrained = true;
    });
    await vi.advanceTimersByTimeAsync(4000);
    expect(isDrained).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await call).toEqual(store);
    await done;
  });

  it.each([
    ["the limiter", { limiter: tokenBucket({ perSecond: 0.001, burst: 1 }) }],
    ["a slot", { maxConcurrency: 1 }],
  ])("ends the waits for %s at once", async (_, options) => {
    const { client, sent } = stubClient(
      respondAfter(100, () => json(store)),
      options,
    );
    const [first, ...waiting] = ["A", "B", "C"].map((id) => settle(client.stores.get(id)));
    await vi.advanceTimersByTimeAsync(10);
    const done = client.drain();
    expect(await Promise.all(waiting)).toEqual([drained, drained]);
    await vi.advanceTimersByTimeAsync(100);
    await done;
    expect(await first).toEqual(store);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends the wait for a retry at once", async () => {
    const { client, sent } = stubClient(() => json({}, { status: 503, headers: { "retry-after": "20" } }));
    const call = settle(client.stores.get("S"));
    await vi.advanceTimersByTimeAsync(10);
    await client.drain();
    expect(await call).toEqual(drained);
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("leaves a failed request without a retry, and names the reason", async () => {
    const { client, sent } = stubClient(respondAfter(100, () => json({}, { status: 500 })));
    const call = settle(client.stores.get("S"));
    await vi.advanceTimersByTimeAsync(10);
    const done = client.drain();
    await vi.advanceTimersByTimeAsync(100);
    await done;
    expect(await call).toMatchObject({
      status: 500,
      message: expect.stringContaining("(the client is drained)") as string,
    });
    expect(sent).toHaveLength(1);
  });

  it("rejects later calls, lists and requests, also of clients of withOptions", async () => {
    const { client, sent } = stubClient();
    const other = client.withOptions({ timeout: 1000 });
    await Promise.all([client.drain(), client.drain()]);
    const calls = [
      client.stores.get("S"),
      other.stores.get("S"),
      client.stores.list(),
      client.fetch("https://store.example/base/v1/stores"),
    ];
    expect(await Promise.all(calls.map(settle))).toEqual(calls.map(() => drained));
    expect(sent).toEqual([]);
  });

  it("sends nothing for a call that waits for its token", async () => {
    let give: (token: string) => void = () => {};
    const { client, sent } = stubClient(undefined, {
      token: () =>
        new Promise((resolve) => {
          give = resolve;
        }),
    });
    const call = settle(client.stores.get("S"));
    await vi.advanceTimersByTimeAsync(10);
    const done = client.drain();
    give("late-token");
    expect(await call).toEqual(drained);
    await done;
    expect(sent).toEqual([]);
  });

  it("leaves no listener", async () => {
    const { client } = stubClient(
      respondAfter(1, () => json(store)),
      { maxConcurrency: 1 },
    );
    const caller = new AbortController();
    const calls = ["A", "B"].map((id) => settle(client.stores.get(id, { signal: caller.signal })));
    await vi.advanceTimersByTimeAsync(10);
    await Promise.all([...calls, client.drain()]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });

  it("is a method of the fleet client", async () => {
    const ref = createReferenceServer();
    const key = ref.keys[0]?.key ?? "";
    const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key, fetch: ref.fetch });
    await fleet.drain();
    await expect(fleet.vehicles.list()).rejects.toEqual(drained);
  });
});
