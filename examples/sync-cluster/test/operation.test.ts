import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { migrate, openDatabase } from "../database/connection.ts";
import { deadLetters, markDead } from "../database/dead-letters.ts";
import { abandonRun, latestRun, stopRun, tallies } from "../database/runs.ts";
import { setSkipped } from "../database/stores.ts";
import { dead } from "../operate.ts";
import { continueSchedule } from "../start.ts";
import { openQueue } from "../queue.ts";
import { assertSameAsServer } from "./comparison.ts";
import { begin, endOf, runSync, syncToEnd, start, startCluster, until } from "./cluster.ts";
import { recordOutcome } from "./fault-table.ts";
import { gate, never, refusal } from "./recording-proxy.ts";

const size = { stores: 16, protocolsPerStore: 3 };
const quick = { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" };
const isOfStore = ({ url }: { url: URL }): boolean => /\/S-7(\/|$)/.test(url.pathname);
const whole = { from: "2025-01-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" };

test("a backfill with another range does not resume the unfinished one; abandon ends it", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster, whole);
  const other = await runSync(cluster, { workers: 0, range: { ...whole, to: "2026-06-01T00:00:00.000Z" } });
  assert.deepEqual([other.exit, /is not finished/.test(other.output)], [1, true], other.output);
  await assert.rejects(begin(cluster), /is not finished/);
  assert.equal((await abandonRun(cluster.db))?.kind, "backfill");
  await syncToEnd(cluster);
  const rows = await assertSameAsServer(cluster);
  recordOutcome("other-range", { exit: 1, reason: "Run 1 (backfill, …) of … is not finished", rows });
});

test("a sync whose run is abandoned says so", async () => {
  await using cluster = await startCluster(size);
  const open = gate(cluster.proxy, 40);
  const running = runSync(cluster);
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  await abandonRun(cluster.db);
  open();
  const { exit, output } = await running;
  assert.deepEqual([exit, /the run was abandoned/.test(output)], [4, true], output);
  await syncToEnd(cluster, { workers: 0 });
  const rows = await assertSameAsServer(cluster);
  recordOutcome("abandoned", { exit, reason: "the run was abandoned", rows });
});

test("an interrupted sync exits with 5 and resumes", async (context) => {
  await using cluster = await startCluster(size);
  const open = gate(cluster.proxy, 40);
  const { child, output, end } = start(context, cluster, "sync", "--workers", "1");
  await until("the middle", () => cluster.proxy.receivedRequests.length > 40);
  child.kill("SIGINT");
  assert.equal((await end)[0], 5, output());
  assert.match(output(), /interrupted\. Start again to resume/);
  open();
  await syncToEnd(cluster);
  const rows = await assertSameAsServer(cluster);
  recordOutcome("interrupted", { exit: 5, reason: "interrupted. Start again to resume", rows });
});

for (const [phase, isReached] of [
  ["the list of stores", (url: URL) => url.pathname === "/v1/stores" && url.searchParams.has("cursor")],
  ["the protocols", (url: URL) => url.pathname.endsWith("/protocols")],
  [
    "a later page of photos",
    (url: URL) => url.pathname.endsWith("/photos") && url.searchParams.has("cursor"),
  ],
  ["the fill rates", (url: URL) => url.pathname.endsWith("/fill-rates")],
] as const)
  test(`a worker that is ended during ${phase} returns its jobs at once`, async (context) => {
    await using cluster = await startCluster(size, { SYNC_PAGE_SIZE: "5", SYNC_LOCK_MS: "3600000" });
    cluster.proxy.rule = (url) => (isReached(url) ? never : undefined);
    await begin(cluster);
    const { child, end } = start(context, cluster, "worker");
    await until(phase, () => cluster.proxy.receivedRequests.some(({ url }) => isReached(url)));
    child.kill("SIGTERM");
    assert.equal((await end)[0], 5);
    cluster.proxy.rule = () => undefined;
    cluster.workers(1); // its locks would end after an hour
    assert.equal((await endOf(cluster)).state, "finished");
    await assertSameAsServer(cluster);
  });

