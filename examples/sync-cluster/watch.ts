import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { type Database, openDatabase } from "./database/connection.ts";
import { deadLetters } from "./database/dead-letters.ts";
import { findRun, lastError, latestRun, type Run, tallies } from "./database/runs.ts";
import { describeError, oneLine } from "./failure.ts";
import { Health, timely } from "./health.ts";
import { SharedLimit } from "./limit.ts";
import type { Log } from "./log.ts";
import { connect, openQueue, type SyncQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";
import { count, type ProgressSnapshot, type View } from "./view.ts";

/** Redis or PostgreSQL is not reachable. The run continues when it is reachable again. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

async function ask<T>(service: "Redis" | "PostgreSQL", response: Promise<T>): Promise<T> {
  try {
    return await timely(response);
  } catch (error) {
    throw new UnreachableError(`${service}: ${describeError(error)}`, { cause: error });
  }
}

/** Reads the progress of a run from PostgreSQL and Redis, independent of its workers. */
export class Observer {
  readonly #redis: Redis;
  readonly #db: Database;
  readonly #queue: SyncQueue;
  readonly #limit: SharedLimit;
  readonly #health: Health;
  readonly #patience: number;
  readonly #began = performance.now();
  /** Times and rows of the last seconds. */
  readonly #samples: [at: number, rows: number][] = [];
  #rowsAtFirst: number | undefined;

  constructor(settings: Settings, log: Log) {
    this.#redis = connect(settings.redisUrl, log);
    this.#db = openDatabase(settings.databaseUrl, 1, log);
    this.#queue = openQueue(this.#redis, settings, log);
    this.#limit = new SharedLimit(this.#redis, settings.prefix, 0);
    this.#health = new Health(this.#db, this.#redis, settings, log);
    this.#patience = settings.patience;
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#redis.disconnect();
    await this.#db.destroy();
  }

  /** Returns the run with an ID, or the latest one. */
  run(id?: number): Promise<Run | undefined> {
    return ask("PostgreSQL", id === undefined ? latestRun(this.#db) : findRun(this.#db, id));
  }

  async snapshot(runId: number): Promise<ProgressSnapshot> {
    const kinds = await ask("PostgreSQL", tallies(this.#db, runId));
    const serviceProblem = await ask("PostgreSQL", lastError(this.#db, runId));
    const [paused, active, workers] = await ask(
      "Redis",
      Promise.all([this.#limit.paused(), this.#queue.getActiveCount(), this.#queue.getWorkersCount()]),
    );
    const problem = (await this.#health.problems())[0] ?? serviceProblem;
    const now = performance.now();
    const held = kinds.reduce((sum, { rows }) => sum + rows, 0);
    this.#rowsAtFirst ??= held;
    this.#samples.push([now, held]);
    if (this.#samples.length > 10) this.#samples.shift();
    const seconds = (now - this.#began) / 1000;
    const rowsPerSecond = this.#rate();
    const added = held - this.#rowsAtFirst;
    return { runId, tallies: kinds, rowsPerSecond, added, paused, active, workers, seconds, problem };
  }

  #rate(): number {
    const [[start, before], [end, after]] = [this.#samples[0] ?? [0, 0], this.#samples.at(-1) ?? [0, 0]];
    return end > start ? ((after - before) * 1000) / (end - start) : 0;
  }

  /** The time in ms after which a view ends if Redis or PostgreSQL is not reachable. */
  get patience(): number {
    return this.#patience;
  }

  /** Returns at most `maximum` dead letters, one line each. */
  async deadLetters(maximum: number): Promise<string[]> {
    const letters = await deadLetters(this.#db);
    const lines = letters
      .slice(0, maximum)
      .map(({ externalId, kind, reason }) => oneLine(`${externalId} ${kind}: ${reason}`));
    return letters.length > maximum ? [...lines, `… and ${count(letters.length - maximum)} more`] : lines;
  }
}

/** A run that has ended, and its numbers. */
export interface EndedRun {
  run: Run;
  snapshot: ProgressSnapshot;
}

/** Shows a run until it ends, `signal` is aborted, or a server is not reachable for the patience of the settings. */
export async function watch(
  observer: Observer,
  view: View,
  runId: number,
  signal: AbortSignal,
): Promise<EndedRun | "interrupted" | "unreachable"> {
  let lastSeen = performance.now();
  while (!signal.aborted) {
    try {
      const run = await observer.run(runId);
      if (run === undefined) return "interrupted"; // the database was emptied
      const snapshot = await observer.snapshot(runId);
      view.show(snapshot);
      if (run.state !== "running") return { run, snapshot };
      lastSeen = performance.now();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      view.problem(`waiting for ${error.message}`);
      if (performance.now() - lastSeen > observer.patience) return "unreachable";
    }
    await sleep(500, undefined, { signal }).catch(() => {}); // ends the wait
  }
  return "interrupted";
}
