import { setTimeout as sleep } from "node:timers/promises";
import { DelayedError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { StoreClient, storeQueryLimits } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { type Database, openDatabase } from "./database/connection.ts";
import {
  countDeleted,
  countFailure,
  findPosition,
  markDead,
  markDeleted,
  openTasks,
  type Position,
  reopenPosition,
  saveRows,
  type Task,
} from "./database/positions.ts";
import { finishRun, stopRun, unfinishedRun } from "./database/runs.ts";
import { countListed, saveStores } from "./database/stores.ts";
import { classify, describeError, type Failure } from "./failure.ts";
import { copyFleet } from "./fleet.ts";
import { Health } from "./health.ts";
import { type Range, readPages } from "./kinds.ts";
import { SharedLimit } from "./limit.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import {
  addJobs,
  addListJob,
  connect,
  countJobs,
  openQueue,
  queueName,
  scheduleName,
  type SyncJob,
  type SyncQueue,
} from "./queue.ts";
import type { Settings } from "./settings.ts";
import { openNextRun } from "./start.ts";

/** The wait in ms of a job that is postponed without counting a failure. */
const later = 1_000;
/** The longest wait in ms between two attempts. */
const longestBackoff = 300_000;
/** The interval in ms at which a worker checks whether the run has jobs left. */
const checkInterval = 500;
/** The number of workers that may die during a job before it becomes a dead letter. */
const mostStalls = 25;
/** As many stores may disappear in one run, whatever the share. */
const fewStores = 3;

type ServiceFailure = Extract<Failure, { owner: "service" }>;

/** A state of the service in which going on would lose rows: the run stops. */
class StopError extends Error {
  override readonly name = "StopError";
}

