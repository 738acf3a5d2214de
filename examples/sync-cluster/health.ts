import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Redis } from "ioredis";
import type { Database } from "./database/connection.ts";
import { describeError } from "./failure.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./settings.ts";

/** The interval in ms between two checks of a server that does not work. */
const interval = 1_000;

/** Checks whether Redis and PostgreSQL accept writes. */
export class Health {
  readonly #checks: Readonly<Record<"queue" | "database", () => Promise<unknown>>>;
  readonly #log: Log;

  constructor(db: Database, redis: Redis, { prefix }: Pick<Settings, "prefix">, log: Log) {
    this.#log = log;
    this.#checks = {
      queue: () => redis.set(`${prefix}:health`, 1, "PX", 1_000),
      // fails if the database is read-only, although it changes no row
      database: () => sql`update runs set state = state where false`.execute(db),
    };
  }

  /** Returns the problem of a server; undefined if it accepts writes. */
  async problem(owner: "queue" | "database", patience = 3_000): Promise<string | undefined> {
    const late = sleep(patience, `no response within ${patience / 1000} s`, { ref: false });
    const check = this.#checks[owner]().then(
      () => undefined,
      (error: unknown) => describeError(error),
    );
    return Promise.race([check, late]);
  }

  /** Waits until a server accepts writes, so that no request is sent whose response cannot be saved. */
  async untilWorking(owner: "queue" | "database", signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const problem = await this.problem(owner);
      if (problem === undefined) return this.#log.solved(owner);
      this.#log.problem(owner, problem);
      await sleep(interval, undefined, { signal }).catch(() => {}); // ends the wait
    }
  }
}
