import { onAbort } from "./abort.ts";

/** Requests that wait for their turn: retries first, otherwise in the order of their calls. */
export class WaitQueue {
  readonly #retries = new Set<() => void>();
  readonly #calls = new Set<() => void>();
  readonly #onLeave: () => void;

  /** @param onLeave called after a signal has ended a wait */
  constructor(onLeave: () => void = () => {}) {
    this.#onLeave = onLeave;
  }

  get isEmpty(): boolean {
    return this.#retries.size + this.#calls.size === 0;
  }

  /** Waits for a turn, and then calls `take` before anything else happens. An abort ends the wait. */
  wait(isRetry: boolean, signal: AbortSignal, take: () => void = () => {}): Promise<void> {
    const lane = isRetry ? this.#retries : this.#calls;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        lane.delete(enter);
        unlisten();
        reject(signal.reason);
        this.#onLeave();
      };
      const enter = (): void => {
        lane.delete(enter);
        unlisten();
        take();
        resolve();
      };
      signal.throwIfAborted();
      const unlisten = onAbort(signal, leave);
      lane.add(enter);
    });
  }

  /** Gives the turn to the first in the queue; false if nobody waits. */
  next(): boolean {
    const [enter] = this.#retries.size > 0 ? this.#retries : this.#calls;
    enter?.();
    return enter !== undefined;
  }
}
