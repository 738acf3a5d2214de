/** The number of retries that a new budget allows, so that a single failure is retried as usual. */
const reserve = 10;

/** Limits the retries of all calls together, so that an outage does not multiply the requests. */
export class RetryBudget {
  readonly #share: number;
  #remaining = reserve;

  /** @param share the retries that each call adds, at most 1 */
  constructor(share: number) {
    this.#share = share;
  }

  /** Counts a call. */
  earn(): void {
    this.#remaining = Math.min(reserve, this.#remaining + this.#share);
  }

  /** Takes a retry out of the budget; false if it is empty. */
  spend(): boolean {
    if (this.#remaining < 1) return false;
    this.#remaining -= 1;
    return true;
  }
}
