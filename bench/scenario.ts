import type { Figure } from "./statistics.ts";

/** What a process does: prepared once, then repeated. */
export interface Scenario {
  /** Does the given amount of work. Returns figures in the row's unit. Rejects if a result is wrong. */
  run: (work: number) => number | Figure | Promise<number | Figure>;
  /** The URL, if it is a server. */
  url?: string;
}

export interface Setting {
  /** The URL of a server; undefined for a stub. */
  baseUrl?: string | undefined;
  /** The number of concurrent calls. */
  inFlight?: number;
  /** What a call does (default: `get`, of one store): the request of a page of 100 stores, or a write. */
  call?: "get" | "page" | "put";
  /** Whether the figure of a walk is the growth of the heap. */
  isMemory?: boolean;
  /** The time that the consumer of a page takes, in ms. */
  busy?: number;
  /** The request to a reference server. */
  request?: "get" | "list" | "put";
  job?: "pull" | "mirror" | "plan";
}

export interface ScenarioModule {
  prepare: (contender: string, setting: object) => Scenario | Promise<Scenario>;
}

/** Starts to measure. The returned function returns the elapsed time and the processor time of all threads, in ms. */
export function startClock(): () => { value: number; processor: number } {
  const start = performance.now();
  const used = process.cpuUsage();
  return () => {
    const value = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    return { value, processor: (user + system) / 1000 };
  };
}

/** Divides the times of a clock. */
export function perItem(
  { value, processor }: ReturnType<ReturnType<typeof startClock>>,
  items: number,
): Figure {
  return { value: value / items, processor: processor / items };
}
