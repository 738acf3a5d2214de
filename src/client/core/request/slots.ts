/** Limits the number of requests in flight. Other requests wait in a queue. */
export class Slots {
  readonly #maximum: number;
  readonly #holders = new Set<object>();
  readonly #waiting = new Map<object, () => void>();

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Waits for a free slot. The promise stays pending if `release` ends the wait of this holder. */
  async acquire(holder: object): Promise<void> {
    if (this.#holders.size < this.#maximum) {
      this.#holders.add(holder);
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.set(holder, resolve));
  }

  /** Passes the slot of a holder to the next in the queue, or ends the wait of a holder that has no slot yet. */
  release(holder: object): void {
    this.#waiting.delete(holder);
    if (!this.#holders.delete(holder)) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [waiting, enter] = next;
    this.#waiting.delete(waiting);
    this.#holders.add(waiting);
    enter();
  }
}