/** Processes jobs until it is closed. Any number of workers on any number of machines share a run. */
export class SyncWorker {
  readonly metrics: Metrics;
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #redis: Redis;
  readonly #db: Database;
  readonly #queue: SyncQueue;
  readonly #limit: SharedLimit;
  readonly #client: StoreClient;
  readonly #worker: Worker<Task, void>;
  /** Begins the runs of a schedule. */
  readonly #starter: Worker<unknown, void>;
  readonly #health: Health;
  readonly #end = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(settings: Settings, log: Log) {
    const { service, prefix, rate, concurrency, lock } = settings;
    this.#settings = settings;
    this.#log = log;
    this.#redis = connect(settings.redisUrl, log);
    this.#db = openDatabase(settings.databaseUrl, Math.min(concurrency, 10), log);
    this.#queue = openQueue(this.#redis, settings, log);
    this.#limit = new SharedLimit(this.#redis, prefix, rate);
    this.#health = new Health(this.#db, this.#redis, settings, log);
    this.metrics = new Metrics(this.#queue, this.#db, log);
    // failed jobs wait in the queue, where they do not block a worker, so the client does not retry
    const options = { transport: nodeTransport(), limiter: this.#limit, retry: 0, hooks: this.metrics.hooks };
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
    // a lost lock or connection: the worker that has the job continues
    this.#worker.on("error", (error) => log.problem("queue", error));
    this.#worker.on("failed", (job, error) => void this.#endStalled(job, error));
    this.#starter = new Worker(scheduleName, () => this.#startRun(), { connection: this.#redis, prefix });
    this.#starter.on("error", (error) => log.problem("queue", error));
    void this.#maintain();
  }

  /** Returns the problems that are present, in words. */
  async findProblems(): Promise<string[]> {
    const found = await Promise.all(
      (["queue", "database"] as const).map(async (owner) => {
        const problem = await this.#health.problem(owner);
        return problem === undefined ? [] : [`${owner}: ${problem}`];
      }),
    );
    return found.flat();
  }

  /** Returns the active jobs to the queue, each with its last saved page, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#worker.close(), this.#starter.close()]);
    await this.#queue.close();
    await this.#db.destroy();
    this.#redis.disconnect();
  }

  async #process(job: SyncJob, token: string | undefined): Promise<void> {
    try {
      const position = await this.#take(job.data);
      if (position === "later") return await this.#postpone(job, token, later);
      if (position === undefined) return;
      await this.#run(position);
    } catch (error) {
      if (error instanceof DelayedError || error instanceof WaitingError) throw error;
      await this.#settle(job, token, error);
    }
  }

  /** Begins the next run of a schedule, unless one is still unfinished. */
  async #startRun(): Promise<void> {
    if ((await unfinishedRun(this.#db)) !== undefined) return;
    const run = await openNextRun(this.#db, this.#settings, undefined);
    await addListJob(this.#queue, run.id);
  }

  /** Returns the position of a job; undefined if the job is already done, "later" if its run waits. */
  async #take(task: Task): Promise<Position | "later" | undefined> {
    const position = await findPosition(this.#db, task);
    if (position === undefined || position.run.state === "abandoned") return undefined;
    if (position.isDone && position.kind !== "stores") return undefined;
    if (!this.#isOwn(position.run)) return undefined;
    if (position.run.state === "stopped" || this.#end.signal.aborted) return "later";
    if (position.isDead) await reopenPosition(this.#db, task);
    return position;
  }

  /** Whether a run is of the service that this worker reads; a database has the rows of one service only. */
  #isOwn({ source }: { source: string }): boolean {
    const { baseUrl } = this.#settings.service;
    if (source !== baseUrl)
      this.#log.problem(
        "program",
        `the run in the database is of ${source}, and this worker reads ${baseUrl}`,
      );
    return source === baseUrl;
  }

  async #run(position: Position): Promise<void> {
    if (position.kind === "stores") return this.#listStores(position);
    if (position.kind === "fleet")
      return copyFleet(this.#db, position, this.#settings, {
        limiter: this.#limit,
        signal: this.#end.signal,
      });
    let current = position;
    for await (const page of readPages[position.kind](this.#pagesOf(position))) {
      const saved = await saveRows(this.#db, current, page, this.#settings.period);
      current = saved.position;
      this.metrics.countRows(position.kind, page.rows.length);
      await addJobs(this.#queue, saved.tasks);
      await this.#limit.recordResponse();
    }
    this.metrics.countLag(position.kind, position.run.startedAt);
  }

  #pagesOf({ externalId, resume, pullState, run }: Position) {
    const { pageSize, since, days, allowedLateness } = this.#settings;
    const start = new Date(run.startedAt.getTime() - days * 86_400_000).toISOString();
    const range: Range = run.range ?? { from: start, to: run.startedAt.toISOString() };
    const pull =
      run.kind === "sync" ? { state: pullState, since: since ?? start, allowedLateness } : undefined;
    const wanted = { client: this.#client, externalId, pageSize, range, pull };
    return { ...wanted, resume: resume === "" ? undefined : resume, signal: this.#end.signal };
  }

  /**
   * Lists the stores and adds the jobs of those that are due. The positions are saved before the jobs are added: a worker
   * that resumes the list, after a kill or at the next start, first adds the jobs that may be missing.
   */
  async #listStores(start: Position): Promise<void> {
    for await (const tasks of openTasks(this.#db, start.runId)) await addJobs(this.#queue, tasks);
    if (start.isDone) return;
    const limit = Math.min(this.#settings.pageSize, storeQueryLimits.listStores.limit.maximum);
    const { signal } = this.#end;
    const list = this.#client.stores.list({ limit, resume: start.resume }, { signal });
    let position = start;
    for await (const page of list.pages({ prefetch: 1 })) {
      if (page.resume === null) await this.#checkShrinking(start.runId, page.items.length);
      const saved = await saveStores(this.#db, position, page.items, page.resume);
      ({ position } = saved);
      this.metrics.countRows("stores", page.items.length);
      await addJobs(this.#queue, saved.tasks);
      await this.#limit.recordResponse();
    }
  }

  /** An empty or much shorter list is more likely a fault of the service than the end of many stores. */
  async #checkShrinking(runId: number, lastPage: number): Promise<void> {
    const listed = (await countListed(this.#db, runId)) + lastPage;
    const before = (await unfinishedRun(this.#db))?.storesBefore ?? 0;
    if (listed === 0) throw new StopError("the list of stores is empty");
    if (before - listed > this.#mayDisappear(before))
      throw new StopError(
        `the list has ${listed} stores, and the last run had ${before}. If that is right, raise SYNC_MAX_DELETED_PERCENT`,
      );
  }

  #mayDisappear(stores: number): number {
    return Math.max(fewStores, (stores * this.#settings.maxDeleted) / 100);
  }

  /** Handles a failed job: returns if the job is done, and throws `DelayedError` if it runs again. */
  async #settle(job: SyncJob, token: string | undefined, error: unknown): Promise<void> {
    if (this.#end.signal.aborted) return this.#postpone(job, token, 0);
    const task = job.data;
    try {
      const wait = await this.#judge(task, error);
      if (wait === undefined) return;
      await this.#postpone(job, token, wait);
    } catch (second) {
      if (second instanceof DelayedError || second instanceof WaitingError) throw second;
      // the database or the queue failed while the failure was recorded
      await this.#judge(task, second).catch((third: unknown) => this.#log.problem("program", third));
      await this.#postpone(job, token, later);
    }
  }

  /** Returns the wait in ms before the job runs again; undefined if it is done. */
  async #judge(task: Task, error: unknown): Promise<number | undefined> {
    const failure: Failure = error instanceof StopError ? { owner: "program" } : classify(error);
    if (failure.owner === "other-worker") return later;
    this.#log.problem(failure.owner, error, task);
    if (failure.owner === "queue" || (failure.owner === "database" && failure.effect === "wait")) {
      await this.#health.untilWorking(failure.owner, this.#end.signal);
      return 0;
    }
    if (failure.owner === "service") return this.#judgeService(task, failure, error);
    if (failure.owner === "database" && failure.effect === "data")
      return this.#giveUp(task, describeError(error));
    const owner = error instanceof StopError ? "" : `${failure.owner}: `;
    await stopRun(this.#db, task.runId, owner + describeError(error));
    return later;
  }

  /** The failure of one store never stops the run, unless the list of stores fails in the same way. */
  async #judgeService(task: Task, { effect }: ServiceFailure, error: unknown): Promise<number | undefined> {
    const reason = describeError(error);
    if (task.kind === "stores") return this.#judgeList(task, effect, reason);
    if (effect === "invalid") return this.#giveUp(task, reason);
    if (effect === "missing" && task.kind !== "fleet") return this.#judgeMissing(task, reason);
    const { failures, throttled } = await countFailure(this.#db, task, {
      reason,
      isThrottled: effect === "throttled",
    });
    const isLast = Math.max(failures, throttled) >= this.#settings.attempts;
    const mayBeGeneral = effect !== "failed" && effect !== "missing";
    if (mayBeGeneral && (effect !== "throttled" || isLast)) {
      const general = await this.#findGeneralFailure(task.runId);
      if (general !== undefined) return general;
    }
    if (effect === "throttled" && !isLast) return later;
    if (isLast || effect === "refused") return this.#giveUp(task, reason);
    return Math.min(this.#settings.backoff * 2 ** (failures - 1), longestBackoff);
  }

  async #judgeList(
    task: Task,
    effect: ServiceFailure["effect"],
    reason: string,
  ): Promise<number | undefined> {
    const isThrottled = effect === "throttled";
    const { failures } = await countFailure(this.#db, task, { reason, isThrottled });
    const isWaiting = isThrottled || effect === "unavailable";
    const isLate = isWaiting && (await this.#limit.silence()) > this.#settings.patience;
    if (isLate || (!isWaiting && (effect !== "failed" || failures >= this.#settings.attempts)))
      await stopRun(this.#db, task.runId, `the stores cannot be listed: ${reason}`);
    return Math.min(this.#settings.backoff * 2 ** Math.max(failures - 1, 0), longestBackoff);
  }

  /** A second look: the store is deleted only if the service says the same of the store itself. */
  async #judgeMissing(task: Task, reason: string): Promise<number | undefined> {
    try {
      await this.#client.stores.get(task.externalId, { signal: this.#end.signal });
    } catch (second) {
      const failure = classify(second);
      if (failure.owner === "service" && failure.effect === "missing") return this.#endDeleted(task, reason);
      throw second;
    }
    const { failures } = await countFailure(this.#db, task, { reason, isThrottled: false });
    return failures >= this.#settings.attempts ? this.#giveUp(task, reason) : later;
  }

  async #endDeleted(task: Task, reason: string): Promise<undefined> {
    await markDeleted(this.#db, task, reason);
    this.#log.info({ store: task.externalId }, "the store was deleted");
    const { listed, deleted } = await countDeleted(this.#db, task.runId);
    if (deleted > this.#mayDisappear(listed))
      await stopRun(
        this.#db,
        task.runId,
        `${deleted} of ${listed} listed stores were not found. If that is right, raise SYNC_MAX_DELETED_PERCENT`,
      );
  }

  /** Lists one store. If that fails too, all jobs wait or the run stops; undefined if only the one store fails. */
  async #findGeneralFailure(runId: number): Promise<number | undefined> {
    try {
      await this.#client.stores.list({ limit: 1 }, { signal: this.#end.signal });
      await this.#limit.recordResponse();
      return undefined;
    } catch (error) {
      if (this.#end.signal.aborted) return 0;
      const failure = classify(error);
      if (failure.owner !== "service") throw error;
      const reason = describeError(error);
      if (failure.effect === "refused" || failure.effect === "missing")
        await stopRun(this.#db, runId, reason);
      else if ((await this.#limit.silence()) > this.#settings.patience)
        await stopRun(
          this.#db,
          runId,
          `the service has not responded for ${this.#settings.patience / 60_000} min: ${reason}`,
        );
      if (failure.effect === "unavailable") await this.#limit.hold();
      return later;
    }
  }

  /** Makes a job a dead letter. The other jobs continue. */
  async #giveUp(task: Task, reason: string): Promise<undefined> {
    await markDead(this.#db, task, reason);
    this.metrics.countDeadLetter(task.kind);
    this.#log.info({ store: task.externalId, kind: task.kind, reason }, "dead letter");
  }

  /** Makes a job a dead letter if BullMQ has failed it because too many workers died during it. */
  async #endStalled(job: SyncJob | undefined, error: Error): Promise<void> {
    if (job?.finishedOn === undefined) return;
    try {
      if (job.data.kind === "stores") await stopRun(this.#db, job.data.runId, describeError(error));
      else await this.#giveUp(job.data, describeError(error));
    } catch (second) {
      // the next check finds the job missing, and the list job adds it again
      this.#log.problem("database", second);
    }
  }

  /** Puts a job back. Its time is that of Redis: the clocks of the machines may differ. */
  async #postpone(job: SyncJob, token: string | undefined, wait: number): Promise<never> {
    for (;;) {
      try {
        const [seconds, micros] = await this.#redis.time();
        const due = Number(seconds) * 1000 + Number(micros) / 1000 + wait;
        if (due > Date.now()) {
          await job.moveToDelayed(due, token);
          throw new DelayedError();
        }
        // the clock of this machine is ahead, and BullMQ would delay the job until that time
        await sleep(Math.min(wait, later), undefined, { signal: this.#end.signal }).catch(() => {}); // ends the wait
        await job.moveToWait(token);
        throw new WaitingError();
      } catch (error) {
        if (error instanceof DelayedError || error instanceof WaitingError || this.#end.signal.aborted)
          throw error;
        if (/Missing lock|missing key|is not in the active/i.test(describeError(error)))
          throw new DelayedError();
        this.#log.problem("queue", error);
        await this.#health.untilWorking("queue", this.#end.signal);
      }
    }
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        await this.#checkRun();
      } catch (error) {
        const { owner } = classify(error);
        if (!signal.aborted) this.#log.problem(owner === "other-worker" ? "program" : owner, error);
      }
      await sleep(checkInterval, undefined, { signal }).catch(() => {}); // ends the wait
    }
  }

  /** Ends the run if no job is left. Jobs that Redis lost are added again by the list job. */
  async #checkRun(): Promise<void> {
    const run = await unfinishedRun(this.#db);
    if (run?.state !== "running" || !this.#isOwn(run)) return;
    const jobs = await countJobs(this.#queue);
    if ((await finishRun(this.#db, run.id)) || jobs > 0) return;
    await addListJob(this.#queue, run.id);
  }
}
