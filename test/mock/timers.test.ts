import { afterEach, describe, expect, test, vi } from "vitest";
import { StoreClient } from "../../src/client/store/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { adapters } from "./adapters.ts";

const { setImmediate } = globalThis;

/** Only these timers are fake: Node's HTTP needs the others. */
function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
}

/** Longer than a test may take, so that only fake timers end it, and shorter than the timeouts of fetch. */
const LONG = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Waits for real time, also under fake timers. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(adapters)("a mock over %s", (_name, start) => {
  test.for(["before", "after"])(
    'delays by fake timers that are installed %s the server is created, with `timers: "global"`',
    async (moment) => {
      if (moment === "before") useFakeTimers();
      const ref = createReferenceServer({ timers: "global" });
      const { fetch, storeUrl } = await start(ref);
      if (moment === "after") useFakeTimers();
      ref.on("getStore").delay(LONG);
      let status = 0;
      const headers = { authorization: `Bearer ${ref.token}` };
      const done = fetch(`${storeUrl}/v1/stores/S-1`, { headers }).then((response) => {
        status = response.status;
      });
      await until(() => ref.journal.all().length === 1 && vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(LONG - 1);
      expect(status).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      await done;
      expect(status).toBe(200);
    },
  );

  test("delays by real timers by default, although fake timers stand still", async () => {
    const ref = createReferenceServer();
    const { fetch, storeUrl } = await start(ref);
    useFakeTimers();
    ref.on("getStore").delay(5);
    const headers = { authorization: `Bearer ${ref.token}` };
    expect((await fetch(`${storeUrl}/v1/stores/S-1`, { headers })).status).toBe(200);
  });

  test("stalls until the client's timeout, whose timers are fake", async () => {
    const ref = createReferenceServer({ timers: "global" });
    const { fetch, storeUrl } = await start(ref);
    useFakeTimers();
    ref.on("getStore").fault("stall");
    const client = new StoreClient({ baseUrl: storeUrl, token: ref.token, fetch, timeout: LONG, retry: 0 });
    let failure: unknown;
    const done = client.stores.get("S-1").catch((error: unknown) => {
      failure = error;
    });
    await until(() => ref.journal.all().length === 1);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(LONG);
    await done;
    expect(failure).toMatchObject({ name: "TimeoutError" });
  });
});

test.for([
  ["global", 200],
  ["captured", 429],
] as const)(
  "limits of the mock with `timers: %s` respond with %i once fake timers advanced",
  ([timers, status]) => {
    const ref = createReferenceServer({ timers, limits: { perSecond: 0.001, burst: 1 } });
    vi.useFakeTimers();
    const headers = { authorization: `Bearer ${ref.token}` };
    const get = () => ref.respond({ base: "store", method: "GET", target: "/v1/stores", headers }).status;
    expect([get(), get()]).toEqual([200, 429]);
    vi.advanceTimersByTime(999_000);
    expect(get()).toBe(429);
    vi.advanceTimersByTime(1_000);
    expect([get(), get()]).toEqual([status, 429]);
  },
);
