import type { ColumnType, Generated } from "kysely";

type Time = ColumnType<Date, Date, Date>;

/** One copy of all stores for one time range. */
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
  /** The number of saved pages. A worker cannot save a page after another worker has continued its job. */
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
