import { expect } from "vitest";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses } from "./outcomes.ts";
import { type World, world } from "./world.ts";

const sizes = [1, 2, 3, 5];
const ids = ["S-1", "S-2", "S-3", "S-4", "S-5"];

/** Checks that every store is delivered once, with any page size and any meaning of a cursor. */
const everyStore: Check = async ({ store }) => {
  for (const limit of sizes) {
    const items = await store.stores.list({ limit }).toArray();
    expect(items.map(({ externalId }) => externalId)).toEqual(ids);
  }
};

stance("stores.cursor-start", { after: everyStore, at: everyStore });

/** A server with the same readings and with some stores without an external ID. */
function unnamed({ readings }: World, count: number, stores = 5): World {
  return world(readings, { server: { store: { stores, storesWithoutId: count } } });
}

/** Every store comes once, those without an external ID too if the server lists them; `repeated` are page sizes of loops. */
function everyStoreOf(listed: boolean, repeated: number[] = []): Check {
  return async (w) => {
    const { store, ref } = unnamed(w, 2);
    const { stores, storesWithoutId } = ref.state.store;
    const kept = [...stores.values(), ...(listed ? storesWithoutId.values() : [])].map(
      ({ storeId }) => storeId,
    );
    for (const limit of [...sizes, 6, 7, 8, undefined]) {
      if (repeated.includes(limit ?? 0)) {
        const error = await failureOf(store.stores.list({ limit }).toArray());
        expect(error).toMatchObject({ name: "PaginationError" });
        continue;
      }
      const items = await store.stores.list({ limit }).toArray();
      expect(items.map(({ storeId }) => storeId).toSorted()).toEqual(kept.toSorted());
      expect(items.filter(({ externalId }) => externalId === null)).toHaveLength(listed ? 2 : 0);
    }
  };
}

stance("stores.null-external-id", { listed: everyStoreOf(true), "never-listed": everyStoreOf(false) });

stance("stores.null-cursor", {
  "last-page": everyStoreOf(true),
  // a page that contains only a store without an external ID ends at the cursor with which it began
  "last-not-null": everyStoreOf(true, [1]),
  "null-early": async (w) => {
    await everyStoreOf(true)(w);
    // pages of 99 and of 100 stores end at a store without an external ID, so neither has a next cursor
    const { ref, store } = unnamed(w, 0, 150);
    const [one] = ref.state.store.stores.values();
    if (one === undefined) throw new Error("the seed has no store");
    const before = [...ref.state.store.stores.keys()].toSorted()[97] ?? "";
    for (const place of [1, 2]) {
      const storeId = `00000000-0000-4000-8000-00000000000${place}`;
      ref.state.store.storesWithoutId.set(`${before}\0${place}`, { ...one, storeId, externalId: null });
    }
    for (const limit of [100, undefined]) {
      const error = await failureOf(store.stores.list({ limit }).toArray());
      expect(error).toMatchObject({
        name: "PaginationError",
        reason: expect.stringContaining("use another `limit`") as string,
      });
    }
    await expect(store.stores.list({ limit: 98 }).toArray()).resolves.toHaveLength(152);
  },
});

const unknown = { cursor: "S-3/none", limit: 1 };

/** The IDs that a walk delivers when the store that its cursor names is deleted after the first page. */
async function afterDeletion({ store, ref }: World): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for await (const page of store.stores.list({ limit: 2 }).pages()) {
    found.push(...page.items.map(({ externalId }) => externalId));
    ref.state.store.stores.delete("S-2");
  }
  return found;
}

stance("stores.unknown-cursor", {
  "next-greater": async (w) => {
    const { store } = w;
    expect((await store.stores.list(unknown).toArray()).map((one) => one.externalId)).toEqual(ids.slice(3));
    expect(await afterDeletion(w)).toEqual(ids);
  },
  reject: async (w) => {
    await storeRefuses(w.store.stores.list(unknown).toArray(), 400);
    await storeRefuses(afterDeletion(w), 400);
  },
  empty: async (w) => {
    expect(await w.store.stores.list(unknown).toArray()).toEqual([]);
    expect(await failureOf(afterDeletion(w))).toMatchObject({ name: "PaginationError" });
  },
});
