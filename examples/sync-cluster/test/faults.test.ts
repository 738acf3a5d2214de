import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters } from "../database/dead-letters.ts";
import { latestRun } from "../database/runs.ts";
import { assertSameAsServer } from "./comparison.ts";
import { begin, runSync, syncToEnd, start, startCluster, type TestCluster, until } from "./cluster.ts";
import { type Fault, recordOutcome } from "./fault-table.ts";
import { refusal, type Rule } from "./recording-proxy.ts";

// The faults of the service. Each run is compared with the service row by row after the fault has ended.

const size = { stores: 16, protocolsPerStore: 3 };
const quick = { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" };
const ofStore = (id: string) => (url: URL) => new RegExp(`/${id}(/|$)`).test(url.pathname);
const isList = (url: URL): boolean => url.pathname === "/v1/stores";
const html = (): Response => new Response("<h1>404</h1>", { status: 404 });
const onlyStore =
  (id: string, respond: () => Response): Rule =>
  (url) =>
    ofStore(id)(url) ? respond() : undefined;

interface ServiceFault {
  fault: Fault;
  rule: (cluster: TestCluster) => Rule;
  /** The fault begins after a first run without it. */
  afterRun?: boolean;
  exit: number;
  reason: RegExp;
  /** The stores that the run with the fault could not read; undefined if it did not read them all. */
  except?: readonly string[];
  /** The stores that are marked as deleted. */
  deleted?: readonly string[];
}

const cases: ServiceFault[] = [
  {
    fault: "wrong-base-path",
    rule: () => html,
    exit: 4,
    reason: /stopped: the stores cannot be listed: GET \/v1\/stores: 404/,
  },
  {
    fault: "gateway-404",
    rule: () => (url, earlier) => (earlier >= 30 && !isList(url) ? html() : undefined),
    exit: 3,
    reason: /dead letter: (?=S-\d+ \w+: GET \/v1\/stores\/\S+ 404)/,
  },
  {
    fault: "gateway-404-with-code",
    rule: () => (url) => (isList(url) ? undefined : refusal(404, "not_found")),
    exit: 4,
    reason:
      /stopped: 4 of 16 listed stores were not found\. If that is right, raise SYNC_MAX_DELETED_PERCENT/,
  },
  {
    fault: "store-deleted",
    rule: () => onlyStore("S-7", () => refusal(404, "not_found")),
    exit: 3,
    reason: /jobs of stores that were deleted during the run: 2/,
    except: ["S-7"],
    deleted: ["S-7"],
  },
  {
    fault: "list-empty",
    rule: () => (url) => (isList(url) ? Response.json({ items: [], nextCursor: null }) : undefined),
    exit: 4,
    reason: /stopped: the list of stores is empty/,
  },
  {
    fault: "list-half",
    afterRun: true,
    rule:
      ({ ref }) =>
      (url) => {
        const items = [...ref.state.store.stores.values()].slice(0, size.stores / 2);
        return isList(url) ? Response.json({ items, nextCursor: null }) : undefined;
      },
    exit: 4,
    reason: /stopped: the list has 8 stores, and the last run had 16/,
  },
  {
    fault: "store-unlisted",
    afterRun: true,
    rule:
      ({ ref }) =>
      (url) => {
        const items = [...ref.state.store.stores.values()].filter(({ externalId }) => externalId !== "S-7");
        return isList(url) ? Response.json({ items, nextCursor: null }) : undefined;
      },
    exit: 0,
    reason: /(?=finished)/,
    except: [],
    deleted: ["S-7"],
  },
  ...([429, 403, 401] as const).map(
    (status): ServiceFault => ({
      fault: `store-${status}`,
      rule: () => onlyStore("S-7", () => refusal(status, "refused", { "retry-after": "0" })),
      exit: 3,
      reason: new RegExp(`dead letter: (?=S-7 photos: GET /v1/stores/\\S+/photos: ${status} refused)`),
      except: ["S-7"],
    }),
  ),
];

for (const { fault, rule, afterRun, exit, reason, except, deleted = [] } of cases)
  test(`${fault}: exit code ${exit} with the reason, and every row after it has ended`, async () => {
    await using cluster = await startCluster(size, quick);
    if (afterRun) await syncToEnd(cluster);
    cluster.proxy.rule = rule(cluster);
    const { exit: code, output } = await runSync(cluster, { workers: afterRun ? 0 : 2 });
    assert.deepEqual([code, reason.test(output)], [exit, true], output);
    assert.deepEqual(await deletedStores(cluster), deleted);
    if (except !== undefined) await assertSameAsServer(cluster, except);
    const rows = await recover(cluster);
    assert.deepEqual(await deletedStores(cluster), []);
    recordOutcome(fault, { exit, reason: lineOf(output, reason), rows });
  });

async function deletedStores({ db }: TestCluster): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("stores")
    .select("external_id")
    .where("deleted_at", "is not", null)
    .execute();
  return rows.map(({ external_id }) => external_id);
}

/** Ends the fault and syncs again. Returns the number of rows that were compared. */
async function recover(cluster: TestCluster): Promise<number> {
  cluster.proxy.rule = () => undefined;
  const { exit, output } = await runSync(cluster, { workers: 0 });
  // a run whose stores were deleted finishes with another one
  assert.equal(exit === 3 ? (await runSync(cluster, { workers: 0 })).exit : exit, 0, output);
  assert.deepEqual(await deadLetters(cluster.db), []);
  return assertSameAsServer(cluster);
}

