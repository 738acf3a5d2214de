// Counts the requests of runs, measures the throughput for different numbers of workers, and writes FIGURES.md: npm run
// figures. STORES sets the size of the measured runs; --counts leaves the times out, which need an idle machine.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { WorkerPool } from "./worker-pool.ts";
import { migrate, openDatabase } from "./database/connection.ts";
import { latestRun, tallies } from "./database/runs.ts";
import { describeError } from "./failure.ts";
import { processorTime } from "./processor-time.ts";
import { silent } from "./log.ts";
import { connect, openQueue } from "./queue.ts";
import { createDatabase, startPostgres } from "./services/postgres.ts";
import type { Service } from "./services/program.ts";
import { startRedis } from "./services/redis.ts";
import { startReference } from "./services/reference.ts";
import { demo, readSettings } from "./settings.ts";
import { startRun } from "./start.ts";
import { count } from "./view.ts";
import { SyncWorker } from "./worker.ts";

const stores = Number(process.env["STORES"] ?? 400);
const days = 30;
const wanted = { stores: 50_000, delay: 50 };
/** The measured configuration: responses take `delay` ms; each worker runs `concurrency` jobs at a time. */
const cases = [
  ...[1, 2, 4].map((workers) => ({ workers, concurrency: 4, delay: wanted.delay })),
  ...[1, 2, 4].map((workers) => ({ workers, concurrency: 16, delay: wanted.delay })),
  ...[1, 2].map((workers) => ({ workers, concurrency: 16, delay: 0 })),
];

type Case = (typeof cases)[number];

interface Figure extends Case {
  seconds: number;
  rows: number;
  /** The processor time in ms of this process and all processes that it started. */
  used: number;
  /** The processor time in ms of all other processes. */
  others: number;
}

const running: Service[] = [];

try {
  const [redis, postgres] = [await startRedis(), await startPostgres()];
  running.push(redis, postgres);
  const counts: Counts[] = [];
  for (const share of [0, 0.001, 0.01]) counts.push(await countLaterRun(share, redis.url, postgres.url));
  const figures: Figure[] = [];
  for (const one of process.argv.includes("--counts") ? [] : cases) {
    const figure = await measure(one, redis.url, postgres.url);
    figures.push(figure);
    console.log(row(figure));
  }
  writeFileSync(new URL("FIGURES.md", import.meta.url), page(counts, figures));
} catch (error) {
  console.error(`figures: ${describeError(error)}`);
  process.exitCode = 1;
} finally {
  for (const service of running.toReversed()) await service.stop();
}

/** The requests of a later run in which a share of the stores is due. */
interface Counts {
  due: number;
  sent: number;
  rows: number;
}

/** Runs over 50,000 stores that were read before, as the table of the stores says, with one worker of this process. */
async function countLaterRun(share: number, redisUrl: string, serverUrl: string): Promise<Counts> {
  const name = `later_${share * 100}`;
  await createDatabase(serverUrl, name);
  const due = wanted.stores * share;
  const service = await startReference({ port: 0, stores: wanted.stores, delay: 0 });
  const settings = readSettings(environment(name, service.url, redisUrl, serverUrl));
  const log = silent();
  const db = openDatabase(settings.databaseUrl, 1, log);
  await migrate(db);
  await sql`
    insert into stores (store_id, external_id, data, run_id, listed_run, due_at)
    select 'before ' || n, 'S-' || n, '{}', 0, 0, case when n <= ${due} then '-infinity'::timestamptz else 'infinity' end
    from generate_series(1, ${wanted.stores}::int) n
  `.execute(db);
  // the service chooses the IDs of the stores: those that it lists take the place of these
  await sql`create function take() returns trigger language plpgsql as ${sql.raw(`$$ begin
    select due_at into new.due_at from stores where external_id = new.external_id;
    delete from stores where external_id = new.external_id and store_id like 'before %';
    return new; end $$`)}`.execute(db);
  await sql`create trigger take before insert on stores for each row execute function take()`.execute(db);
  const { id } = await startRun(settings, log);
  const worker = new SyncWorker(settings, log);
  try {
    while ((await latestRun(db))?.state === "running") await pause(100);
    const metrics = await worker.metrics.text();
    const sent = Number(/sync_requests_total\{status="200"\} (\d+)/.exec(metrics)?.[1]);
    const rows = (await tallies(db, id)).reduce((sum, tally) => sum + tally.rows, 0);
    console.log(`${due} stores due: ${sent} requests, ${rows} rows`);
    return { due, sent, rows };
  } finally {
    await worker.close();
    await db.destroy();
    await service.stop();
  }
}

function environment(name: string, serviceUrl: string, redisUrl: string, serverUrl: string) {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    SHELFLEET_BASE_URL: serviceUrl,
    SHELFLEET_TOKEN: demo.token,
    REDIS_URL: redisUrl,
    DATABASE_URL: url.href,
    SYNC_PREFIX: name,
  };
}

