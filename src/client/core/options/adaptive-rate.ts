import type { RequestCount } from "./request-count.ts";

/** The rate after the first 429 of a limiter without a maximum is at least this, in requests per second. */
const firstEstimate = 10;

/** The lowest rate, in requests per second. */
const lowest = 0.1;

/** After a fall the rate stays for this time in ms and then grows by `growth` in each second. */
const plateau = 10_000;
const growth = 1.05;

/** A limiter without a maximum does not limit above this rate. */
const unlimited = 1000;

/**
 * The number of requests per second. It falls after a 429, to what the service accepted in the last second, and recovers
 * with time.
 */
export class AdaptiveRate {
  /** Whether there is no limit at present. */
  isUnlimited: boolean;
  readonly #maximum: number;
  #rate: number;
  #fellAt = 0;
  /** The rate before the last fall, and the number of requests that were accepted in the second before it. */
  #before: number;
  #accepted = 0;
  /** The lower bound of the fall. */
  #least = 0;
  /** Counts the falls. A request that was sent before a fall does not cause another one. */
  #fall = 0;
  readonly #count: RequestCount;

  /** @param maximum the largest rate, or Infinity */
  constructor(maximum: number, count: RequestCount) {
    this.#count = count;
    this.isUnlimited = maximum === Infinity;
    this.#maximum = maximum;
    this.#rate = maximum;
    this.#before = maximum;
  }

  /** Returns the current rate. */
  current(now: number): number {
    if (this.#rate === this.#maximum) return this.#rate;
    const grownFor = now - this.#fellAt - plateau;
    if (grownFor <= 0) return this.#rate;
    const rate = this.#rate * growth ** (grownFor / 1000);
    if (rate < Math.min(this.#maximum, unlimited)) return rate;
    this.#rate = this.#maximum;
    this.isUnlimited = this.#maximum === Infinity;
    return this.#maximum;
  }

  /** Counts a request. Returns the number of falls before it, for `reportThrottled`. */
  countRequest(now: number): number {
    this.#count.add(now);
    return this.#fall;
  }

  /** Lowers the rate. @param fall the number of falls before the throttled request was sent */
  reportThrottled(now: number, fall: number): void {
    if (fall === this.#fall) {
      const wasStable = this.#fall > 0 && now - this.#fellAt > plateau;
      this.#fall += 1;
      this.#before = this.current(now);
      this.#accepted = this.#count.inLastSecond(now);
      // a rate that the service has accepted for some time is only a little too high
      this.#least = this.#before === Infinity ? firstEstimate : this.#before * (wasStable ? 0.85 : 0.5);
      this.#fellAt = now;
    }
    this.isUnlimited = false;
    this.#accepted -= 1;
    const most = Math.min(unlimited, this.#before * 0.9);
    this.#rate = Math.max(lowest, Math.min(most, Math.max(this.#least, this.#accepted)));
  }
}
