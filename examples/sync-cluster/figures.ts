// Measures the throughput for different numbers of workers and writes FIGURES.md: npm run figures. STORES sets the size.
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
import { freePort, type Service } from "./services/program.ts";
import { startRedis } from "./services/redis.ts";
import { startReference } from "./services/reference.ts";
import { demo, readSettings } from "./settings.ts";
import { startRun } from "./start.ts";
import { count } from "./view.ts";

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
  bytes: number;
}

const running: Service[] = [];

try {
  const [redis, postgres] = [await startRedis(await freePort()), await startPostgres(await freePort())];
  running.push(redis, postgres);
  const figures: Figure[] = [];
  for (const one of cases) {
    const figure = await measure(one, redis.url, postgres.url);
    figures.push(figure);
    console.log(row(figure));
  }
  writeFileSync(new URL("FIGURES.md", import.meta.url), page(figures));
} catch (error) {
  console.error(`figures: ${describeError(error)}`);
  process.exitCode = 1;
} finally {
  for (const service of running.toReversed()) await service.stop();
}

async function measure(one: Case, redisUrl: string, serverUrl: string): Promise<Figure> {
  const name = `figures_${one.delay}_${one.concurrency}_${one.workers}`;
  await createDatabase(serverUrl, name);
  const service = await startReference({
    port: await freePort(),
    stores,
    protocolsPerStore: days,
    delay: one.delay,
  });
  const env = {
    SHELFLEET_BASE_URL: service.url,
    SHELFLEET_TOKEN: demo.token,
    REDIS_URL: redisUrl,
    DATABASE_URL: serverUrl.replace(/[^/]*$/, name),
    SYNC_PREFIX: name,
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
    const empty = await size();
    const [began, before, busyBefore] = [performance.now(), processorTime(), busyTime()];
    const { id } = await startRun(settings, log);
    while ((await latestRun(db))?.state === "running") await pause(100);
    const seconds = (performance.now() - began) / 1000;
    const used = processorTime() - before;
    const others = Math.max(0, busyTime() - busyBefore - used);
    const rows = (await tallies(db, id)).reduce((sum, tally) => sum + tally.rows, 0);
    return { ...one, seconds, rows, used, others, bytes: (await size()) - empty };
  } finally {
    await pool.stop();
    await queue.close();
    connection.disconnect();
    await db.destroy();
    await service.stop();
  }

  async function size(): Promise<number> {
    const { rows } = await sql<{
      bytes: string;
    }>`select pg_database_size(current_database()) as bytes`.execute(db);
    return Number(rows[0]?.bytes);
  }
}

/** Counts the pages of stores, and for each store one page of protocols, one of photos and three reports. */
function requests(of: number): number {
  return Math.ceil(of / 100) + of * 5;
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

function page(figures: readonly Figure[]): string {
  const [first] = figures;
  if (first === undefined) return "";
  const best = figures.reduce((one, other) => (other.seconds < one.seconds ? other : one));
  const perStore = first.rows / stores;
  const cost = figures.filter(({ delay }) => delay > 0).map(({ used }) => used / requests(stores));
  const ms = Math.min(...cost);
  const all = requests(wanted.stores);
  const others = (pick: typeof Math.min): string =>
    (pick(...figures.map((figure) => figure.others / figure.seconds)) / 1000).toFixed(1);
  return `# Figures

Written by \`npm run figures\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${count(totalmem() / 2 ** 30)} GiB, Node ${process.version},
one run. Workers, Redis, PostgreSQL (Debian's defaults, fsync on) and the reference server share those ${cpus().length}
processors. Other programs on the machine used ${others(Math.min)} to ${others(Math.max)} of them (*used by others*): measure again if
that is not near 0. With more workers than processors, only the shape of the curve is meaningful. The cost of a request is
always valid.

${count(stores)} stores × ${days} days: ${count(first.rows)} rows with ${count(requests(stores))} requests (${count(first.rows / requests(stores))} rows per request). *Of the ideal*: compared with the rate
that the same number of jobs would reach if only the response time of ${wanted.delay} ms counted. *50 000 stores*: at the same rate.

| response time | jobs per worker | workers | rows/s | requests/s | of the ideal | processors used | used by others | 50 000 stores × ${days} days |
|---|---|---|---|---|---|---|---|---|
${figures.map(row).join("\n")}

## 50 000 stores × ${days} days

${count(all)} requests, ${count((perStore * wanted.stores) / 1e6)} million rows, ${(((first.bytes / stores) * wanted.stores) / 2 ** 30).toFixed(1)} GiB in PostgreSQL, including indexes.

- **While the workers wait for responses**, the rate grows with workers × jobs: ${count(all)} × ${wanted.delay} ms are ${duration((all * wanted.delay) / 1000)} for one
  job at a time, and ${duration((all * wanted.delay) / 1000 / 64)} for 64, as 4 workers of 16 have.
- **Then the processors are the limit.** A request with its rows costs about ${ms.toFixed(1)} ms of one processor, in
  total (client, JSON, BullMQ, Redis, PostgreSQL, and the reference server, which a real run does not need):
  ${count(1000 / ms)} requests/s per processor, ${duration((all * ms) / 1000)} of one processor in all. The best result on this machine is ${duration((best.seconds * wanted.stores) / stores)}.
- **Then the service is the limit.** A limit of 50 requests/s makes it ${duration(all / 50)}, 200 make it ${duration(all / 200)}, with any
  number of workers: \`SYNC_RATE\` shares it among them.
- Redis needs one round trip per request for the shared limit and a few per job, which is far below its capacity.
  PostgreSQL needs one transaction per page, ${count(all)} in all.
`;
}
