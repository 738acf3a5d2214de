import { describe, expect, it } from "vitest";
import { tokenBucket } from "../../src/index.ts";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

/** A signal that counts its listeners: platforms warn about more than ten. */
function countedSignal(): { signal: AbortSignal; most: () => number; left: () => number } {
  const { signal } = new AbortController();
  let count = 0;
  let most = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<AbortSignal["addEventListener"]>) => {
    count += 1;
    most = Math.max(most, count);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<AbortSignal["addEventListener"]>) => {
    count -= 1;
    removeEventListener.apply(signal, args);
  };
  return { signal, most: () => most, left: () => count };
}

const fifty = <T>(run: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => run(index)));

describe.each(["fetch", "shelfleet/node"])("one signal in 50 concurrent calls over %s", (name) => {
  it("has one listener at a time, for calls, lists, waits for a limiter and writes in order", async () => {
    const ref = createReferenceServer({ store: { stores: 3 }, fleet: { vehicles: 3 } });
    const served = await serve(ref);
    const limiter = tokenBucket({ perSecond: 2_000, burst: 1 });
    const transport = name === "fetch" ? {} : { transport: nodeTransport() };
    const store = new StoreClient({ baseUrl: served.storeUrl, token: ref.token, limiter, ...transport });
    const key = ref.keys[0]?.key ?? "";
    const fleet = new FleetClient({ baseUrl: served.fleetUrl, key, limiter, ...transport });
    const { signal, most, left } = countedSignal();
    try {
      await fifty(() => store.stores.get("S-1", { signal }));
      await fifty(() => store.stores.list({ limit: 1 }, { signal }).toArray());
      await fifty(() => fleet.vehicles.list({ limit: 1 }, { signal }).toArray());
      await fifty(() => store.contacts.modify("S-1", (rows) => rows, { signal }));
    } finally {
      await served.close();
    }
    expect(most()).toBe(1);
    expect(left()).toBe(0);
  });
});
