import { type Database, migrate, openDatabase } from "./database/connection.ts";
import { openRun, type Run, unfinishedRun } from "./database/runs.ts";
import type { Range } from "./kinds.ts";
import { SharedLimit } from "./limit.ts";
import type { Log } from "./log.ts";
import { addListJob, connect, openQueue, type SyncQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";

/** Resumes the unfinished run, or begins a new one. The workers process its jobs. `range`: that of a backfill. */
export async function startRun(settings: Settings, log: Log, range?: Range): Promise<Run> {
  const db = openDatabase(settings.databaseUrl, 1, log);
  const redis = connect(settings.redisUrl, log);
  const queue = openQueue(redis, settings, log);
  try {
    await migrate(db);
    // the time before the start does not count as an outage
    await new SharedLimit(redis, settings.prefix, 0).recordResponse();
    const run = await openNextRun(db, settings, range);
    await addListJob(queue, run.id);
    return run;
  } finally {
    await queue.close();
    redis.disconnect();
    await db.destroy();
  }
}

/** Resumes the unfinished run, or begins a new one, in the database only. */
export function openNextRun(db: Database, settings: Settings, range: Range | undefined): Promise<Run> {
  const { service, fleet, keepRuns } = settings;
  const kind = range === undefined ? "sync" : "backfill";
  return openRun(db, { kind, source: service.baseUrl, range, keepRuns, hasFleet: fleet !== undefined });
}

/** Begins the next run of a schedule, or resumes one that was stopped. A running one and a backfill are not changed. */
export async function continueSchedule({
  db,
  queue,
  settings,
}: {
  db: Database;
  queue: SyncQueue;
  settings: Settings;
}): Promise<void> {
  const unfinished = await unfinishedRun(db);
  if (unfinished?.state === "running" || unfinished?.kind === "backfill") return;
  const run = await openNextRun(db, settings, undefined);
  await addListJob(queue, run.id);
}
