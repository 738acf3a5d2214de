/** The retries that a budget allows before any call has earned one: a single failure is retried as usual. */
const reserve = 10;

/** Bounds the retries of all calls together, so that an outage is not met with a multiple of the usual requests. */
export class RetryBudget {
  readonly #share: number;
  #left = reserve;

  /** @param share how many retries each call earns, at most 1 */
  constructor(share: number) {
    this.#share = share;
  }

  /** Counts a call. */
  earn(): void {
    this.#left = Math.min(reserve, this.#left + this.#share);
  }

  /** Takes a retry out of the budget; false if none is left. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
