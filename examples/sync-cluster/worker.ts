import { setTimeout as sleep } from "node:timers/promises";
import { DelayedError, type Queue, UnrecoverableError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { StoreClient, storeQueryLimits } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { type Database, openDatabase } from "./database/connection.ts";
import {
  markDead,
  closePlace,
  countRetry,
  findPlace,
  openTasks,
  type Place,
  reopenPlace,
  saveRows,
  saveStores,
  type Task,
} from "./database/places.ts";
import { finishRun, runningRun, stopRun } from "./database/runs.ts";
import { judge, mayBeOutage, describeError } from "./failure.ts";
import { pagesOf } from "./kinds.ts";
import { FleetLimit } from "./limit.ts";
import { addJobs, addWalk, connect, openQueue, queueName, type SyncJob } from "./queue.ts";
import type { Settings } from "./settings.ts";

/** The wait in ms of a job that is postponed without counting the attempt. */
const later = 1_000;
/** The interval in ms at which a worker checks whether the run has jobs left. */
const checkInterval = 500;
/** The time in ms without any response of the service after which the run stops. */
const patience = 15 * 60_000;
/** The number of workers that may die during a job before it becomes a dead letter. */
const mostStalls = 25;

/** Processes jobs until it is closed. Any number of workers on any number of machines share a run. */
export class SyncWorker {
  readonly #settings: Settings;
  readonly #redis: Redis;
  readonly #db: Database;
  readonly #queue: Queue<Task, void>;
  readonly #limit: FleetLimit;
  readonly #client: StoreClient;
  readonly #worker: Worker<Task, void>;
  readonly #end = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(settings: Settings) {
    const { service, prefix, rate, concurrency, lock } = settings;
    this.#settings = settings;
    this.#redis = connect(settings.redisUrl);
    this.#db = openDatabase(settings.databaseUrl, Math.min(concurrency, 10));
    this.#queue = openQueue(this.#redis, settings);
    this.#limit = new FleetLimit(this.#redis, prefix, rate);
    // failed jobs wait in the queue, where they do not block a worker, so the client does not retry
    const options = { transport: nodeTransport(), limiter: this.#limit, retry: 0 };
    this.#client = new StoreClient({ ...service, ...options });
    this.#worker = new Worker<Task, void>(queueName, (job, token) => this.#process(job, token), {
      connection: this.#redis,
      prefix,
      concurrency,
      lockDuration: lock,
      stalledInterval: Math.ceil(lock / 2),
      maxStalledCount: mostStalls,
      drainDelay: 1, // the longest wait for a delayed job that is due, in s
    });
    this.#worker.on("error", () => {}); // a lost lock or connection; the worker that has the job continues
    this.#worker.on("failed", (job, error) => void this.#moveToDeadLettersIfLast(job, error).catch(() => {}));
    void this.#maintain();
  }

  /** Returns the active jobs to the queue, each with its last saved page, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#end.abort();
    await this.#worker.close();
    await this.#queue.close();
    await this.#db.destroy();
    this.#redis.disconnect();
  }

  async #process(job: SyncJob, token: string | undefined): Promise<void> {
    const task = job.data;
    const before = await this.#take(task, job, token);
    if (before === undefined) return;
    let pages = before.pages;
    try {
      const save = before.kind === "stores" ? this.#walkStores(before) : this.#copy(before);
      for await (const place of save) {
        ({ pages } = place);
        await this.#limit.recordResponse();
      }
    } catch (error) {
      await this.#settle(job, token, error, pages > before.pages);
    }
  }

  /** Returns the place of a job, or undefined if the job is already done. */
  async #take(task: Task, job: SyncJob, token: string | undefined): Promise<Place | undefined> {
    let place: Place | undefined;
    try {
      place = await findPlace(this.#db, task);
      if (place?.failed) await reopenPlace(this.#db, task);
    } catch (error) {
      return this.#settle(job, token, error, false);
    }
    if (place === undefined || (place.done && place.kind !== "stores")) return undefined;
    if (place.state === "stopped" || this.#end.signal.aborted) return postpone(job, token, later);
    return place;
  }

  async *#copy(start: Place): AsyncGenerator<Place> {
    const { kind, externalId, range, resume } = start;
    if (kind === "stores") return;
    const { pageSize } = this.#settings;
    const wanted = { client: this.#client, externalId, range, pageSize, resume, signal: this.#end.signal };
    let place = start;
    for await (const page of pagesOf(kind, wanted)) {
      place = await saveRows(this.#db, place, page);
      yield place;
    }
  }

  /**
   * Walks over the stores and adds one job for each store and kind. The places are saved before the jobs are added: a
   * worker that resumes the walk, after a kill or at the next start, first adds the jobs that may be missing.
   */
  async *#walkStores(start: Place): AsyncGenerator<Place> {
    for await (const tasks of openTasks(this.#db, start.runId))
      await addJobs(this.#queue, tasks, this.#settings);
    if (start.done) return;
    const limit = Math.min(this.#settings.pageSize, storeQueryLimits.listStores.limit.maximum);
    const list = this.#client.stores.list({ limit, resume: start.resume }, { signal: this.#end.signal });
    let place = start;
    for await (const page of list.pages({ prefetch: 1 })) {
      const saved = await saveStores(this.#db, place, page.items, page.resume);
      ({ place } = saved);
      await addJobs(this.#queue, saved.tasks, this.#settings);
      yield place;
    }
  }

  /** Handles a failed job. Returns if the job is done; otherwise throws the error for BullMQ. */
  async #settle(
    job: SyncJob,
    token: string | undefined,
    error: unknown,
    hasProgress: boolean,
  ): Promise<undefined> {
    const { data: task } = job;
    if (this.#end.signal.aborted) return postpone(job, token, 0);
    switch (judge(error)) {
      case "stop":
        await stopRun(this.#db, task.runId, describeError(error));
        return postpone(job, token, later);
      case "gone":
        await closePlace(this.#db, task, describeError(error));
        return undefined;
      case "later":
        return postpone(job, token, later);
      case "bury":
        await this.#moveToDeadLetters(task, error);
        throw new UnrecoverableError(describeError(error));
      case "count":
        await countRetry(this.#db, task, describeError(error)).catch(() => {}); // only for the view
        if (hasProgress) return postpone(job, token, later);
        if (mayBeOutage(error) && (await this.#isDown(task.runId))) return postpone(job, token, later);
        if (job.attemptsMade + 1 >= this.#settings.attempts) await this.#moveToDeadLetters(task, error);
        throw error;
    }
  }

  /** Whether the service is down, and not only one store: then the list of stores also fails, and all workers wait. */
  async #isDown(runId: number): Promise<boolean> {
    try {
      await this.#client.stores.list({ limit: 1 }, { signal: this.#end.signal });
      await this.#limit.recordResponse();
      return false;
    } catch (error) {
      if (this.#end.signal.aborted || judge(error) === "later") return true;
      if (!mayBeOutage(error)) return false;
      if ((await this.#limit.timeSinceResponse()) > patience)
        await stopRun(this.#db, runId, `the service has not responded for 15 min: ${describeError(error)}`);
      return true;
    }
  }

  /** Makes a job a dead letter. If the job lists the stores, the run stops. */
  async #moveToDeadLetters(task: Task, error: unknown): Promise<void> {
    const why = describeError(error);
    if (task.kind === "stores") await stopRun(this.#db, task.runId, `the stores cannot be listed: ${why}`);
    else await markDead(this.#db, task, why);
  }

  /** Makes a job a dead letter if BullMQ has failed it because too many workers died during it. */
  async #moveToDeadLettersIfLast(job: SyncJob | undefined, error: Error): Promise<void> {
    if (job?.finishedOn === undefined) return;
    await this.#moveToDeadLetters(job.data, error);
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#checkRun().catch(() => {}); // Redis or PostgreSQL is not reachable; the next check tries again
      await sleep(checkInterval, undefined, { signal }).catch(() => {});
    }
  }

  /** Ends the run if no job is left. Jobs that Redis lost are added again by the walk. */
  async #checkRun(): Promise<void> {
    const runId = await runningRun(this.#db);
    if (runId === undefined) return;
    const jobs = await this.#queue.getJobCountByTypes("wait", "active", "delayed");
    if ((await finishRun(this.#db, runId)) || jobs > 0) return;
    await addWalk(this.#queue, runId, this.#settings);
  }
}

/** Puts a job back without counting the attempt. */
async function postpone(job: SyncJob, token: string | undefined, wait: number): Promise<never> {
  await job.moveToDelayed(Date.now() + wait, token);
  throw new DelayedError();
}
