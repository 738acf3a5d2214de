import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { findPosition } from "../database/positions.ts";
import { saveRows } from "../database/rows.ts";
import { StalePositionError } from "../failure.ts";
import { assertSameAsServer } from "./comparison.ts";
import { never } from "./recording-proxy.ts";
import { begin, endOf, startCluster, type TestCluster, until } from "./cluster.ts";

const size = { stores: 6, protocolsPerStore: 15 };

const isLaterPage = (url: URL): boolean => url.pathname.endsWith("/photos") && url.searchParams.has("cursor");

/** Stops a worker after it has saved the first pages of some photo lists. Returns the paths of these lists. */
async function beginWith(cluster: TestCluster): Promise<Set<string>> {
  const { proxy } = cluster;
  // a later page is requested after the previous one is saved, and gets no response
  proxy.rule = (url) => (isLaterPage(url) ? never : undefined);
  await begin(cluster);
  const [worker] = cluster.workers(1);
  const begun = await until("a second page of photos", () => {
    const paths = proxy.receivedRequests.filter(({ url }) => isLaterPage(url)).map(({ url }) => url.pathname);
    return paths.length > 0 && new Set(paths);
  });
  await worker?.close();
  proxy.rule = () => undefined;
  return begun;
}

test("a resumed job continues after the last page that it saved", async () => {
  await using cluster = await startCluster(size, { SYNC_PAGE_SIZE: "5" });
  const begun = await beginWith(cluster);
  const before = cluster.proxy.receivedRequests.length;
  cluster.workers(1);
  await endOf(cluster);
  for (const path of begun) {
    const first = cluster.proxy.receivedRequests.slice(before).find(({ url }) => url.pathname === path);
    assert.ok(first?.url.searchParams.has("cursor"), `${path} started from the first page`);
  }
  await assertSameAsServer(cluster);
});

for (const workersLive of [true, false])
  test(`no row is lost when Redis loses its data ${workersLive ? "during a run" : "between two starts of a run"}`, async () => {
    await using cluster = await startCluster(size, { SYNC_PAGE_SIZE: "5" });
    await beginWith(cluster);
    for (const key of await cluster.redis.keys(`${cluster.settings.prefix}:*`)) await cluster.redis.del(key);
    if (!workersLive) await begin(cluster);
    cluster.workers(2);
    assert.equal((await endOf(cluster)).state, "finished");
    await assertSameAsServer(cluster);
  });

test("no row is lost when Redis loses a part of its data: jobs that no list of the queue has", async () => {
  await using cluster = await startCluster(size, { SYNC_PAGE_SIZE: "5" });
  await beginWith(cluster);
  const keys = await cluster.redis.keys(`${cluster.settings.prefix}:*`);
  // the hashes of the jobs stay
  for (const key of keys) if (/:(wait|active|delayed|prioritized)$/.test(key)) await cluster.redis.del(key);
  cluster.workers(2);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("a new run copies all rows again when PostgreSQL has lost its data", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster);
  cluster.workers(1);
  await endOf(cluster);
  await cluster.db.deleteFrom("runs").execute();
  for (const table of ["stores", "protocols", "photos", "fill_rates", "pulls"] as const)
    await cluster.db.deleteFrom(table).execute();
  await sql`alter sequence runs_id_seq restart`.execute(cluster.db);
  assert.equal((await begin(cluster)).id, 1, "its jobs have the same IDs as those of the first run");
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("a backfill updates the rows that have changed", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster);
  cluster.workers(2);
  await endOf(cluster);
  const [store, protocols] = [...cluster.ref.state.store.protocols][0] ?? ["", []];
  const changed = protocols.map((protocol) => ({ ...protocol, note: "changed" }));
  cluster.ref.state.store.protocols.set(store, changed);
  await begin(cluster, { from: "2025-01-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
  assert.equal((await endOf(cluster)).id, 2);
  await assertSameAsServer(cluster);
});

test("a worker cannot save a page after another worker has continued its job", async () => {
  await using cluster = await startCluster(size);
  const { id: runId } = await begin(cluster);
  const task = { runId, kind: "photos", externalId: "S-1" } as const;
  await cluster.db
    .insertInto("positions")
    .values({ run_id: runId, kind: "photos", external_id: "S-1" })
    .execute();
  const stale = await findPosition(cluster.db, task);
  assert.ok(stale);
  await saveRows(cluster.db, stale, { rows: [{ key: "a", data: {} }], resume: "on" }, 0);
  const late = saveRows(cluster.db, stale, { rows: [{ key: "b", data: {} }], resume: null }, 0);
  await assert.rejects(late, StalePositionError);
  const rows = await cluster.db.selectFrom("photos").select("key").execute();
  assert.deepEqual(rows, [{ key: "a" }]);
});

test("rows are saved unchanged if they contain NUL, lone surrogates, quotes or large numbers", async () => {
  await using cluster = await startCluster(size);
  const { id: runId } = await begin(cluster);
  const task = { runId, kind: "photos", externalId: "S-1" } as const;
  await cluster.db
    .insertInto("positions")
    .values({ run_id: runId, kind: "photos", external_id: "S-1" })
    .execute();
  const place = await findPosition(cluster.db, task);
  assert.ok(place);
  const data = { nul: "a\u0000b", lone: "\ud800", quoted: `{"},\\`, number: 1e21, nothing: null };
  await saveRows(cluster.db, place, { rows: [{ key: `{"},\\`, data }], resume: null }, 0);
  const row = await cluster.db.selectFrom("photos").selectAll().executeTakeFirst();
  assert.deepEqual(row, { external_id: "S-1", key: `{"},\\`, data, run_id: runId, replaced_at: null });
});
