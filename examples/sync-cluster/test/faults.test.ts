import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { deadLetters } from "../database/dead-letters.ts";
import { abandonRun, tallies } from "../database/runs.ts";
import { setSkipped } from "../database/stores.ts";
import { assertSameAsServer } from "./comparison.ts";
import { begin, endOf, start, startCluster, type TestCluster, until } from "./cluster.ts";
import { refusal, type Rule } from "./recording-proxy.ts";

const size = { stores: 30, protocolsPerStore: 3 };
const ofStore = (id: string) => (url: URL) => new RegExp(`/${id}(/|$)`).test(url.pathname);
const never: Rule = () => undefined;
/** A gateway without a route to the service, from the 30th request on. */
const gateway: Rule = (url, earlier) =>
  earlier >= 30 && url.pathname !== "/v1/stores" ? new Response("<h1>404</h1>", { status: 404 }) : undefined;

/** Resumes the run without a fault, and compares every row. */
async function recover(cluster: TestCluster): Promise<void> {
  cluster.proxy.rule = never;
  await begin(cluster);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
}

test("a wrong base path stops the run instead of finishing it with 0 rows", async (context) => {
  await using cluster = await startCluster(size);
  cluster.proxy.rule = () => new Response("<h1>Not Found</h1>", { status: 404 });
  const { output, end } = start(context, cluster, "sync", "--workers", "1");
  assert.equal((await end)[0], 4, output());
  assert.match(output(), /stopped: the stores cannot be listed: GET \/v1\/stores: 404/);
});

test("a gateway that returns 404 in the middle of a run deletes no store", async () => {
  await using cluster = await startCluster(size, { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" });
  cluster.proxy.rule = gateway;
  await begin(cluster);
  cluster.workers(2);
  await endOf(cluster);
  const deleted = await cluster.db
    .selectFrom("stores")
    .select("external_id")
    .where("deleted_at", "is not", null)
    .execute();
  assert.deepEqual(deleted, []);
  assert.ok((await deadLetters(cluster.db)).length > 0, "the stores that were not read are shown");
  await recover(cluster);
  assert.deepEqual(await deadLetters(cluster.db), []);
});

test("many stores that are not found stop the run", async () => {
  await using cluster = await startCluster(size);
  cluster.proxy.rule = (url) => (/S-\d+/.test(url.pathname) ? refusal(404, "not_found") : undefined);
  await begin(cluster);
  cluster.workers(2);
  const run = await endOf(cluster);
  assert.equal(run.state, "stopped");
  assert.match(run.stopReason ?? "", /^[4-9] of 30 listed stores were not found/);
});

for (const [name, response] of [
  ["empty", { items: [], nextCursor: null }],
  ["much shorter", undefined],
] as const)
  test(`a list of stores that is ${name} stops the run and deletes nothing`, async () => {
    await using cluster = await startCluster(size);
    await begin(cluster);
    cluster.workers(1);
    await endOf(cluster);
    const kept = [...cluster.ref.state.store.stores.keys()].slice(0, 20);
    cluster.proxy.rule = async (url) => {
      if (url.pathname !== "/v1/stores") return undefined;
      if (response !== undefined) return Response.json(response);
      const items = kept.map((id) => cluster.ref.state.store.stores.get(id));
      return Response.json({ items, nextCursor: null });
    };
    await begin(cluster);
    const run = await endOf(cluster);
    assert.equal(run.state, "stopped");
    assert.match(
      run.stopReason ?? "",
      /^the list (of stores is empty|has 20 stores, and the last run had 30)/,
    );
    await recover(cluster);
    const deleted = await cluster.db
      .selectFrom("stores")
      .select("store_id")
      .where("deleted_at", "is not", null)
      .execute();
    assert.deepEqual(deleted, []);
  });

test("a store that the list no longer has is marked as deleted, and its rows are kept", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster);
  cluster.workers(1);
  await endOf(cluster);
  const before = await cluster.db
    .selectFrom("protocols")
    .select("key")
    .where("external_id", "=", "S-7")
    .execute();
  cluster.ref.state.store.stores.delete("S-7");
  await begin(cluster);
  await endOf(cluster);
  const [store] = await cluster.db
    .selectFrom("stores")
    .selectAll()
    .where("external_id", "=", "S-7")
    .execute();
  assert.ok(store?.deleted_at instanceof Date);
  const after = await cluster.db
    .selectFrom("protocols")
    .select("key")
    .where("external_id", "=", "S-7")
    .execute();
  assert.deepEqual(after, before);
});

test("a worker of another service takes no job of a run", async (context) => {
  await using cluster = await startCluster(size);
  await using other = await startCluster({ stores: 30, protocolsPerStore: 1 });
  const env = { ...cluster.env, SHELFLEET_BASE_URL: other.settings.service.baseUrl };
  const { child } = start(context, { ...cluster, env }, "worker", "--forever");
  await begin(cluster);
  cluster.workers(1);
  assert.equal((await endOf(cluster)).state, "finished");
  child.kill("SIGKILL");
  assert.equal(other.proxy.receivedRequests.length, 0);
  await assertSameAsServer(cluster);
  const { output, end } = start(context, { ...cluster, env }, "sync");
  assert.equal((await end)[0], 1, output());
  assert.match(output(), /The database has rows of http/);
});

