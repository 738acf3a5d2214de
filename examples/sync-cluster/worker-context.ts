import type { Redis } from "ioredis";
import { nodeTransport } from "../../src/client/node/index.ts";
import { StoreClient } from "../../src/index.ts";
import { type Database, openDatabase } from "./database/connection.ts";
import { Health } from "./health.ts";
import { SharedLimit } from "./limit.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { connect, openQueue, type SyncQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";

/** The connections of a worker, and what its jobs share. */
export interface WorkerContext {
  settings: Settings;
  log: Log;
  redis: Redis;
  db: Database;
  queue: SyncQueue;
  limit: SharedLimit;
  health: Health;
  metrics: Metrics;
  client: StoreClient;
  /** Is aborted when the worker is closed. */
  signal: AbortSignal;
}

export function openContext(settings: Settings, log: Log, signal: AbortSignal): WorkerContext {
  const redis = connect(settings.redisUrl, log);
  const db = openDatabase(settings.databaseUrl, Math.min(settings.concurrency, 10), log);
  const queue = openQueue(redis, settings, log);
  const limit = new SharedLimit(redis, settings.prefix, settings.rate);
  const health = new Health(db, redis, settings, log);
  const metrics = new Metrics(queue, db, log);
  // failed jobs wait in the queue, where they do not block a worker, so the client does not retry
  const options = { transport: nodeTransport(), limiter: limit, retry: 0, hooks: metrics.hooks };
  const client = new StoreClient({ ...settings.service, ...options });
  return { settings, log, redis, db, queue, limit, health, metrics, client, signal };
}

export async function closeContext({ queue, db, redis }: WorkerContext): Promise<void> {
  await queue.close();
  await db.destroy();
  redis.disconnect();
}
