/** What a process does: prepared once, then repeated. */
export interface Scenario {
  /** Does the given amount of work. Returns the figure in the row's unit. Rejects if a result is wrong. */
  run: (work: number) => unknown;
  /** The URL, if it is a server. */
  url?: string;
}

export interface Setting {
  /** The URL of a server; undefined for a stub. */
  baseUrl?: string | undefined;
  /** The number of concurrent calls. */
  inFlight?: number;
  /** Whether a call requests a page of 100 stores instead of one store. */
  isPage?: boolean;
  /** Whether the figure is processor time instead of elapsed time. */
  isProcessorTime?: boolean;
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
