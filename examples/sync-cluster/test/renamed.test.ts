import assert from "node:assert/strict";
import { test } from "node:test";
import { runSync, startCluster, type TestCluster } from "./cluster.ts";

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

test("a store with the external ID that another one had is read from the beginning", async () => {
  await using cluster = await startCluster({ stores: 9, protocolsPerStore: 5 });
  assert.equal((await runSync(cluster)).exit, 0);
  exchange(cluster, "S-7", "S-8");
  assert.equal((await runSync(cluster, { workers: 0 })).exit, 0);
  const rows = await cluster.db.selectFrom("protocols").select(["external_id", "key"]).execute();
  const held = new Set(rows.map(({ external_id, key }) => `${external_id} ${key}`));
  for (const id of ["S-7", "S-8"])
    for (const { protocolId } of cluster.ref.state.store.protocols.get(id) ?? [])
      assert.ok(held.has(`${id} ${protocolId}`), `${id} ${protocolId}`);
});
