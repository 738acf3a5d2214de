import { mayDisappear } from "./copy.ts";
import { markDead } from "./database/dead-letters.ts";
import { countFailure } from "./database/positions.ts";
import { stopRun } from "./database/runs.ts";
import { recordMissing } from "./database/stores.ts";
import type { Task } from "./database/tasks.ts";
import { classify, describeError, type Failure, StopError } from "./failure.ts";
import type { WorkerContext } from "./worker-context.ts";

/** The wait in ms of a job that is postponed without counting a failure. */
export const later = 1_000;
/** The longest wait in ms between two attempts. */
const longestBackoff = 300_000;

type ServiceFailure = Extract<Failure, { owner: "service" }>;

/** Decides what happens after a job has failed. */
export class FailedJobs {
  readonly #context: WorkerContext;

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  /** Returns the wait in ms before the job runs again; undefined if it is done. */
  async judge(task: Task, error: unknown): Promise<number | undefined> {
    const { db, health, log, signal } = this.#context;
    const failure = classify(error);
    if (failure.owner === "other-worker") return later;
    log.problem(failure.owner, error, { ...task });
    if (failure.owner === "queue" || (failure.owner === "database" && failure.effect === "wait")) {
      await health.untilWorking(failure.owner, error, signal);
      return 0;
    }
    if (failure.owner === "service") return this.#judgeService(task, failure, describeError(error));
    if (failure.owner === "database" && failure.effect === "again") return later;
    // without the list of stores the run cannot end
    if (failure.owner === "database" && failure.effect === "data" && task.kind !== "stores")
      return this.giveUp(task, describeError(error));
    const owner = error instanceof StopError ? "" : `${failure.owner}: `;
    await stopRun(db, task.runId, owner + describeError(error));
    return later;
  }

  /** Makes a job a dead letter. The other jobs continue. */
  async giveUp(task: Task, reason: string): Promise<undefined> {
    const { db, metrics, log } = this.#context;
    await markDead(db, task, reason);
    metrics.countDeadLetter(task.kind);
    log.info({ store: task.externalId, kind: task.kind, reason }, "dead letter");
  }

  /** The failure of one store never stops the run, unless the list of stores fails in the same way. */
  async #judgeService(task: Task, { effect }: ServiceFailure, reason: string): Promise<number | undefined> {
    const { db, settings } = this.#context;
    if (task.kind === "stores") return this.#judgeList(task, effect, reason);
    if (effect === "invalid") return this.giveUp(task, reason);
    if (effect === "missing" && task.kind !== "fleet") return this.#judgeMissing(task, reason);
    const isThrottled = effect === "throttled";
    const { failures, throttled } = await countFailure(db, task, { reason, isThrottled });
    const isLast = Math.max(failures, throttled) >= settings.attempts;
    const mayBeGeneral = effect !== "failed" && effect !== "missing";
    if (mayBeGeneral && (!isThrottled || isLast)) {
      const general = await this.#findGeneralFailure(task.runId);
      if (general !== undefined) return general;
    }
    if (isThrottled && !isLast) return later;
    if (isLast || effect === "refused") return this.giveUp(task, reason);
    return this.#backoff(failures);
  }

  #backoff(failures: number): number {
    return Math.min(this.#context.settings.backoff * 2 ** Math.max(failures - 1, 0), longestBackoff);
  }

  async #judgeList(task: Task, effect: ServiceFailure["effect"], reason: string): Promise<number> {
    const { db, settings, limit } = this.#context;
    const isThrottled = effect === "throttled";
    const { failures } = await countFailure(db, task, { reason, isThrottled });
    const isWaiting = isThrottled || effect === "unavailable";
    const isLate = isWaiting && (await limit.silence()) > settings.patience;
    if (isLate || (!isWaiting && (effect !== "failed" || failures >= settings.attempts)))
      await stopRun(db, task.runId, `the stores cannot be listed: ${reason}`);
    return this.#backoff(failures);
  }

  /** A second look: the store is deleted only if the service says the same of the store itself. */
  async #judgeMissing(task: Task, reason: string): Promise<number | undefined> {
    const { client, db, settings, signal } = this.#context;
    try {
      await client.stores.get(task.externalId, { signal });
    } catch (second) {
      const failure = classify(second);
      if (failure.owner === "service" && failure.effect === "missing") return this.#endDeleted(task, reason);
      throw second;
    }
    const { failures } = await countFailure(db, task, { reason, isThrottled: false });
    return failures >= settings.attempts ? this.giveUp(task, reason) : later;
  }

  async #endDeleted(task: Task, reason: string): Promise<number | undefined> {
    const { db, settings, log } = this.#context;
    const isDeleted = await recordMissing(db, task, reason, (listed) => mayDisappear(settings, listed));
    if (!isDeleted) return later;
    log.info({ store: task.externalId }, "the store was deleted");
    return undefined;
  }

  /** Lists one store. If that fails too, all jobs wait or the run stops; undefined if only the one store fails. */
  async #findGeneralFailure(runId: number): Promise<number | undefined> {
    const { client, limit, signal } = this.#context;
    try {
      await client.stores.list({ limit: 1 }, { signal });
      await limit.recordResponse();
      return undefined;
    } catch (error) {
      if (signal.aborted) return 0;
      const failure = classify(error);
      if (failure.owner !== "service") throw error;
      return this.#waitForService(runId, failure, describeError(error));
    }
  }

  async #waitForService(runId: number, { effect }: ServiceFailure, reason: string): Promise<number> {
    const { db, limit, settings } = this.#context;
    if (effect === "refused" || effect === "missing") await stopRun(db, runId, reason);
    else if ((await limit.silence()) > settings.patience)
      await stopRun(
        db,
        runId,
        `the service has not responded for ${settings.patience / 60_000} min: ${reason}`,
      );
    if (effect === "unavailable") await limit.hold();
    return later;
  }
}
