import type { Writable } from "node:stream";
import { escapeLine } from "../wire/foreign-text.ts";

/** The number of characters that may wait for a slow reader; further lines are dropped. */
const MAX_BUFFERED = 1_000_000;

/**
 * The time for which lines are collected before they are written, in milliseconds: one write per line would slow
 * down the requests.
 */
const FLUSH_DELAY = 10;

/** Buffered output of lines. */
export class Output {
  readonly #stream: Writable;
  #buffer = "";
  #isOpen = true;

  constructor(stream: Writable) {
    this.#stream = stream;
    // The reader has closed the pipe; the server continues for its clients.
    stream.on("error", () => {
      this.#isOpen = false;
    });
  }

  line(text: string): void {
    if (!this.#isOpen) return;
    if (this.#buffer === "") setTimeout(() => this.#flush(), FLUSH_DELAY);
    this.#buffer += `${escapeLine(text)}\n`;
  }

  /** Resolves when every line is written, or cannot be written any more. */
  end(): Promise<void> {
    this.#flush();
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  #flush(): void {
    const lines = this.#buffer;
    this.#buffer = "";
    if (lines !== "" && this.#isOpen && this.#stream.writableLength < MAX_BUFFERED) this.#stream.write(lines);
  }
}
