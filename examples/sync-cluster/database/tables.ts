import type { ColumnType, Generated } from "kysely";

type Time = ColumnType<Date, Date, Date>;

/** One pass over the stores that are due (`sync`), or over all stores for one time range (`backfill`). */
export interface RunTable {
  id: Generated<number>;
  kind: ColumnType<RunKind, RunKind, never>;
  source: string;
  /** Only of a backfill. */
  range_from: string | null;
  range_to: string | null;
  state: ColumnType<RunState, RunState | undefined, RunState>;
  stop_reason: string | null;
  /** The number of stores that the service had listed before this run; null before the first run. */
  stores_before: number | null;
  started_at: Generated<Date>;
  finished_at: Time | null;
}

export type RunKind = "sync" | "backfill";
export type RunState = "running" | "stopped" | "finished" | "abandoned";

/** The progress of one job of a run. */
export interface PositionTable {
  run_id: number;
  /** Empty for the list of stores. */
  external_id: string;
  kind: string;
  /** `page.resume` of the last page saved; null before the first and after the last. A pull has its state in `pulls`. */
  resume: string | null;
  /** The number of saved pages. A worker cannot save a page after another worker has continued its job. */
  pages: Generated<number>;
  rows: Generated<number>;
  retries: Generated<number>;
  /** Failed attempts since the last saved page. */
  failures: Generated<number>;
  /** Responses 429, or 503 with `Retry-After`, since the last saved page. */
  throttled: Generated<number>;
  error: string | null;
  done_at: Time | null;
  failed_at: Time | null;
  /** The service says that the store does not exist. */
  deleted_at: Time | null;
}

/** The state of the pull of one list of a store. A page and its state are saved in one transaction. */
export interface PullTable {
  external_id: string;
  kind: string;
  state: string;
}

/** Each response is stored as the original text, because the contract shows few of its properties. */
export interface RowTable {
  external_id: string;
  key: string;
  data: string;
  /** The run that wrote the row last. */
  run_id: number;
  /** When another store got the external ID. The row belongs to the store that had it before. */
  replaced_at: Time | null;
}

export interface StoreTable {
  store_id: string;
  external_id: string | null;
  data: string;
  run_id: number;
  /** The last run whose list of stores had it. */
  listed_run: number;
  deleted_at: Time | null;
  /** When a pull last found something new. */
  active_at: Time | null;
  /** When its lists are read next. */
  due_at: Generated<Date>;
  /** Rows were saved since its fill rates were read. */
  rates_due: Generated<boolean>;
  /** An operator has excluded it. */
  is_skipped: Generated<boolean>;
}

/** A job that failed too often. It is removed when a later run completes the job. */
export interface DeadLetterTable {
  external_id: string;
  kind: string;
  run_id: number;
  reason: string;
  /** The range of a backfill; empty for the pulls of a sync. */
  range_from: string;
  range_to: string;
  at: Generated<Date>;
}

/** A row of the fleet API. */
export interface FleetTable {
  resource: string;
  id: string;
  data: string;
  /** The hash of the row and the pass over the list that saw it last, both for the mirror. */
  hash: string;
  pass: number;
  run_id: number;
  deleted_at: Time | null;
}

/** The state of the mirror of one resource of the fleet API. */
export interface MirrorTable {
  resource: string;
  state: string;
}

export interface Tables {
  runs: RunTable;
  positions: PositionTable;
  pulls: PullTable;
  stores: StoreTable;
  protocols: RowTable;
  photos: RowTable;
  fill_rates: RowTable;
  dead_letters: DeadLetterTable;
  fleet: FleetTable;
  mirrors: MirrorTable;
}