test("only a backfill completes the dead letter of a backfill", async () => {
  await using cluster = await startCluster(size, quick);
  await syncToEnd(cluster);
  const [store, protocols] = [...cluster.ref.state.store.protocols].find(([id]) => id === "S-7") ?? ["", []];
  const changed = protocols.map((protocol) => ({ ...protocol, note: "changed" }));
  cluster.ref.state.store.protocols.set(store, changed);
  cluster.proxy.rule = (url) => (isOfStore({ url }) ? refusal(500, "broken") : undefined);
  assert.equal((await runSync(cluster, { workers: 0, range: whole })).exit, 3);
  cluster.proxy.rule = () => undefined;
  const text = await dead(cluster, true, "S-7");
  assert.match(
    text,
    /^0 dead letters scheduled again.*\nrun the backfill again: S-7 fill-rates \(backfill 2025/,
  );
  const { exit, output } = await runSync(cluster, { workers: 0 });
  assert.deepEqual([exit, /dead letter: S-7 protocols/.test(output)], [3, true], output);
  await syncToEnd(cluster, { workers: 0, range: whole });
  assert.deepEqual(await deadLetters(cluster.db), []);
  const rows = await assertSameAsServer(cluster);
  recordOutcome("backfill-dead-letter", {
    exit,
    reason: "dead letter: S-7 protocols: … 500 broken: …",
    rows,
  });
});

test("a dead letter of an earlier run is listed, retried by its store and removed when it is done", async () => {
  await using cluster = await startCluster(size, { ...quick, SYNC_PERIOD_HOURS: "24" });
  cluster.proxy.rule = (url) => (/\/S-[78]\//.test(url.pathname) ? refusal(500, "broken") : undefined);
  assert.equal((await runSync(cluster)).exit, 3);
  cluster.proxy.rule = () => undefined;
  await sql`update stores set due_at = now() + interval '1 hour'`.execute(cluster.db);
  const { exit } = await runSync(cluster, { workers: 0 }); // no store is due
  assert.equal(exit, 3);
  assert.match(await dead(cluster, false, "S-7"), /^S-7 photos \(run 1\): GET .*500 broken/);
  assert.match(await dead(cluster, true, "S-7"), /^2 dead letters scheduled again/);
  assert.equal((await runSync(cluster, { workers: 0 })).exit, 3);
  assert.deepEqual(
    [...new Set((await deadLetters(cluster.db)).map(({ externalId }) => externalId))],
    ["S-8"],
  );
  await dead(cluster, true);
  await syncToEnd(cluster, { workers: 0 });
  const rows = await assertSameAsServer(cluster);
  const reason = "dead letter: S-7 photos: GET /v1/stores/{externalId}/photos: 500 broken: …";
  recordOutcome("old-run-dead-letter", { exit, reason, rows });
});

test("a store that an operator skips is not read; its open jobs end", async () => {
  await using cluster = await startCluster(size);
  await runSync(cluster, { workers: 1 });
  assert.equal(await setSkipped(cluster.db, "S-7", true), true);
  assert.equal(await setSkipped(cluster.db, "unknown", true), false);
  const before = cluster.proxy.receivedRequests.length;
  await runSync(cluster, { workers: 0 });
  assert.ok(!cluster.proxy.receivedRequests.slice(before).some(isOfStore));
});

test("a second run requests the list and two pulls for each store that is due, and no fill rates without news", async () => {
  await using cluster = await startCluster({ stores: 30, protocolsPerStore: 3 }, { SYNC_PERIOD_HOURS: "24" });
  await runSync(cluster);
  // the stores are active now; a day later, only one of them is
  await sql`update stores set active_at = now() - interval '30 days',
            due_at = case external_id when 'S-7' then now() else now() + interval '1 hour' end, rates_due = false`.execute(
    cluster.db,
  );
  const before = cluster.proxy.receivedRequests.length;
  await runSync(cluster, { workers: 0 });
  const paths = cluster.proxy.receivedRequests.slice(before).map(({ url }) => url.pathname);
  assert.deepEqual([...new Set(paths)].toSorted(), [
    "/v1/stores",
    "/v1/stores/S-7/photos",
    "/v1/stores/S-7/protocols",
  ]);
  assert.ok(paths.length <= 8, paths.join());
});

test("old runs and their positions are removed", async () => {
  await using cluster = await startCluster({ stores: 3, protocolsPerStore: 1 }, { SYNC_KEEP_RUNS: "2" });
  for (let run = 0; run < 4; run += 1) await runSync(cluster, { workers: run === 0 ? 1 : 0 });
  const kept = await cluster.db.selectFrom("positions").select("run_id").distinct().execute();
  assert.ok(kept.length <= 3, `${kept.length} runs`);
  assert.ok((await tallies(cluster.db, 4)).length > 0);
});

test("a schedule resumes a run that was stopped, and does not change a backfill", async (context) => {
  await using cluster = await startCluster(size);
  const { db, settings, redis, log } = cluster;
  const queue = openQueue(redis, settings, log);
  context.after(() => queue.close());
  const { id } = await begin(cluster);
  await stopRun(db, id, "on purpose");
  await continueSchedule({ db, queue, settings });
  assert.equal((await latestRun(db))?.state, "running");
  await abandonRun(db);
  const backfill = await begin(cluster, whole);
  await stopRun(db, backfill.id, "on purpose");
  await continueSchedule({ db, queue, settings });
  assert.equal((await latestRun(db))?.state, "stopped");
});

test("the ID of a store in a dead letter does not change the terminal", async () => {
  await using cluster = await startCluster(size);
  const { db } = cluster;
  const { id } = await begin(cluster);
  const externalId = "S\u001B]52;c;QQ==\u0007\n\u202E1";
  await markDead(db, { runId: id, externalId, kind: "photos" }, "old");
  assert.equal(await dead(cluster, false), `S ]52;c;QQ== 1 photos (run ${id}): old`);
});

test("the tables of an older version are migrated, and those of a newer one are refused", async () => {
  await using cluster = await startCluster(size);
  const { db, settings, log } = cluster;
  const { id } = await begin(cluster, whole);
  await migrate(db, "0001-tables");
  await sql`insert into dead_letters (external_id, kind, run_id, reason) values ('S-7', 'photos', ${id}, 'old')`.execute(
    db,
  );
  await migrate(db);
  assert.deepEqual(await deadLetters(db), [
    { externalId: "S-7", kind: "photos", runId: id, reason: "old", range: whole },
  ]);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030')`.execute(db);
  const older = openDatabase(settings.databaseUrl, 1, log);
  await assert.rejects(
    migrate(older),
    /the tables could not be migrated: corrupted migrations: .*9999-newer/,
  );
  await older.destroy();
});

test("stores are read after the clock of PostgreSQL was set back", async () => {
  await using cluster = await startCluster(size);
  await runSync(cluster);
  await sql`update stores set active_at = now() + interval '3 hours', due_at = now()`.execute(cluster.db);
  const { exit, output } = await runSync(cluster);
  assert.equal(exit, 0, output);
  await assertSameAsServer(cluster);
});

test("a list with a store that PostgreSQL cannot store stops the run with the reason", async () => {
  await using cluster = await startCluster(size);
  const [store] = cluster.ref.state.store.stores.values();
  const items = [{ ...store, externalId: "S-1\0" }];
  cluster.proxy.rule = ({ pathname }) =>
    pathname === "/v1/stores" ? Response.json({ items, nextCursor: null }) : undefined;
  const { exit, output } = await runSync(cluster);
  assert.deepEqual([exit, /stopped: database: .*invalid byte sequence/.test(output)], [4, true], output);
});
