import { migrate, openDatabase } from "./database/connection.ts";
import { openRun, type Run } from "./database/runs.ts";
import { FleetLimit } from "./limit.ts";
import { addWalk, connect, openQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";

/** Resumes the unfinished run, or starts a new one. The workers process its jobs. */
export async function startRun(settings: Settings): Promise<Run> {
  const { baseUrl } = settings.service;
  const db = openDatabase(settings.databaseUrl, 1);
  const redis = connect(settings.redisUrl);
  const queue = openQueue(redis, settings);
  try {
    await migrate(db);
    await new FleetLimit(redis, settings.prefix, 0).recordResponse(); // the time before the start does not count as an outage
    const run = await openRun(db, baseUrl, rangeOf(settings));
    await addWalk(queue, run.id, settings);
    return run;
  } finally {
    await queue.close();
    redis.disconnect();
    await db.destroy();
  }
}

function rangeOf({ from, to = new Date().toISOString(), days }: Settings): { from: string; to: string } {
  return { from: from ?? new Date(Date.parse(to) - days * 86_400_000).toISOString(), to };
}
