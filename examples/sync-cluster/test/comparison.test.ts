import assert from "node:assert/strict";
import { test } from "node:test";
import { assertSameAsServer } from "./comparison.ts";
import { begin, endOf, startCluster } from "./cluster.ts";

test("the comparison fails if a row is missing, changed or additional", async () => {
  await using cluster = await startCluster({ stores: 3, protocolsPerStore: 3 });
  await begin(cluster);
  cluster.workers(1);
  await endOf(cluster);
  await assertSameAsServer(cluster);
  const { db } = cluster;
  const row = await db.selectFrom("photos").selectAll().executeTakeFirstOrThrow();
  const photo = { ...row, data: JSON.stringify(row.data) };

  await db
    .insertInto("photos")
    .values({ ...photo, key: "another" })
    .execute();
  await assert.rejects(assertSameAsServer(cluster), /rows that the server lacks/);
  await db.deleteFrom("photos").where("key", "in", ["another", row.key]).execute();
  await assert.rejects(assertSameAsServer(cluster), new RegExp(`photos ${row.external_id} ${row.key}`));
  await db
    .insertInto("photos")
    .values({ ...photo, data: "{}" })
    .execute();
  await assert.rejects(assertSameAsServer(cluster), new RegExp(`photos ${row.external_id} ${row.key}`));
});
