import { type Job, type JobsOptions, Queue } from "bullmq";
import { Redis } from "ioredis";
import { listTask, type Task } from "./database/tasks.ts";
import { describeError, QueueError } from "./failure.ts";
import type { Log } from "./log.ts";
import { type Settings, SettingsError } from "./settings.ts";

/** One job for each store and kind, and one for the list of stores. */
export const queueName = "sync";
/** The jobs that begin runs on a schedule. */
export const scheduleName = "schedule";

export type SyncJob = Job<Task, void>;
export type SyncQueue = Queue<Task, void>;

/** BullMQ requires connections that retry a command forever, because Redis may be restarted during a run. */
export function connect(url: string, log: Log): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  // it reconnects, and commands wait for the connection
  redis.on("error", (error) => log.problem("queue", error));
  return redis;
}

/** Fails at once if Redis does not respond, rejects the password, or may evict the jobs. */
export async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let reason: unknown;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    const [, policy = "noeviction"] = /maxmemory_policy:(\S+)/.exec(await redis.info("memory")) ?? [];
    if (policy !== "noeviction")
      throw new SettingsError(`Redis may evict jobs: its maxmemory-policy is ${policy}, not noeviction`);
  } catch (error) {
    throw error instanceof SettingsError ? error : (reason ?? error);
  } finally {
    redis.disconnect();
  }
}

export function openQueue(redis: Redis, { prefix }: Settings, log: Log): SyncQueue {
  const queue = new Queue<Task, void>(queueName, { connection: redis, prefix });
  queue.on("error", (error) => log.problem("queue", error));
  return queue;
}

/** Begins a run every `seconds`; 0 ends the schedule. */
export async function scheduleRuns(redis: Redis, { prefix }: Settings, seconds: number): Promise<void> {
  const queue = new Queue(scheduleName, { connection: redis, prefix });
  try {
    if (seconds === 0) await queue.removeJobScheduler("runs");
    else await queue.upsertJobScheduler("runs", { every: seconds * 1_000 }, { name: "start" });
  } finally {
    await queue.close();
  }
}

/** Adds jobs. Jobs that are already in the queue are not added again. */
export async function addJobs(
  queue: SyncQueue,
  tasks: readonly (Task & { priority?: number })[],
): Promise<void> {
  try {
    await queue.addBulk(
      tasks.map(({ priority = 1, ...task }) => ({
        name: task.kind,
        data: task,
        opts: { ...optionsOf(task), priority },
      })),
    );
  } catch (error) {
    throw new QueueError(`Redis: ${describeError(error)}`, { cause: error });
  }
}

/**
 * Adds the job that adds all others. Finished jobs are removed, because they would block a new job with the same name.
 */
export async function addListJob(queue: SyncQueue, runId: number): Promise<void> {
  for (const state of ["completed", "failed"] as const) await queue.clean(0, 0, state);
  await addJobs(queue, [listTask(runId)]);
}

/**
 * Removes jobs that are in no list of the queue. If Redis has lost a part of its keys, such a job would block a new one
 * with the same name.
 */
export async function removeOrphans(queue: SyncQueue, tasks: readonly Task[]): Promise<void> {
  await Promise.all(
    tasks.map(jobId).map(async (id) => {
      if ((await queue.getJobState(id)) === "unknown") await queue.remove(id);
    }),
  );
}

/** The worker counts attempts itself and delays jobs by the clock of Redis, so BullMQ retries nothing. */
function optionsOf(task: Task): JobsOptions {
  return {
    jobId: jobId(task),
    attempts: 1,
    // bull-board shows the last ones; the list is added again at each start
    removeOnComplete: task.kind === "stores" ? true : { count: 500 },
    removeOnFail: true,
  };
}

/** Derives the ID of a job from its content. BullMQ does not allow colons in it. */
function jobId({ runId, kind, externalId }: Task): string {
  return `${runId}-${kind}-${encodeURIComponent(externalId)}`;
}

/** Counts the jobs that are not finished. */
export async function countJobs(queue: SyncQueue): Promise<number> {
  const counts = await queue.getJobCounts("wait", "prioritized", "active", "delayed");
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
