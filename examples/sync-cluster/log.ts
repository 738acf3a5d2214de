import { type Logger, pino } from "pino";
import { describeError } from "./failure.ts";

/** The part of the system that a problem belongs to. */
export type Owner = "service" | "queue" | "database" | "program";

/** Structured log lines, and the problems that are present now. */
export class Log {
  readonly #logger: Logger;
  readonly #problems = new Map<Owner, { text: string; since: Date }>();
  /** Counts of log lines with a problem, for the metrics. */
  readonly counts: Record<Owner, number> = { service: 0, queue: 0, database: 0, program: 0 };

  constructor(level: string = "info", name = "sync-cluster") {
    this.#logger = pino({ name, level, base: { name, pid: process.pid } }, pino.destination(2));
  }

  info(fields: object, text: string): void {
    this.#logger.info(fields, text);
  }

  /** Logs a problem once while it lasts. */
  problem(owner: Owner, error: unknown, fields: object = {}): void {
    const text = describeError(error);
    this.counts[owner] += 1;
    if (this.#problems.get(owner)?.text !== text) this.#logger.warn({ owner, ...fields }, text);
    if (owner === "queue" || owner === "database") this.#problems.set(owner, { text, since: new Date() });
  }

  /** Ends a problem. */
  solved(owner: Owner): void {
    const problem = this.#problems.get(owner);
    if (problem === undefined) return;
    this.#problems.delete(owner);
    this.#logger.info({ owner, since: problem.since }, `${owner} works again`);
  }
}

/** A log that writes nothing. */
export const silent = (): Log => new Log("silent");
