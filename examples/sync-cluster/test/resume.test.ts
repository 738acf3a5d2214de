import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findPlace, OvertakenError, saveRows } from "../database/places.ts";
import { connect, openQueue } from "../queue.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { endOf, makeWorld, type World } from "./world.ts";

const size = { stores: 12, protocolsPerStore: 30 };

/** Lets one worker get as far as so many requests, and takes it away. */
async function beginWith(world: World, requests: number): Promise<void> {
  await startRun(world.settings);
  world.front.delay = 10;
  const [worker] = world.workers(1);
  while (world.front.arrivals.length < requests) await pause(5);
  await worker?.close();
  world.front.delay = 0;
}

test("a job goes on behind its last page", async () => {
  await using world = await makeWorld(size, { SYNC_PAGE_SIZE: "5" });
  await beginWith(world, 40);
  const begun = await world.db
    .selectFrom("places")
    .select(["external_id", "kind"])
    .where("resume", "is not", null)
    .where("kind", "=", "photos")
    .execute();
  assert.ok(begun.length > 0);
  const before = world.front.arrivals.length;
  world.workers(1);
  await endOf(world);
  for (const { external_id: store } of begun) {
    const path = `/v1/stores/${store}/photos`;
    const first = world.front.arrivals.slice(before).find(({ url }) => url.pathname === path);
    assert.ok(first?.url.searchParams.has("cursor"), `${path} began anew`);
  }
  await assertSameAsServer(world);
});

test("a Redis that has forgotten everything loses nothing", async () => {
  await using world = await makeWorld(size, { SYNC_PAGE_SIZE: "5" });
  await beginWith(world, 40);
  const redis = connect(world.settings.redisUrl);
  const queue = openQueue(redis, world.settings);
  await queue.obliterate({ force: true });
  await queue.close();
  redis.disconnect();
  await startRun(world.settings);
  world.workers(2);
  assert.equal((await endOf(world)).state, "finished");
  await assertSameAsServer(world);
});

test("a second run brings the rows up to date", async () => {
  await using world = await makeWorld(size);
  await startRun(world.settings);
  world.workers(2);
  await endOf(world);
  const [store, protocols] = [...world.ref.state.store.protocols][0] ?? ["", []];
  const changed = protocols.map((protocol) => ({ ...protocol, note: "changed" }));
  world.ref.state.store.protocols.set(store, changed);
  await startRun(world.settings);
  assert.equal((await endOf(world)).id, 2);
  await assertSameAsServer(world);
});

test("a worker that has lost its job saves nothing more", async () => {
  await using world = await makeWorld(size);
  const { id: runId } = await startRun(world.settings);
  const task = { runId, kind: "photos", externalId: "S-1" } as const;
  await world.db.insertInto("places").values({ run_id: runId, kind: "photos", external_id: "S-1" }).execute();
  const stale = await findPlace(world.db, task);
  assert.ok(stale);
  await saveRows(world.db, stale, { rows: [{ key: "a", data: {} }], resume: "on" });
  const late = saveRows(world.db, stale, { rows: [{ key: "b", data: {} }], resume: null });
  await assert.rejects(late, OvertakenError);
  const rows = await world.db.selectFrom("photos").select("key").execute();
  assert.deepEqual(rows, [{ key: "a" }]);
});

test("rows are kept as they came, whatever text is in them", async () => {
  await using world = await makeWorld(size);
  const { id: runId } = await startRun(world.settings);
  const task = { runId, kind: "photos", externalId: "S-1" } as const;
  await world.db.insertInto("places").values({ run_id: runId, kind: "photos", external_id: "S-1" }).execute();
  const place = await findPlace(world.db, task);
  assert.ok(place);
  const data = { nul: "a\u0000b", lone: "\ud800", quoted: `{"},\\`, number: 1e21, nothing: null };
  await saveRows(world.db, place, { rows: [{ key: `{"},\\`, data }], resume: null });
  const row = await world.db.selectFrom("photos").selectAll().executeTakeFirst();
  assert.deepEqual(row, { external_id: "S-1", key: `{"},\\`, data });
});
