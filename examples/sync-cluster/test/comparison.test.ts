import assert from "node:assert/strict";
import { test } from "node:test";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { endOf, makeWorld } from "./world.ts";

test("the comparison notices a row that is lost, changed or too many", async () => {
  await using world = await makeWorld({ stores: 3, protocolsPerStore: 3 });
  await startRun(world.settings);
  world.workers(1);
  await endOf(world);
  await assertSameAsServer(world);
  const { db } = world;
  const row = await db.selectFrom("photos").selectAll().executeTakeFirstOrThrow();
  const photo = { ...row, data: JSON.stringify(row.data) };

  await db
    .insertInto("photos")
    .values({ ...photo, key: "another" })
    .execute();
  await assert.rejects(assertSameAsServer(world), /rows that the server lacks/);
  await db.deleteFrom("photos").where("key", "in", ["another", row.key]).execute();
  await assert.rejects(assertSameAsServer(world), new RegExp(`photos ${row.external_id} ${row.key}`));
  await db
    .insertInto("photos")
    .values({ ...photo, data: "{}" })
    .execute();
  await assert.rejects(assertSameAsServer(world), new RegExp(`photos ${row.external_id} ${row.key}`));
});
