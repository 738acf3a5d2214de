/** Virtual time: the clocks and timers that clients, jobs and the network get in place of those of `globalThis`. */
import type { Runtime } from "../../src/index.ts";

/** A broken promise of the package. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** Ends the history if a rule does not hold. */
export function must(holds: boolean, rule: string, ...details: unknown[]): asserts holds {
  if (holds) return;
  const shown = details.map((detail) => (typeof detail === "string" ? detail : JSON.stringify(detail)));
  throw new Violation([rule, ...shown].join(": "));
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** The time at which every history begins; the data of the reference server is from the 28 days before. */
export const epoch = Date.UTC(2026, 0, 1);

/** More timers than that are an endless loop. */
const maxTimers = 100_000;
/** Turns of the event loop after which a program without a timer hangs: a module may be loading. */
const maxIdleTurns = 200;

export class VirtualClock {
  /** Milliseconds since the start of the history. */
  now = 0;
  readonly #timers: Timer[] = [];

  /** Runs a function later. Timers of one instant fire in the order in which they were made. */
  after(delay: number, run: () => void): Timer {
    const timer = { at: this.now + Math.max(0, delay), run };
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1] as Timer).at > timer.at) index -= 1; // in range
    this.#timers.splice(index, 0, timer);
    return timer;
  }

  cancel(timer: unknown): void {
    const index = this.#timers.indexOf(timer as Timer);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  /** Waits; rejects with the reason of the signal if it is aborted. */
  sleep(delay: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.cancel(timer);
        reject(signal?.reason as Error);
      };
      const timer = this.after(delay, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      if (signal?.aborted === true) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Lets time pass until a program has ended. */
  async run(program: Promise<void>): Promise<void> {
    const state = { isDone: false };
    const end = (): void => void (state.isDone = true);
    program.then(end, end);
    for (let idle = 0, fired = 0; !state.isDone; ) {
      await new Promise((resolve) => void setImmediate(resolve));
      const timer = state.isDone ? undefined : this.#timers.shift();
      idle = timer === undefined ? idle + 1 : 0;
      must(idle < maxIdleTurns, "a call hangs: nothing is in flight, and no timer is left");
      if (timer === undefined) continue;
      must((fired += 1) < maxTimers, "a program does not end");
      this.now = timer.at;
      timer.run();
    }
    return program;
  }
}

/** The runtime of one program, and its timers. */
export class ProgramRuntime implements Runtime {
  readonly timers = new Set<unknown>();
  readonly performance = { now: () => this.#clock.now };
  readonly Date = { now: () => epoch + Math.floor(this.#clock.now) };
  readonly Math: { random: () => number };
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock;
    this.Math = { random };
  }

  #isStopped = false;

  setTimeout(run: () => void, delay: number): unknown {
    if (this.#isStopped) return undefined;
    const timer = this.#clock.after(delay, () => {
      this.timers.delete(timer);
      run();
    });
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    if (this.timers.delete(timer)) this.#clock.cancel(timer);
  }

  /** Ends the program: none of its timers fires. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.timers) this.#clock.cancel(timer);
    this.timers.clear();
  }
}
