import { type Job, type JobsOptions, Queue } from "bullmq";
import { Redis } from "ioredis";
import { type Task, walkOf } from "./database/places.ts";
import type { Settings } from "./settings.ts";

/** The only queue: one job for each store and kind, and one for the walk over the stores. */
export const queueName = "sync";

export type SyncJob = Job<Task, void>;

/** BullMQ requires connections that retry a command forever, because Redis may be restarted during a run. */
export function connect(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  redis.on("error", () => {}); // it reconnects, and commands wait for the connection
  return redis;
}

/** Fails at once if there is no server; the connections of `connect` would wait forever. */
export async function reachRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let reason: unknown;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

export function openQueue(redis: Redis, { prefix }: Settings): Queue<Task, void> {
  const queue = new Queue<Task, void>(queueName, { connection: redis, prefix });
  queue.on("error", () => {}); // as above
  return queue;
}

/** Adds jobs. Jobs that are already in the queue are not added again. */
export async function addJobs(
  queue: Queue<Task, void>,
  tasks: readonly Task[],
  settings: Settings,
): Promise<void> {
  await queue.addBulk(
    tasks.map((task) => ({ name: task.kind, data: task, opts: optionsOf(task, settings) })),
  );
}

/**
 * Adds the job that adds all others. Finished jobs are removed, because they would block a new job with the same name.
 */
export async function addWalk(queue: Queue<Task, void>, runId: number, settings: Settings): Promise<void> {
  for (const state of ["completed", "failed"] as const) await queue.clean(0, 0, state);
  await addJobs(queue, [walkOf(runId)], settings);
}

function optionsOf(task: Task, { attempts, backoff }: Settings): JobsOptions {
  return {
    jobId: jobId(task),
    attempts,
    backoff: { type: "exponential", delay: backoff, jitter: 0.5 },
    // bull-board shows the last ones; the walk is added again at each start
    removeOnComplete: task.kind === "stores" ? true : { count: 500 },
  };
}

/** Derives the ID of a job from its content. BullMQ does not allow colons in it. */
function jobId({ runId, kind, externalId }: Task): string {
  return `${runId}-${kind}-${encodeURIComponent(externalId)}`;
}
