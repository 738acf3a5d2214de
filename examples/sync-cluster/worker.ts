import { setTimeout as sleep } from "node:timers/promises";
import { DelayedError, WaitingError, Worker } from "bullmq";
import { copy } from "./copy.ts";
import { findPosition, openTasks, type Position, reopenPosition } from "./database/positions.ts";
import { finishRun, stopRun, unfinishedRun } from "./database/runs.ts";
import { listTask, type Task } from "./database/tasks.ts";
import { FailedJobs, later } from "./failed-jobs.ts";
import { classify, describeError } from "./failure.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { addListJob, countJobs, queueName, removeOrphans, scheduleName, type SyncJob } from "./queue.ts";
import type { Settings } from "./settings.ts";
import { continueSchedule } from "./start.ts";
import { closeContext, openContext, type WorkerContext } from "./worker-context.ts";

/** The interval in ms at which a worker checks whether the run has jobs left. */
const checkInterval = 500;
/** The number of workers that may die during a job before it becomes a dead letter. */
const mostStalls = 25;

/** Processes jobs until it is closed. Any number of workers on any number of machines share a run. */
export class SyncWorker {
  readonly #context: WorkerContext;
  readonly #failed: FailedJobs;
  readonly #worker: Worker<Task, void>;
  /** Begins the runs of a schedule. */
  readonly #starter: Worker<unknown, void>;
  readonly #end = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(settings: Settings, log: Log) {
    this.#context = openContext(settings, log, this.#end.signal);
    this.#failed = new FailedJobs(this.#context);
    const { prefix, concurrency, lock } = settings;
    const connection = { connection: this.#context.redis, prefix };
    this.#worker = new Worker<Task, void>(queueName, (job, token) => this.#process(job, token), {
      ...connection,
      concurrency,
      lockDuration: lock,
      stalledInterval: Math.ceil(lock / 2),
      maxStalledCount: mostStalls,
      drainDelay: 1, // the longest wait for a delayed job that is due, in s
    });
    this.#worker.on("failed", (job, error) => void this.#endStalled(job, error));
    this.#starter = new Worker(scheduleName, () => continueSchedule(this.#context), connection);
    this.#starter.on("failed", (_, error) => log.problem("program", error));
    // a lost lock or connection: the worker that has the job continues
    for (const worker of [this.#worker, this.#starter])
      worker.on("error", (error) => log.problem("queue", error));
    void this.#maintain();
  }

  get metrics(): Metrics {
    return this.#context.metrics;
  }

  /** Returns the problems that are present, in words. */
  findProblems(): Promise<string[]> {
    return this.#context.health.problems();
  }

  /** Returns the active jobs to the queue, each with its last saved page, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#worker.close(), this.#starter.close()]);
    await closeContext(this.#context);
  }

  async #process(job: SyncJob, token: string | undefined): Promise<void> {
    try {
      await this.#context.health.recovered;
      const position = await this.#take(job.data);
      if (position === "later") return await this.#postpone(job, token, later);
      if (position === undefined) return;
      await copy(this.#context, position);
    } catch (error) {
      if (error instanceof DelayedError || error instanceof WaitingError) throw error;
      await this.#settle(job, token, error);
    }
  }

  /** Returns the position of a job; undefined if the job is already done, "later" if its run waits. */
  async #take(task: Task): Promise<Position | "later" | undefined> {
    const { db } = this.#context;
    const position = await findPosition(db, task);
    if (position === undefined || position.run.state === "abandoned") return undefined;
    if (position.isDone && position.kind !== "stores") return undefined;
    if (!this.#isOwn(position.run)) return undefined;
    if (position.run.state === "stopped" || this.#end.signal.aborted) return "later";
    if (position.isDead) await reopenPosition(db, task);
    return position;
  }

  /** Whether a run is of the service that this worker reads; a database has the rows of one service only. */
  #isOwn({ source }: { source: string }): boolean {
    const { settings, log } = this.#context;
    const { baseUrl } = settings.service;
    if (source !== baseUrl)
      log.problem("program", `the run in the database is of ${source}, and this worker reads ${baseUrl}`);
    return source === baseUrl;
  }

  /** Handles a failed job: returns if the job is done, and throws `DelayedError` if it runs again. */
  async #settle(job: SyncJob, token: string | undefined, error: unknown): Promise<void> {
    if (this.#end.signal.aborted) return this.#postpone(job, token, 0);
    let wait: number | undefined = later;
    try {
      wait = await this.#failed.judge(job.data, error);
    } catch (second) {
      // the database or the queue failed while the failure was recorded
      await this.#failed
        .judge(job.data, second)
        .catch((third: unknown) => this.#context.log.problem("program", third));
    }
    if (wait !== undefined) await this.#postpone(job, token, wait);
  }

  /**
   * Makes a job a dead letter if BullMQ has failed it because too many workers died during it. BullMQ also fails a job whose
   * end it could not record, because Redis failed in between: the next check finds it missing, and the list job adds it again.
   */
  async #endStalled(job: SyncJob | undefined, error: Error): Promise<void> {
    if (job?.finishedOn === undefined) return;
    const { db, log } = this.#context;
    if (!/stalled more than/.test(error.message)) return log.problem("queue", error, { ...job.data });
    try {
      if (job.data.kind === "stores") await stopRun(db, job.data.runId, describeError(error));
      else await this.#failed.giveUp(job.data, describeError(error));
    } catch (second) {
      // the next check finds the job missing, and the list job adds it again
      log.problem("database", second);
    }
  }

  /** Puts a job back. Its time is that of Redis: the clocks of the machines may differ. */
  async #postpone(job: SyncJob, token: string | undefined, wait: number): Promise<never> {
    for (;;) {
      try {
        return await this.#putBack(job, token, wait);
      } catch (error) {
        if (error instanceof DelayedError || error instanceof WaitingError || this.#end.signal.aborted)
          throw error;
        if (/Missing lock|missing key|is not in the active/i.test(describeError(error)))
          throw new DelayedError();
        this.#context.log.problem("queue", error);
        await this.#context.health.untilWorking("queue", error, this.#end.signal);
      }
    }
  }

  async #putBack(job: SyncJob, token: string | undefined, wait: number): Promise<never> {
    const [seconds, micros] = await this.#context.redis.time();
    const due = Number(seconds) * 1000 + Number(micros) / 1000 + wait;
    if (due > Date.now()) {
      await job.moveToDelayed(due, token);
      throw new DelayedError();
    }
    // the clock of this machine is ahead, and BullMQ would delay the job until that time
    await sleep(Math.min(wait, later), undefined, { signal: this.#end.signal }).catch(() => {}); // ends the wait
    await job.moveToWait(token);
    throw new WaitingError();
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        await this.#checkRun();
      } catch (error) {
        const { owner } = classify(error);
        if (!signal.aborted) this.#context.log.problem(owner === "other-worker" ? "program" : owner, error);
      }
      await sleep(checkInterval, undefined, { signal }).catch(() => {}); // ends the wait
    }
  }

  /** Ends the run if no job is left. Jobs that Redis lost are added again by the list job. */
  async #checkRun(): Promise<void> {
    const { db, queue } = this.#context;
    const run = await unfinishedRun(db);
    if (run?.state !== "running" || !this.#isOwn(run)) return;
    const jobs = await countJobs(queue);
    if ((await finishRun(db, run.id)) || jobs > 0) return;
    await removeOrphans(queue, [listTask(run.id)]);
    for await (const tasks of openTasks(db, run.id)) await removeOrphans(queue, tasks);
    await addListJob(queue, run.id);
  }
}
