import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { findPlace, OvertakenError, saveRows } from "../database/places.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { never } from "./front.ts";
import { endOf, makeWorld, until, type World } from "./world.ts";

const size = { stores: 12, protocolsPerStore: 30 };

const isLaterPage = (url: URL): boolean => url.pathname.endsWith("/photos") && url.searchParams.has("cursor");

/** Lets one worker get as far as the first pages of some photos, and takes it away. The stores of those photos. */
async function beginWith(world: World): Promise<Set<string>> {
  const { front } = world;
  // a later page is requested after the previous one is saved, and gets no response
  front.rule = (url) => (isLaterPage(url) ? never : undefined);
  await startRun(world.settings);
  const [worker] = world.workers(1);
  const begun = await until("a second page of photos", () => {
    const paths = front.arrivals.filter(({ url }) => isLaterPage(url)).map(({ url }) => url.pathname);
    return paths.length > 0 && new Set(paths);
  });
  await worker?.close();
  front.rule = () => undefined;
  return begun;
}

test("a job goes on behind its last page", async () => {
  await using world = await makeWorld(size, { SYNC_PAGE_SIZE: "5" });
  const begun = await beginWith(world);
  const before = world.front.arrivals.length;
  world.workers(1);
  await endOf(world);
  for (const path of begun) {
    const first = world.front.arrivals.slice(before).find(({ url }) => url.pathname === path);
    assert.ok(first?.url.searchParams.has("cursor"), `${path} began anew`);
  }
  await assertSameAsServer(world);
});

for (const workersLive of [true, false])
  test(`a Redis that forgets everything ${workersLive ? "under a run" : "between two starts"} loses nothing`, async () => {
    await using world = await makeWorld(size, { SYNC_PAGE_SIZE: "5" });
    await beginWith(world);
    for (const key of await world.redis.keys(`${world.settings.prefix}:*`)) await world.redis.del(key);
    if (!workersLive) await startRun(world.settings);
    world.workers(2);
    assert.equal((await endOf(world)).state, "finished");
    await assertSameAsServer(world);
  });

test("a PostgreSQL that has forgotten everything gets it all again", async () => {
  await using world = await makeWorld(size);
  await startRun(world.settings);
  world.workers(1);
  await endOf(world);
  await world.db.deleteFrom("runs").execute();
  for (const table of ["stores", "protocols", "photos", "fill_rates"] as const)
    await world.db.deleteFrom(table).execute();
  await sql`alter sequence runs_id_seq restart`.execute(world.db);
  assert.equal((await startRun(world.settings)).id, 1, "its jobs are called as those before");
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
