/** A clock. */
export interface Clock {
  /** Returns the time in ms. */
  now(): number;
}

/** The clocks, timers and random numbers that a client uses, with the names that they have in `globalThis`. */
export interface Runtime {
  /** Calls `run` after `delay` ms; returns the argument for `clearTimeout`. */
  setTimeout(run: () => void, delay: number): unknown;
  /** Cancels a timer. */
  clearTimeout(timer: unknown): void;
  /** A monotonic clock. */
  performance: Clock;
  /** The wall clock. */
  Date: Clock;
  /** Returns a number from 0 up to but not including 1. */
  Math: { random(): number };
}