async function measure(one: Case, redisUrl: string, serverUrl: string): Promise<Figure> {
  const name = `figures_${one.delay}_${one.concurrency}_${one.workers}`;
  await createDatabase(serverUrl, name);
  const service = await startReference({
    port: 0,
    stores,
    protocolsPerStore: days,
    delay: one.delay,
  });
  const env = {
    ...environment(name, service.url, redisUrl, serverUrl),
    SYNC_CONCURRENCY: `${one.concurrency}`,
  };
  const settings = readSettings(env);
  const log = silent();
  const db = openDatabase(settings.databaseUrl, 1, log);
  await migrate(db);
  const pool = new WorkerPool(one.workers, { ...process.env, ...env });
  const connection = connect(redisUrl, log);
  const queue = openQueue(connection, settings, log);
  try {
    // the start of the processes is not measured
    while ((await queue.getWorkersCount()) < one.workers) await pause(100);
    await pause(1_000);
    const [began, before, busyBefore] = [performance.now(), processorTime(), busyTime()];
    const { id } = await startRun(settings, log);
    while ((await latestRun(db))?.state === "running") await pause(100);
    const seconds = (performance.now() - began) / 1000;
    const used = processorTime() - before;
    const others = Math.max(0, busyTime() - busyBefore - used);
    const rows = (await tallies(db, id)).reduce((sum, tally) => sum + tally.rows, 0);
    return { ...one, seconds, rows, used, others };
  } finally {
    await pool.stop();
    await queue.close();
    connection.disconnect();
    await db.destroy();
    await service.stop();
  }
}

/** Counts the pages of stores, and for each store two ranges of protocols, two of photos and three reports. */
function requests(of: number): number {
  return Math.ceil(of / 100) + of * 7;
}

/** The processor time in ms of all processes since the machine started. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

function row({ workers, concurrency, delay, seconds, rows, used, others }: Figure): string {
  const cells = [
    `${delay} ms`,
    `${concurrency}`,
    `${workers}`,
    count(rows / seconds),
    count(requests(stores) / seconds),
    delay === 0
      ? ""
      : `${count((100 * requests(stores) * delay) / 1000 / (workers * concurrency * seconds))} %`,
    (used / seconds / 1000).toFixed(1),
    (others / seconds / 1000).toFixed(1),
    duration((seconds * wanted.stores) / stores),
  ];
  return `| ${cells.join(" | ")} |`;
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

function page(counts: readonly Counts[], figures: readonly Figure[]): string {
  const all = requests(wanted.stores);
  return `# Figures

Written by \`npm run figures\` on ${new Date().toISOString().slice(0, 10)}.

## Requests

A first run over ${count(wanted.stores)} stores sends ${count(all)} requests: a page of 100 stores each, and for each store two ranges of
protocols, two of photos (the part that the next pull reads again, and the rest) and three reports. A later run lists the
stores again and reads only those that are due: a store with news in every run, another one after a quarter of the time since
its last news. Counted, with ${count(wanted.stores)} stores:

| stores that are due and have news | requests | rows |
|---|--:|--:|
${counts.map(({ due, sent, rows }) => `| ${count(due)} | ${count(sent)} | ${count(rows)} |`).join("\n")}

These are ${count(Math.ceil(wanted.stores / 100))} for the list, and up to seven for each store that is due: a store without news needs no reports, and runs
that follow each other within two hours need one range. The rows include those of the list. A limit of 50 requests/s (\`SYNC_RATE\`) makes the first run ${duration(all / 50)} long.
${figures.length === 0 ? "" : times(figures)}`;
}

function times(figures: readonly Figure[]): string {
  const cost = figures.filter(({ delay }) => delay > 0).map(({ used }) => used / requests(stores));
  const others = (pick: typeof Math.min): string =>
    (pick(...figures.map((figure) => figure.others / figure.seconds)) / 1000).toFixed(1);
  return `
## Times

${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${count(totalmem() / 2 ** 30)} GiB, Node ${process.version}, one run, ${count(stores)} stores. Workers, Redis, PostgreSQL (Debian's
defaults, fsync on) and the reference server share the processors. Other programs used ${others(Math.min)} to ${others(Math.max)} of them: measure again if
that is not near 0. *Of the ideal*: compared with the rate that the same number of jobs would reach if only the response time
of ${wanted.delay} ms counted. A request with its rows costs ${Math.min(...cost).toFixed(1)} ms of one processor.

| response time | jobs per worker | workers | rows/s | requests/s | of the ideal | processors used | used by others | 50 000 stores × ${days} days |
|---|---|---|---|---|---|---|---|---|
${figures.map(row).join("\n")}
`;
}
