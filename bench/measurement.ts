import type { Samples } from "./statistics.ts";
import type { Target } from "./target.ts";

/** One row of the table, before it is measured. */
export interface RowPlan {
  id: string;
  /** The title in the table. */
  what: string;
  unit: string;
  /** Whether a larger figure is better, as for a rate. */
  better: "less" | "more";
  /** The contender of shelfleet, with which the others are compared. */
  ours: string;
  target: Target;
}

export interface Row extends RowPlan {
  samples: Samples;
}

/** The settings of a whole run. */
export interface Run {
  /** Measures fewer rounds, and growth only where it is all that a row shows. */
  quick: boolean;
  /** A folder for temporary files. */
  work: string;
  /** Shuffles in place. */
  shuffle: <T>(all: T[]) => T[];
  /** Reports something that could not be measured. The run continues and exits with a code other than 0. */
  refuse: (row: string, contender: string, error: unknown) => void;
  log: (line: string) => void;
}

/** Measures some rows of the table together. */
export interface Measurement {
  /** The measured rows, without those of growth. */
  plans: readonly RowPlan[];
  measure: (run: Run) => Promise<Row[]>;
}
