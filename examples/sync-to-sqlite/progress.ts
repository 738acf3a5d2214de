import { styleText } from "node:util";

/** Where the lines go: `process.stdout`, or a test's. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** How far a sync is. */
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

/** A bar that is drawn over itself on a terminal; now and then a line elsewhere. */
export class Progress {
  readonly #output: Output;
  readonly #live: boolean;
  readonly #now: () => number;
  #next = 0;

  constructor(output: Output, live = output.isTTY === true, now = () => performance.now()) {
    this.#output = output;
    this.#live = live;
    this.#now = now;
    this.#next = now() + this.#interval;
  }

  get #interval(): number {
    return this.#live ? 100 : 2_000;
  }

  /** A line that stays. */
  line(text: string): void {
    this.#output.write(`${this.#live ? clearLine : ""}${text}\n`);
  }

  /** Shows where the sync is, unless it did so a moment ago. */
  show(position: () => Position): void {
    const now = this.#now();
    if (now < this.#next) return;
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
  const share = position.of === 0 ? 0 : position.done / position.of;
  const words = `${String(Math.floor(share * 100)).padStart(3)} %  ${plain(position)}`;
  const room = Math.min(30, columns - words.length - 1);
  if (room < 5) return words.slice(0, columns);
  const full = Math.round(share * room);
  const drawn = `${styleText("green", "█".repeat(full))}${styleText("dim", "░".repeat(room - full))}`;
  return `${drawn} ${words}`;
}
