import { WaitQueue } from "../options/wait-queue.ts";

/** Limits the number of requests in flight. Other requests wait in a queue. */
export class Slots {
  readonly #maximum: number;
  readonly #holders = new Set<object>();
  readonly #queue = new WaitQueue();

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Waits for a free slot until the signal is aborted. */
  async acquire(holder: object, isRetry: boolean, signal: AbortSignal): Promise<void> {
    const take = (): void => void this.#holders.add(holder);
    if (this.#holders.size < this.#maximum) take();
    else await this.#queue.wait(isRetry, signal, take);
  }

  /** Passes the slot of a holder, if it has one, to the next in the queue. */
  release(holder: object): void {
    if (this.#holders.delete(holder)) this.#queue.next();
  }
}
