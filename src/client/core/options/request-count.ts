/** Counts the requests of the last second. */
export class RequestCount {
  #secondStart = 0;
  #inSecond = 0;
  #inSecondBefore = 0;

  /** Counts a request. @param now in ms of a monotonic clock */
  add(now: number): void {
    const elapsed = now - this.#secondStart;
    if (elapsed >= 1000) {
      this.#inSecondBefore = elapsed < 2000 ? this.#inSecond : 0;
      this.#inSecond = 0;
      this.#secondStart = now - (elapsed % 1000);
    }
    this.#inSecond += 1;
  }

  /** Returns the number of requests in the second before `now`, as far as it is known. */
  inLastSecond(now: number): number {
    const share = Math.max(0, 1 - (now - this.#secondStart) / 1000);
    return this.#inSecond + this.#inSecondBefore * share;
  }
}
