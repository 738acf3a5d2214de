import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Redis } from "ioredis";
import type { Database } from "./database/connection.ts";
import { describeError } from "./failure.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./settings.ts";

/** The servers that must accept writes. */
type Server = "queue" | "database";

/** The wait in ms before the second attempt to write, doubled each time up to the longest one. */
const firstWait = 500;
const longestWait = 30_000;
/** The time in ms without a failure after which the next one counts as the first. */
const calm = 60_000;
/** The time in ms after which a missing response is a problem. */
const patience = 3_000;

/** Checks whether Redis and PostgreSQL accept writes, and makes the jobs of a worker wait until they do. */
export class Health {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #checks: Readonly<Record<Server, () => Promise<unknown>>>;
  readonly #log: Log;
  readonly #recoveries = new Map<Server, Promise<void>>();
  #failures = 0;
  #lastFailure = -Infinity;

  constructor(db: Database, redis: Redis, { prefix }: Pick<Settings, "prefix">, log: Log) {
    this.#redis = redis;
    this.#key = `${prefix}:problem`;
    this.#log = log;
    this.#checks = {
      queue: () => redis.set(`${prefix}:health`, 1, "PX", 1_000),
      // fails if the database is read-only, although it changes no row
      database: () => sql`update runs set state = state where false`.execute(db),
    };
  }

  /** Returns the problems that are present, in words: those that a check finds, otherwise that of a worker. */
  async problems(): Promise<string[]> {
    const [queue, database, reported] = await Promise.all([
      this.#check("queue"),
      this.#check("database"),
      timely(this.#redis.get(this.#key)).catch(() => null), // the check of Redis shows why
    ]);
    if (queue !== undefined || database !== undefined)
      return [
        ...(queue === undefined ? [] : [`queue: ${queue}`]),
        ...(database === undefined ? [] : [`database: ${database}`]),
      ];
    return reported === null ? [] : [reported];
  }

  /** Resolves when the jobs of this worker need not wait. */
  get recovered(): Promise<unknown> {
    return Promise.all(this.#recoveries.values());
  }

  /**
   * Waits until a server accepts writes, so that no request is sent whose response cannot be saved, and longer after each
   * failure: a full disk rejects some writes only. The jobs of a worker wait together.
   */
  untilWorking(server: Server, error: unknown, signal: AbortSignal): Promise<void> {
    const running = this.#recoveries.get(server);
    if (running !== undefined) return running;
    const recovery = this.#recover(server, describeError(error), signal).finally(() =>
      this.#recoveries.delete(server),
    );
    this.#recoveries.set(server, recovery);
    return recovery;
  }

  async #recover(server: Server, reason: string, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#failures = now - this.#lastFailure > calm ? 1 : this.#failures + 1;
    this.#lastFailure = now;
    let problem: string | undefined = reason;
    let wait = this.#failures === 1 ? 0 : Math.min(firstWait * 2 ** (this.#failures - 2), longestWait);
    while (!signal.aborted) {
      await this.#report(`${server}: ${problem ?? reason}`, wait);
      await sleep(wait, undefined, { signal }).catch(() => {}); // ends the wait
      problem = await this.#check(server);
      if (problem === undefined) break;
      this.#log.problem(server, problem);
      wait = 1_000;
    }
    this.#lastFailure = performance.now();
    this.#log.solved(server);
  }

  /** Shows a problem to the views, which are other processes. */
  async #report(problem: string, duration: number): Promise<void> {
    const shown = Math.ceil(duration + 2 * patience);
    await timely(this.#redis.set(this.#key, problem, "PX", shown)).catch(() => {}); // the view checks Redis itself
  }

  async #check(server: Server): Promise<string | undefined> {
    try {
      await timely(this.#checks[server]());
      return undefined;
    } catch (error) {
      return describeError(error);
    }
  }
}

/** Rejects if there is no response in time. */
export async function timely<T>(response: Promise<T>): Promise<T> {
  const late = sleep(patience, undefined, { ref: false }).then(() => {
    throw new Error(`no response within ${patience / 1000} s`);
  });
  return Promise.race([response, late]);
}
