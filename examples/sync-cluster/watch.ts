import { setTimeout as sleep } from "node:timers/promises";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { type Database, openDatabase } from "./database/connection.ts";
import { deadLetters, latestRun, type Run, tallies } from "./database/runs.ts";
import { describeError } from "./failure.ts";
import { FleetLimit } from "./limit.ts";
import { connect, openQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";
import { count, type ProgressSnapshot, type View } from "./view.ts";

/** Redis or PostgreSQL is not reachable. The run continues when it is reachable again. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** The time in ms after which a missing response is reported. */
const patience = 3_000;

async function ask<T>(service: "Redis" | "PostgreSQL", response: Promise<T>): Promise<T> {
  const late = sleep(patience, undefined, { ref: false }).then(() => {
    throw new Error(`no response within ${patience / 1000} s`);
  });
  try {
    return await Promise.race([response, late]);
  } catch (error) {
    throw new UnreachableError(`${service}: ${describeError(error)}`, { cause: error });
  }
}

/** Reads the progress of a run from PostgreSQL and Redis, independent of its workers. */
export class Observer {
  readonly #redis: Redis;
  readonly #db: Database;
  readonly #queue: Queue;
  readonly #limit: FleetLimit;
  readonly #began = performance.now();
  /** Times and rows of the last seconds. */
  readonly #samples: [at: number, rows: number][] = [];
  #rowsAtFirst: number | undefined;

  constructor(settings: Settings) {
    this.#redis = connect(settings.redisUrl);
    this.#db = openDatabase(settings.databaseUrl, 1);
    this.#queue = openQueue(this.#redis, settings);
    this.#limit = new FleetLimit(this.#redis, settings.prefix, 0);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#redis.disconnect();
    await this.#db.destroy();
  }

  run(): Promise<Run | undefined> {
    return ask("PostgreSQL", latestRun(this.#db));
  }

  async snapshot(runId: number): Promise<ProgressSnapshot> {
    const kinds = await ask("PostgreSQL", tallies(this.#db, runId));
    const [paused, active, workers] = await ask(
      "Redis",
      Promise.all([this.#limit.paused(), this.#queue.getActiveCount(), this.#queue.getWorkersCount()]),
    );
    const now = performance.now();
    const held = kinds.reduce((sum, { rows }) => sum + rows, 0);
    this.#rowsAtFirst ??= held;
    this.#samples.push([now, held]);
    if (this.#samples.length > 10) this.#samples.shift();
    const seconds = (now - this.#began) / 1000;
    const rowsPerSecond = this.#rate();
    const added = held - this.#rowsAtFirst;
    return { runId, tallies: kinds, rowsPerSecond, added, paused, active, workers, seconds };
  }

  #rate(): number {
    const [[start, before], [end, after]] = [this.#samples[0] ?? [0, 0], this.#samples.at(-1) ?? [0, 0]];
    return end > start ? ((after - before) * 1000) / (end - start) : 0;
  }

  /** Returns at most `maximum` dead letters of a run, one line each. */
  async deadLetters(runId: number, maximum: number): Promise<string[]> {
    const letters = await deadLetters(this.#db, runId);
    const lines = letters
      .slice(0, maximum)
      .map(({ externalId, kind, error }) => `${externalId} ${kind}: ${error ?? "?"}`);
    return letters.length > maximum ? [...lines, `… and ${count(letters.length - maximum)} more`] : lines;
  }
}

/** Shows a run until it ends. Resolves with the ended run, or with undefined if `signal` was aborted. */
export async function watch(
  observer: Observer,
  view: View,
  runId: number,
  signal: AbortSignal,
): Promise<Run | undefined> {
  while (!signal.aborted) {
    try {
      view.show(await observer.snapshot(runId));
      const run = await observer.run();
      if (run?.id === runId && run.state !== "running") return run;
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      view.problem(`waiting for ${error.message}`);
    }
    await sleep(500, undefined, { signal }).catch(() => {});
  }
  return undefined;
}