for (const [status, code] of [
  [429, "slow_down"],
  [403, "missing_scope"],
  [401, "unauthorized"],
] as const)
  test(`one store that always gets ${status} becomes a dead letter and does not stop the others`, async () => {
    await using cluster = await startCluster(size, { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" });
    cluster.proxy.rule = (url) =>
      ofStore("S-7")(url) ? refusal(status, code, { "retry-after": "0" }) : undefined;
    await begin(cluster);
    cluster.workers(2);
    assert.equal((await endOf(cluster)).state, "finished");
    const letters = await deadLetters(cluster.db);
    assert.deepEqual(
      letters.map(({ externalId, kind }) => `${externalId} ${kind}`),
      ["S-7 photos", "S-7 protocols"],
    );
    for (const { reason } of letters) assert.match(reason, new RegExp(`/(photos|protocols): ${status}`));
    await assertSameAsServer(cluster, ["S-7"]);
    await recover(cluster);
  });

test("a database that is read-only is waited for: no attempt and few requests are wasted, and the reason is known", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster);
  const [worker] = cluster.workers(1);
  await until(
    "some rows",
    async () => (await cluster.db.selectFrom("protocols").selectAll().execute()).length > 5,
  );
  const name = cluster.settings.databaseUrl.replace(/.*\//, "");
  const admin = cluster.db;
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(admin);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`.execute(
    admin,
  );
  const problems = await until("the problem", async () => {
    const found = (await worker?.findProblems()) ?? [];
    return found.some((one) => one.includes("read-only transaction")) && found;
  });
  assert.deepEqual(problems, ["database: cannot execute UPDATE in a read-only transaction"]);
  const before = cluster.proxy.receivedRequests.length;
  await until("two more checks", async () => (await worker?.findProblems())?.length === 1);
  assert.ok(cluster.proxy.receivedRequests.length - before <= cluster.settings.concurrency);
  await sql`set default_transaction_read_only = off`.execute(admin);
  await sql`alter database ${sql.id(name)} reset default_transaction_read_only`.execute(admin);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`.execute(
    admin,
  );
  assert.equal((await endOf(cluster)).state, "finished");
  assert.deepEqual(await deadLetters(cluster.db), []);
  await assertSameAsServer(cluster);
});

test("a renamed column stops the run with its reason, and makes no store a dead letter", async () => {
  await using cluster = await startCluster(size);
  await sql`alter table photos rename column data to content`.execute(cluster.db);
  await begin(cluster);
  cluster.workers(2);
  const run = await endOf(cluster);
  assert.equal(run.state, "stopped");
  assert.match(run.stopReason ?? "", /^database: column "data" of relation "photos" does not exist/);
  assert.deepEqual(await deadLetters(cluster.db), []);
  await sql`alter table photos rename column content to data`.execute(cluster.db);
  await recover(cluster);
});

test("fill rates without groups are not saved", async () => {
  await using cluster = await startCluster(
    { stores: 3, protocolsPerStore: 3 },
    { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" },
  );
  cluster.proxy.rule = (url) =>
    url.pathname.endsWith("/fill-rates") ? Response.json({ status: "ok" }) : undefined;
  await begin(cluster);
  cluster.workers(1);
  await endOf(cluster);
  assert.deepEqual(await cluster.db.selectFrom("fill_rates").select("key").execute(), []);
  assert.match((await deadLetters(cluster.db))[0]?.reason ?? "", /have no array of groups/);
});

test("a backfill with another range does not resume the unfinished one; abandon ends it", async () => {
  await using cluster = await startCluster(size);
  const range = { from: "2025-12-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" };
  await begin(cluster, range);
  await assert.rejects(begin(cluster, { ...range, to: "2026-01-02T00:00:00.000Z" }), /is not finished/);
  await assert.rejects(begin(cluster), /is not finished/);
  assert.equal((await abandonRun(cluster.db))?.kind, "backfill");
  cluster.workers(1);
  await recover(cluster);
});

test("a store that an operator skips is not read; its open jobs end", async () => {
  await using cluster = await startCluster(size);
  await begin(cluster);
  cluster.workers(1);
  await endOf(cluster);
  assert.equal(await setSkipped(cluster.db, "S-7", true), true);
  assert.equal(await setSkipped(cluster.db, "unknown", true), false);
  const before = cluster.proxy.receivedRequests.length;
  await begin(cluster);
  await endOf(cluster);
  assert.ok(!cluster.proxy.receivedRequests.slice(before).some(({ url }) => ofStore("S-7")(url)));
});

test("an interrupted sync exits with 5 and resumes", async (context) => {
  await using cluster = await startCluster(size, { SYNC_RATE: "20" });
  const { child, output, end } = start(context, cluster, "sync", "--workers", "1");
  await until("some requests", () => cluster.proxy.receivedRequests.length > 10);
  child.kill("SIGINT");
  assert.equal((await end)[0], 5, output());
  cluster.workers(1);
  assert.equal((await endOf(cluster)).state, "finished");
  await assertSameAsServer(cluster);
});

test("a second run requests the list and two pulls for each store that is due, and no fill rates without news", async () => {
  await using cluster = await startCluster(
    { stores: 100, protocolsPerStore: 3 },
    { SYNC_PERIOD_HOURS: "24" },
  );
  await begin(cluster);
  cluster.workers(2);
  await endOf(cluster);
  // the stores are active now; a day later, only one in a hundred is
  await sql`update stores set active_at = now() - interval '30 days',
            due_at = case external_id when 'S-7' then now() else now() + interval '1 hour' end, rates_due = false`.execute(
    cluster.db,
  );
  const before = cluster.proxy.receivedRequests.length;
  await begin(cluster);
  await endOf(cluster);
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
  cluster.workers(1);
  for (let run = 0; run < 4; run += 1) {
    await begin(cluster);
    await endOf(cluster);
  }
  const kept = await cluster.db.selectFrom("positions").select("run_id").distinct().execute();
  assert.ok(kept.length <= 3, `${kept.length} runs`);
  assert.ok((await tallies(cluster.db, 4)).length > 0);
});
