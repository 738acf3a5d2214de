import type { Writable } from "node:stream";

/** Characters that wait for a reader who is slower than the requests come; beyond it lines are left out. */
const PATIENCE = 1_000_000;

/** Milliseconds for which lines are gathered: a write for each of them would slow the requests down. */
const GATHERING = 10;

/** Lines on their way out. */
export class Output {
  readonly #stream: Writable;
  #waiting = "";
  #isOpen = true;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Whoever read the lines has left; the server is there for others as well.
    stream.on("error", () => {
      this.#isOpen = false;
    });
  }

  line(text: string): void {
    if (!this.#isOpen) return;
    if (this.#waiting === "") setTimeout(() => this.#flush(), GATHERING);
    this.#waiting += `${text}\n`;
  }

  /** Resolves once every line has left, and where no line can leave any more. */
  end(): Promise<void> {
    this.#flush();
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  #flush(): void {
    const lines = this.#waiting;
    this.#waiting = "";
    if (lines !== "" && this.#isOpen && this.#stream.writableLength < PATIENCE) this.#stream.write(lines);
  }
}
