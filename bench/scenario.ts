/** A script's work in a process of its own: made ready once, then done as often as it is asked. */
export interface Scenario {
  /** One run of so much work; the figure in the row's unit. Rejects where a result is not the right one. */
  run: (work: number) => Promise<number>;
}

export interface ScenarioModule {
  prepare: (contender: string, setting: ScenarioSetting) => Scenario | Promise<Scenario>;
}

export interface ScenarioSetting {
  /** The server to call; left out for a stub. */
  baseUrl?: string;
  /** How many calls are under way at a time. */
  inFlight?: number;
  /** Whether a call asks for a page of 100 stores instead of one store. */
  page?: boolean;
  /** Whether the figure is the processor's time instead of the clock's. */
  processor?: boolean;
  /** For how many ms the consumer of a page is busy. */
  busy?: number;
}
