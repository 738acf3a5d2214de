import { Counter, Gauge, Registry } from "prom-client";
import type { Hooks } from "../../src/index.ts";
import type { Database } from "./database/connection.ts";
import { deadLetters } from "./database/dead-letters.ts";
import type { Log, Owner } from "./log.ts";
import type { SyncQueue } from "./queue.ts";

/** The counters of a worker, and BullMQ's own, in the format of Prometheus. */
export class Metrics {
  readonly #queue: SyncQueue;
  readonly #registry = new Registry();
  readonly #rows = this.#counter("sync_rows_total", "Saved rows", ["kind"]);
  readonly #requests = this.#counter("sync_requests_total", "Responses by status", ["status"]);
  readonly #failed = this.#counter("sync_failed_requests_total", "Requests without a response", []);
  readonly #dead = this.#counter("sync_dead_letters_total", "Jobs that became dead letters", ["kind"]);
  readonly #lag = this.#gauge("sync_lag_seconds", "Time from the start of a run to the end of its last job", [
    "kind",
  ]);
  /** The client's hooks that count its requests. */
  readonly hooks: Hooks = {
    onResponse: ({ status }) => this.#requests.inc({ status: String(status) }),
    onError: () => this.#failed.inc(),
  };

  constructor(queue: SyncQueue, db: Database, log: Log) {
    this.#queue = queue;
    this.#gauge(
      "sync_problems",
      "Log lines with a problem, by the part that caused it",
      ["owner"],
      (gauge) => {
        for (const owner of Object.keys(log.counts) as Owner[]) gauge.set({ owner }, log.counts[owner]);
      },
    );
    this.#gauge("sync_dead_letters", "Dead letters that no later run has completed", [], async (gauge) => {
      gauge.set((await deadLetters(db)).length);
    });
  }

  countRows(kind: string, rows: number): void {
    this.#rows.inc({ kind }, rows);
  }

  countDeadLetter(kind: string): void {
    this.#dead.inc({ kind });
  }

  countLag(kind: string, startedAt: Date): void {
    this.#lag.set({ kind }, (Date.now() - startedAt.getTime()) / 1000);
  }

  async text(): Promise<string> {
    return `${await this.#queue.exportPrometheusMetrics()}\n${await this.#registry.metrics()}`;
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(
    name: string,
    help: string,
    labelNames: string[],
    read: (gauge: Gauge) => void | Promise<void> = () => {},
  ): Gauge {
    return new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        return read(this);
      },
    });
  }
}
