import { styleText } from "node:util";

/** Where the lines go: `process.stdout`, or a test's. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** The progress of a sync. */
export interface Position {
  /** Stores that have all their protocols. */
  done: number;
  of: number;
  /** Protocols saved by this run. */
  protocols: number;
  rowsPerSecond: number;
}

const clearLine = "\r\u001B[K";
const numbers = new Intl.NumberFormat("en");

export const count = (value: number): string => numbers.format(value);

/** A bar that is drawn over itself on a terminal; elsewhere lines, fewer and fewer of them. */
export class Progress {
  readonly #output: Output;
  readonly #live: boolean;
  readonly #now: () => number;
  #interval: number;
  #next: number;

  constructor(output: Output, live = output.isTTY === true, now = () => performance.now()) {
    this.#output = output;
    this.#live = live;
    this.#now = now;
    this.#interval = live ? 100 : 500;
    this.#next = now() + this.#interval;
  }

  /** A line that stays. */
  line(text: string): void {
    this.#output.write(`${this.#live ? clearLine : ""}${text}\n`);
  }

  /** Shows where the sync is, unless it did so a moment ago. */
  show(position: () => Position): void {
    const now = this.#now();
    if (now < this.#next) return;
    if (!this.#live) this.#interval = Math.min(30_000, this.#interval * 2);
    this.#next = now + this.#interval;
    if (this.#live) this.#output.write(clearLine + bar(position(), (this.#output.columns ?? 80) - 1));
    else this.#output.write(`${plain(position())}\n`);
  }

  /** Takes the bar away. */
  clear(): void {
    if (this.#live) this.#output.write(clearLine);
  }
}

function plain({ done, of, protocols, rowsPerSecond }: Position): string {
  return `${count(done)} of ${count(of)} stores, ${count(protocols)} protocols, ${count(rowsPerSecond)} rows/s`;
}

function bar(position: Position, columns: number): string {
  const share = position.of === 0 ? 1 : position.done / position.of;
  const words = `${String(Math.floor(share * 100)).padStart(3)} %  ${plain(position)}`;
  const room = Math.min(30, columns - words.length - 1);
  if (room < 5) return words.slice(0, columns);
  const full = Math.round(share * room);
  const coloredBar = `${styleText("green", "█".repeat(full))}${styleText("dim", "░".repeat(room - full))}`;
  return `${coloredBar} ${words}`;
}
