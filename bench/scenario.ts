/** The work of a child process: prepared once, then repeated. */
export interface Scenario {
  /** Runs the given amount of work. Returns the figure in the row's unit. Rejects if a result is wrong. */
  run: (work: number) => Promise<number>;
}

export interface ScenarioModule {
  prepare: (contender: string, setting: ScenarioSetting) => Scenario | Promise<Scenario>;
}

export interface ScenarioSetting {
  /** The URL of the server; undefined for a stub. */
  baseUrl?: string;
  /** The number of concurrent calls. */
  inFlight?: number;
  /** Whether a call requests a page of 100 stores instead of one store. */
  page?: boolean;
  /** Whether the figure is processor time instead of elapsed time. */
  processor?: boolean;
  /** The time that the consumer of a page takes, in ms. */
  busy?: number;
}
