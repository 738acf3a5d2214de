import { storeQueryLimits } from "../../src/index.ts";
import { openTasks, type Position } from "./database/positions.ts";
import { saveRows } from "./database/rows.ts";
import { unfinishedRun } from "./database/runs.ts";
import { countListed, saveStores } from "./database/stores.ts";
import { StopError } from "./failure.ts";
import { copyFleet } from "./fleet.ts";
import { type Range, readPages, type RequestedPages } from "./kinds.ts";
import { addJobs } from "./queue.ts";
import type { Settings } from "./settings.ts";
import type { WorkerContext } from "./worker-context.ts";

/** As many stores may disappear in one run, whatever the share. */
const fewStores = 3;

/** The number of stores that may disappear in one run. */
export function mayDisappear({ maxDeleted }: Settings, stores: number): number {
  return Math.max(fewStores, (stores * maxDeleted) / 100);
}

/** Does the job of a position, from its last saved page on. */
export async function copy(context: WorkerContext, position: Position): Promise<void> {
  const { db, settings, limit: limiter, signal } = context;
  if (position.kind === "stores") return listStores(context, position);
  if (position.kind === "fleet") return copyFleet(db, position, settings, { limiter, signal });
  return copyPages(context, { ...position, kind: position.kind });
}

async function copyPages(
  context: WorkerContext,
  start: Position & { kind: keyof typeof readPages },
): Promise<void> {
  const { db, settings, metrics, queue, limit } = context;
  let position: Position = start;
  for await (const page of readPages[start.kind](pagesOf(context, start))) {
    const saved = await saveRows(db, position, page, settings.period);
    position = saved.position;
    metrics.countRows(start.kind, page.rows.length);
    await addJobs(queue, saved.tasks);
    await limit.recordResponse();
  }
  metrics.countLag(start.kind, start.run.startedAt);
}

function pagesOf({ settings, client, signal }: WorkerContext, position: Position): RequestedPages {
  const { externalId, resume, pullState, run } = position;
  const { pageSize, days, allowedLateness } = settings;
  const start = new Date(run.startedAt.getTime() - days * 86_400_000).toISOString();
  const range: Range = run.range ?? { from: start, to: run.startedAt.toISOString() };
  const since = settings.since ?? start;
  // the clock of PostgreSQL: that of this machine may be ahead, and the next pull would begin too late
  const until = (): Date => run.startedAt;
  const pull = run.kind === "sync" ? { state: pullState, since, allowedLateness, until } : undefined;
  return { client, externalId, pageSize, range, pull, resume: resume === "" ? undefined : resume, signal };
}

/**
 * Lists the stores and adds the jobs of those that are due. The positions are saved before the jobs are added: a worker
 * that resumes the list, after a kill or at the next start, first adds the jobs that may be missing.
 */
async function listStores(context: WorkerContext, start: Position): Promise<void> {
  const { db, settings, queue, client, signal, metrics, limit } = context;
  for await (const tasks of openTasks(db, start.runId)) await addJobs(queue, tasks);
  if (start.isDone) return;
  const pageSize = Math.min(settings.pageSize, storeQueryLimits.listStores.limit.maximum);
  const list = client.stores.list({ limit: pageSize, resume: start.resume }, { signal });
  let position = start;
  for await (const page of list.pages({ prefetch: 1 })) {
    if (page.resume === null) await checkShrinking(context, start.runId, page.items.length);
    const saved = await saveStores(db, position, page.items, page.resume);
    ({ position } = saved);
    metrics.countRows("stores", page.items.length);
    await addJobs(queue, saved.tasks);
    await limit.recordResponse();
  }
}

/** An empty or much shorter list is more likely a fault of the service than the end of many stores. */
async function checkShrinking(
  { db, settings }: WorkerContext,
  runId: number,
  lastPage: number,
): Promise<void> {
  const listed = (await countListed(db, runId)) + lastPage;
  const before = (await unfinishedRun(db))?.storesBefore ?? 0;
  if (listed === 0) throw new StopError("the list of stores is empty");
  if (before - listed > mayDisappear(settings, before))
    throw new StopError(
      `the list has ${listed} stores, and the last run had ${before}. If that is right, raise SYNC_MAX_DELETED_PERCENT`,
    );
}
