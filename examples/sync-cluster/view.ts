import { styleText } from "node:util";
import type { Tally } from "./database/runs.ts";

/** The content of the view. */
export interface ProgressSnapshot {
  runId: number;
  tallies: readonly Tally[];
  /** Rows saved per second during the last few seconds. */
  rowsPerSecond: number;
  /** Rows saved since the view began. */
  added: number;
  /** The rest of the pause of all workers, in ms. */
  paused: number;
  /** The number of active jobs. */
  active: number;
  workers: number;
  seconds: number;
  /** The reason why jobs wait: Redis or PostgreSQL rejects writes, or the last failure of the service. */
  problem: string | undefined;
}

/** The destination of the lines: `process.stdout`, or that of a test. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const numbers = new Intl.NumberFormat("en");
export const count = (value: number): string => numbers.format(Math.round(value));

const order = ["stores", "protocols", "photos", "fill-rates", "fleet"];

/** Redraws a block in place on a terminal; otherwise prints single lines at growing intervals. */
export class View {
  readonly #output: Output;
  readonly #live: boolean;
  readonly #now: () => number;
  #linesDrawn = 0;
  #interval = 1_000;
  #next = 0;
  #lastLine = "";

  constructor(output: Output, live = output.isTTY === true, now = () => performance.now()) {
    this.#output = output;
    this.#live = live;
    this.#now = now;
  }

  show(snapshot: ProgressSnapshot): void {
    if (this.#live) return this.#draw(block(snapshot, this.#output.columns ?? 80));
    this.#lastLine = "";
    if (this.#now() < this.#next) return;
    this.#next = this.#now() + this.#interval;
    this.#interval = Math.min(30_000, this.#interval * 1.5);
    this.#output.write(`${plain(snapshot)}\n`);
  }

  /** Shows why there is no progress to show: in place of the view on a terminal, otherwise as one line. */
  problem(text: string): void {
    if (this.#live) return this.#draw([text.slice(0, (this.#output.columns ?? 80) - 1)]);
    if (text !== this.#lastLine) this.#output.write(`${text}\n`);
    this.#lastLine = text;
  }

  /** Prints a line that is not overwritten. */
  line(text: string): void {
    this.#draw([]);
    this.#output.write(`${text}\n`);
  }

  #draw(lines: readonly string[]): void {
    if (!this.#live) return;
    const up = this.#linesDrawn === 0 ? "" : `\u001B[${this.#linesDrawn}A\r\u001B[J`;
    this.#output.write(up + lines.map((line) => `${line}\n`).join(""));
    this.#linesDrawn = lines.length;
  }
}

/** One line for logs. */
export function plain(snapshot: ProgressSnapshot): string {
  const kinds = sorted(snapshot.tallies).map((tally) => {
    const done = tally.kind === "stores" ? "" : ` ${count(tally.done)}/${count(tally.jobs)} jobs`;
    return `${tally.kind}${done} ${count(tally.rows)} rows`;
  });
  const { retries, failed, deleted } = sums(snapshot.tallies);
  return [
    `${count(snapshot.seconds)} s`,
    ...kinds,
    `${count(snapshot.rowsPerSecond)} rows/s`,
    `${count(retries)} retries`,
    `${count(failed)} dead letters`,
    ...(deleted > 0 ? [`${count(deleted)} jobs of deleted stores`] : []),
    ...pauseOf(snapshot),
    ...problemOf(snapshot),
  ].join(", ");
}

/** The live view: one line for each kind, and one for the rate. */
export function block(snapshot: ProgressSnapshot, columns: number): string[] {
  const heading = `run ${snapshot.runId}   ${count(snapshot.seconds)} s   ${count(snapshot.workers)} workers   ${count(snapshot.active)} active jobs`;
  const wide = columns >= 86;
  const lines = sorted(snapshot.tallies).map((tally) => {
    const share = tally.jobs === 0 ? 0 : tally.done / tally.jobs;
    const jobs =
      tally.kind === "stores"
        ? tally.done === 1
          ? "listed"
          : "listing …"
        : `${count(tally.done)}/${count(tally.jobs)}`;
    const words = `${tally.kind.padEnd(11)}${jobs.padStart(15)}${count(tally.rows).padStart(13)} rows${count(tally.retries).padStart(8)} retries${count(tally.failed).padStart(6)} dead`;
    return wide ? `${bar(share)} ${words}` : words;
  });
  const rate = [`${count(snapshot.rowsPerSecond)} rows/s`, ...pauseOf(snapshot)].join("   ");
  const all = [heading, ...lines, rate, ...problemOf(snapshot).map((text) => text.slice(0, columns - 1))];
  return all.map((line) => (wide ? line : line.slice(0, columns - 1)));
}

function bar(share: number): string {
  const full = Math.round(share * 12);
  return styleText("green", "█".repeat(full)) + styleText("dim", "░".repeat(12 - full));
}

function pauseOf({ paused }: ProgressSnapshot): string[] {
  return paused > 0 ? [`all workers paused for ${count(paused / 1000)} s`] : [];
}

function problemOf({ problem }: ProgressSnapshot): string[] {
  return problem === undefined ? [] : [`waiting: ${problem}`];
}

function sums(tallies: readonly Tally[]): { retries: number; failed: number; deleted: number } {
  const total = (name: "retries" | "failed" | "deleted") =>
    tallies.reduce((sum, tally) => sum + tally[name], 0);
  return { retries: total("retries"), failed: total("failed"), deleted: total("deleted") };
}

function sorted(tallies: readonly Tally[]): Tally[] {
  return tallies.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}