/** Returns the part of an output that a pattern matches, to the end of the sentence. */
function lineOf(output: string, pattern: RegExp): string {
  const line = output.split("\n").find((one) => pattern.test(one)) ?? "";
  if (line.startsWith("finished")) return "";
  return line
    .replace(/S-(?!7\b)\d+/g, "S-…")
    .replace(/\b(photos|protocols)\b/g, "photos")
    .slice(0, 90);
}

test("other-service: a worker of another service takes no job, and its sync fails", async (context) => {
  await using cluster = await startCluster(size);
  await using other = await startCluster({ stores: 16, protocolsPerStore: 1 });
  const env = { ...cluster.env, SHELFLEET_BASE_URL: other.settings.service.baseUrl };
  const { child } = start(context, { ...cluster, env }, "worker", "--forever");
  await syncToEnd(cluster, { workers: 1 });
  child.kill("SIGKILL");
  assert.equal(other.proxy.receivedRequests.length, 0);
  const rows = await assertSameAsServer(cluster);
  const { output, end } = start(context, { ...cluster, env }, "sync");
  assert.equal((await end)[0], 1, output());
  assert.match(output(), /The database has rows of http/);
  recordOutcome("other-service", { exit: 1, reason: "The database has rows of …", rows });
});

test("no-base-url: no server is used by default", async (context) => {
  await using cluster = await startCluster({ stores: 1, protocolsPerStore: 1 });
  const { SHELFLEET_BASE_URL: _, ...env } = cluster.env;
  const { output, end } = start(context, { ...cluster, env }, "sync");
  assert.equal((await end)[0], 2);
  assert.match(output(), /SHELFLEET_BASE_URL is missing/);
  recordOutcome("no-base-url", { exit: 2, reason: "SHELFLEET_BASE_URL is missing" });
});

test("no-address: the view shows the reason, and the run stops after the patience", async () => {
  const env = { SHELFLEET_BASE_URL: "https://stores.invalid" };
  await using cluster = await startCluster({ stores: 1, protocolsPerStore: 1 }, env);
  const running = runSync(cluster, { workers: 1 });
  await until("the first failure", async () => {
    const found = await cluster.db.selectFrom("positions").select("error").executeTakeFirst();
    return typeof found?.error === "string";
  });
  const stopped = until("the stop", async () => {
    // as if there had been no response for 16 min: Redis keeps the start of that time for a day
    await cluster.redis.pexpire(`${cluster.settings.prefix}:limit:silence`, 86_400_000 - 16 * 60_000);
    return (await latestRun(cluster.db))?.state !== "running";
  });
  const { exit, output } = await running;
  await stopped;
  assert.equal(exit, 4, output);
  assert.match(output, /stopped: the stores cannot be listed: GET \/v1\/stores: .*stores\.invalid/);
  recordOutcome("no-address", { exit, reason: "stopped: the stores cannot be listed: GET /v1/stores: …" });
});

test("fill-rates: fill rates without groups are not saved", async () => {
  await using cluster = await startCluster({ stores: 3, protocolsPerStore: 3 }, quick);
  cluster.proxy.rule = (url) =>
    url.pathname.endsWith("/fill-rates") ? Response.json({ status: "ok" }) : undefined;
  const { exit, output } = await runSync(cluster, { workers: 1 });
  assert.equal(exit, 3, output);
  assert.deepEqual(await cluster.db.selectFrom("fill_rates").select("key").execute(), []);
  assert.match(output, /dead letter: S-1 fill-rates: The fill rates of S-1 by protocol have no array/);
  const rows = await recover(cluster);
  const reason = "dead letter: S-1 fill-rates: The fill rates of S-1 by protocol have no array of groups";
  recordOutcome("fill-rates", { exit, reason, rows });
});

test("clock-ahead: a worker whose clock is hours ahead pulls until the time of the database", async (context) => {
  await using cluster = await startCluster(size);
  const { output, end } = start(context, withClockAhead(cluster), "sync", "--workers", "1");
  assert.equal((await end)[0], 0, output());
  const latest = cluster.proxy.receivedRequests
    .map(({ url }) => url.searchParams.get("to") ?? "")
    .toSorted()
    .at(-1);
  assert.ok(Date.parse(latest ?? "") <= Date.now(), `a pull ended at ${latest}`);
  recordOutcome("clock-ahead", { exit: 0, reason: "", rows: await assertSameAsServer(cluster) });
});

test("clock-ahead-killed: other workers continue its jobs, those that failed included", async (context) => {
  await using cluster = await startCluster(size, { SYNC_LOCK_MS: "1000", SYNC_BACKOFF_MS: "100" });
  let isDown = true;
  cluster.proxy.rule = (_, earlier) => (isDown && earlier >= 40 ? refusal(500, "broken") : undefined);
  await begin(cluster);
  const { child } = start(context, withClockAhead(cluster), "worker");
  await until("a failed job", () => cluster.proxy.receivedRequests.some(({ status }) => status === 500));
  child.kill("SIGKILL");
  isDown = false;
  await cluster.redis.del(`${cluster.settings.prefix}:limit:pause`);
  const { exit, output } = await runSync(cluster, { workers: 1 });
  assert.equal(exit, 0, output);
  recordOutcome("clock-ahead-killed", { exit, reason: "", rows: await assertSameAsServer(cluster) });
});

function withClockAhead(cluster: TestCluster): TestCluster {
  const skew = "data:text/javascript,const now=Date.now;Date.now=()=>now()+3*36e5";
  return { ...cluster, env: { ...cluster.env, NODE_OPTIONS: `--import=${encodeURI(skew)}` } };
}
