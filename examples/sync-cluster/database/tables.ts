import type { ColumnType, Generated } from "kysely";

type Time = ColumnType<Date, Date, Date>;

/** One walk over all stores for one range of time. */
export interface RunTable {
  id: Generated<number>;
  source: string;
  range_from: string;
  range_to: string;
  state: ColumnType<RunState, RunState | undefined, RunState>;
  stop_reason: string | null;
  started_at: Generated<Date>;
  finished_at: Time | null;
}

export type RunState = "running" | "stopped" | "finished";

/** The progress of one job. The rows of a page and its place are saved in one transaction. */
export interface PlaceTable {
  run_id: number;
  /** Empty for the walk over the stores. */
  external_id: string;
  kind: string;
  /** `page.resume` of the last page saved; null before the first and after the last. */
  resume: string | null;
  /** Counts up with each page saved: a worker that has lost its job to another one cannot write any more. */
  pages: Generated<number>;
  rows: Generated<number>;
  retries: Generated<number>;
  error: string | null;
  done_at: Time | null;
  failed_at: Time | null;
}

/** Each response is stored as the original text, because the contract shows few of its properties. */
export interface RowTable {
  external_id: string;
  key: string;
  data: string;
}

export interface StoreTable {
  store_id: string;
  external_id: string | null;
  data: string;
}

export interface Tables {
  runs: RunTable;
  places: PlaceTable;
  stores: StoreTable;
  protocols: RowTable;
  photos: RowTable;
  fill_rates: RowTable;
}
