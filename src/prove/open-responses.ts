import type { ServerResponse } from "node:http";

/** The length of a turn of the event loop that is counted, in milliseconds. */
const TURN = 50;

/** So many turns of the event loop after a request its response is held back: the server answers within a few. */
const HELD_TURNS = 10;

/** The part of a run for which a response is held back if the program has no time limit: it may be late on a busy machine. */
const HELD_PART = 0.5;

/** The responses that a server has not ended. */
export class OpenResponses {
  /** When each of them began, in turns of the event loop, which a busy machine makes longer. */
  readonly #begun = new Map<ServerResponse, number>();
  #turns = 0;
  #runBegun = 0;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#timer = setInterval(() => {
      this.#turns += 1;
    }, TURN).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  beginRun(): void {
    this.#runBegun = this.#turns;
  }

  add(response: ServerResponse): void {
    this.#begun.set(response, this.#turns);
    response.once("close", () => this.#begun.delete(response));
  }

  /** Whether the server has held one back for so long that a program seems to wait for it without end. */
  get hasHeld(): boolean {
    const long = Math.max(HELD_TURNS, (this.#turns - this.#runBegun) * HELD_PART);
    return [...this.#begun.values()].some((begun) => this.#turns - begun >= long);
  }
}
