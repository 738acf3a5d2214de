import assert from "node:assert/strict";
import { test } from "node:test";
import { syncToEnd, startCluster, type TestCluster } from "./cluster.ts";

/** Exchanges the external IDs of two stores, with what each of them has. */
function exchange({ ref }: TestCluster, one: string, other: string): void {
  const { stores, protocols, photos } = ref.state.store;
  const [first, second] = [stores.get(one), stores.get(other)];
  assert.ok(first !== undefined && second !== undefined);
  stores.set(one, { ...second, externalId: one });
  stores.set(other, { ...first, externalId: other });
  exchangeLists(protocols, one, other);
  exchangeLists(photos, one, other);
}

function exchangeLists<T>(lists: Map<string, T[]>, one: string, other: string): void {
  const items = lists.get(one) ?? [];
  lists.set(one, lists.get(other) ?? []);
  lists.set(other, items);
}

test("a store with the external ID that another one had is read at once and from the beginning", async () => {
  await using cluster = await startCluster({ stores: 9, protocolsPerStore: 5 });
  const ids = ["S-7", "S-8"];
  const { protocols } = cluster.ref.state.store;
  const served = (): string[] =>
    ids.flatMap((id) => (protocols.get(id) ?? []).map(({ protocolId }) => `${id} ${protocolId}`)).toSorted();
  const held = async (isReplaced: boolean): Promise<string[]> => {
    const rows = await cluster.db
      .selectFrom("protocols")
      .select(["external_id", "key"])
      .where("external_id", "in", ids)
      .where("replaced_at", isReplaced ? "is not" : "is", null)
      .execute();
    return rows.map(({ external_id, key }) => `${external_id} ${key}`).toSorted();
  };
  await syncToEnd(cluster);
  const tomorrow = new Date(Date.now() + 86_400_000);
  await cluster.db.updateTable("stores").set({ due_at: tomorrow }).execute();
  const before = served();
  exchange(cluster, "S-7", "S-8");
  await syncToEnd(cluster, { workers: 0 });
  assert.deepEqual(await held(false), served());
  assert.deepEqual(await held(true), before);
  exchange(cluster, "S-7", "S-8");
  await syncToEnd(cluster, { workers: 0 });
  assert.deepEqual(await held(false), before);
});
