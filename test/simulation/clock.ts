/** Virtual time: an event queue, and the clocks and timers that clients get in place of those of `globalThis`. */
import type { Runtime } from "../../src/client/core/options/options.ts";

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Taken before a history watches the globals. */
const immediate = setImmediate;

/** Ends when every promise callback that can run has run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void immediate(resolve));
}

export class VirtualClock {
  #now = 0;
  #order = 0;
  readonly #events: Event[] = [];

  /** Virtual milliseconds since the start of the history. */
  get now(): number {
    return this.#now;
  }

  /** Runs a function after some virtual milliseconds. Events of one instant run in the order they were made. */
  after(delay: number, run: () => void): Event {
    this.#order += 1;
    const event = { at: this.#now + Math.max(0, delay), order: this.#order, run };
    const events = this.#events;
    let at = events.length;
    while (at > 0 && isLater(events[at - 1] as Event, event)) at -= 1; // the index is inside the array
    events.splice(at, 0, event);
    return event;
  }

  cancel(event: Event): void {
    const at = this.#events.indexOf(event);
    if (at >= 0) this.#events.splice(at, 1);
  }

  sleep(delay: number): Promise<void> {
    return new Promise((resolve) => void this.after(delay, resolve));
  }

  /** Runs the next event. Returns false if there is none. */
  step(): boolean {
    const event = this.#events.shift();
    if (event === undefined) return false;
    this.#now = event.at;
    event.run();
    return true;
  }
}

function isLater(one: Event, other: Event): boolean {
  return one.at > other.at || (one.at === other.at && one.order > other.order);
}

const epoch = Date.UTC(2026, 5, 15, 12);

/** A client's runtime on a virtual clock, and the timers that the client has not cleared. */
export class VirtualRuntime implements Runtime {
  readonly timers = new Set<unknown>();
  readonly performance: Runtime["performance"];
  readonly Date: Runtime["Date"];
  readonly Math: Runtime["Math"];
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock;
    this.performance = { now: () => clock.now };
    this.Date = { now: () => epoch + Math.floor(clock.now) };
    this.Math = { random };
  }

  setTimeout(run: () => void, delay: number): unknown {
    const event = this.#clock.after(delay, () => {
      this.timers.delete(event);
      run();
    });
    this.timers.add(event);
    return event;
  }

  clearTimeout(timer: unknown): void {
    if (!this.timers.delete(timer)) return;
    this.#clock.cancel(timer as Event); // only `setTimeout` fills the set
  }
}

/** The wall clock of a history in milliseconds since 1970. */
export function wallTime(clock: VirtualClock): number {
  return epoch + Math.floor(clock.now);
}

/** The runtime of a client that sends nothing. */
export const idleRuntime = {
  setTimeout: (): unknown => undefined,
  clearTimeout: (): void => {},
  performance: { now: (): number => 0 },
  Date: { now: (): number => 0 },
  Math: { random: (): number => 0 },
};
