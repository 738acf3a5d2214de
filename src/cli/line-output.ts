import type { Writable } from "node:stream";
import { escapeLine } from "../wire/message.ts";

/** The number of characters that may wait for a slow reader; further lines are dropped. */
const MAX_BUFFERED = 1_000_000;

/** The time for which lines are collected, in milliseconds: one write for each line would slow down the requests. */
const FLUSH_DELAY = 10;

/** Buffered output of lines, which never waits for its reader. */
export class LineOutput {
  readonly #stream: Writable;
  #buffer = "";

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  add(text: string): void {
    if (this.#buffer === "") setTimeout(() => this.#flush(), FLUSH_DELAY);
    this.#buffer += `${escapeLine(text)}\n`;
  }

  /** Resolves when every line is written, or cannot be written any more. */
  end(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  #flush(): void {
    if (this.#stream.writable && this.#stream.writableLength < MAX_BUFFERED) this.#stream.write(this.#buffer);
    this.#buffer = "";
  }
}
