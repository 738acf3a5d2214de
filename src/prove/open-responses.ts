import type { ServerResponse } from "node:http";

const TURN = 50;

/** So many turns of the event loop after a request its response is held back: the server answers within a few. */
const HELD_TURNS = 10;

/** The responses that a server has not ended. */
export class OpenResponses {
  /** When each of them began, in turns of the event loop, which a busy machine makes longer. */
  readonly #begun = new Map<ServerResponse, number>();
  #turns = 0;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#timer = setInterval(() => {
      this.#turns += 1;
    }, TURN).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  add(response: ServerResponse): void {
    this.#begun.set(response, this.#turns);
    response.once("close", () => this.#begun.delete(response));
  }

  /** Whether the server holds one back, so that a program may wait for it. */
  get hasHeld(): boolean {
    return [...this.#begun.values()].some((begun) => this.#turns - begun >= HELD_TURNS);
  }
}
